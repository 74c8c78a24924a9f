import { describe, expect, it } from 'vitest';
import type { Check } from './checks.ts';
import { runChecks } from './run-checks.ts';

const check = (name: string, more: Partial<Check> = {}): Check => ({ name, why: '', commands: [], ...more });

/** Runs checks whose outcomes are given, and records which ran beside which. */
async function runRecorded(checks: readonly Check[], failing: readonly string[] = []) {
  const running = new Set<string>();
  const beside: string[] = [];
  const results = await runChecks(checks, {
    run: async ({ name }) => {
      running.add(name);
      beside.push([...running].join('+'));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.delete(name);
      return { ok: !failing.includes(name), output: '' };
    },
    report: () => undefined,
    monotonicMs: () => performance.now(),
  });
  return { beside, statuses: Object.fromEntries(results.map(({ name, status }) => [name, status])) };
}

describe('runChecks()', () => {
  it('runs two at a time, never three', async () => {
    const { beside } = await runRecorded([check('a'), check('b'), check('c')]);
    expect(beside.slice(0, 2)).toEqual(['a', 'a+b']);
    expect(beside.every((names) => names.split('+').length <= 2)).toBe(true);
  });

  it('runs a check that wants to be alone beside nothing', async () => {
    const { beside } = await runRecorded([check('a'), check('b', { alone: true }), check('c')]);
    expect(beside).toContain('b');
    expect(beside.filter((names) => names.includes('b'))).toEqual(['b']);
  });

  it('runs a check after what it needs', async () => {
    const { beside } = await runRecorded([check('build'), check('unit', { needs: ['build'] })]);
    expect(beside).toEqual(['build', 'unit']);
  });

  it('skips what needs a failed check, through every step, and runs the rest', async () => {
    const checks = [
      check('build'),
      check('unit', { needs: ['build'] }),
      check('report', { needs: ['unit'] }),
      check('types'),
    ];
    const { statuses } = await runRecorded(checks, ['build']);
    expect(statuses).toEqual({ build: 'failed', unit: 'skipped', report: 'skipped', types: 'passed' });
  });
});
