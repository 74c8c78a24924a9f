import { describe, expect, it } from 'vitest';
import { settleVerdict } from './settle-verdict.ts';
import { planInMemory } from './testing/plan-in-memory.ts';
import { parseVerdict } from './verdict.ts';

describe('settleVerdict()', () => {
  it('makes an escalation of a mechanical verdict of which every edit was refused', async () => {
    const settled = await settle(['/b', '/c']);
    expect(settled.classification).toBe('escalate');
    expect(settled.escalationReason).toBe(
      'Every edit was refused. v.yaml: key "/b" not found; v.yaml: key "/c" not found',
    );
  });

  it('names some of many refusals', async () => {
    const { escalationReason } = await settle(Array.from({ length: 9 }, (_, index) => `/x${index}`));
    expect(escalationReason).toMatch(/key "\/x4" not found; and 4 more$/);
  });

  it('leaves a verdict alone of which one edit is right', async () => {
    expect((await settle(['/a', '/b'])).classification).toBe('mechanical');
    expect((await settle(['/a'])).classification).toBe('mechanical');
  });

  it('leaves every other verdict alone', () => {
    const verdict = verdictOf([], 'no_action');
    expect(settleVerdict(verdict, { files: [], applied: [], already: [], rejected: [] })).toBe(verdict);
  });
});

async function settle(keys: readonly string[]) {
  const verdict = verdictOf(keys, 'mechanical');
  return settleVerdict(verdict, await planInMemory({ 'v.yaml': 'a: 1\n' }, verdict.edits));
}

function verdictOf(keys: readonly string[], classification: string) {
  const edits = keys.map((key) => ({ path: 'v.yaml', key, from: '1', to: '2', rationale: '' }));
  return parseVerdict({ classification, summary: '', reasoning: '', edits, escalationReason: '' });
}
