import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLimits } from '../contract/limits.ts';
import { narrowByPolicy, type OperatorChoices } from './narrow-policy.ts';
import { loadPolicyFile } from './policy-file.ts';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-narrow-')));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const narrowed = (policy: string | undefined, choices: OperatorChoices) => {
  if (policy === undefined) return narrowByPolicy(undefined, choices, directory);
  writeFileSync(join(directory, 'p.yaml'), `porthole: 1\n${policy}`);
  return narrowByPolicy(loadPolicyFile('p.yaml', directory), choices, directory);
};

const refused = (policy: string, choices: OperatorChoices) => {
  try {
    narrowed(policy, choices);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('narrowByPolicy()', () => {
  it('without a policy is safe unless the operator says otherwise', () => {
    expect(narrowed(undefined, {})).toEqual({
      mode: 'safe',
      ceiling: 'safe',
      root: directory,
      limits: defaultLimits,
      auditPath: undefined,
      requireRaceFree: false,
    });
    expect(narrowed(undefined, { mode: 'unsafe', root: '/r', auditPath: '/a' })).toMatchObject({
      ceiling: 'unsafe',
      root: '/r',
      auditPath: '/a',
    });
  });

  it('lets a choice narrow the mode and refuses one that widens it, naming both', () => {
    expect(narrowed('mode: unsafe\n', { mode: 'staged' })).toMatchObject({ mode: 'staged', ceiling: 'unsafe' });
    expect(narrowed('mode: unsafe\n', {})).toMatchObject({ mode: 'safe' });
    expect(refused('mode: staged\n', { mode: 'unsafe' })).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Cannot use mode unsafe: the policy p.yaml says mode: staged',
    });
  });

  it('keeps the root below that of the policy', () => {
    const below = join(directory, 'work', 'sub');
    expect(narrowed('root: ./work\n', {}).root).toBe(join(directory, 'work'));
    expect(narrowed('root: ./work\n', { root: below }).root).toBe(below);
    expect(narrowed('root: ./work\n', { root: join(directory, 'work', '..a') }).root).toBe(
      join(directory, 'work', '..a'),
    );
    expect(narrowed('', { root: '/anywhere' }).root).toBe('/anywhere');
    expect(narrowed('', {}).root).toBe(directory);
    for (const root of [directory, join(directory, 'work-evil'), '/']) {
      expect(refused('root: ./work\n', { root })).toMatchObject({
        message: expect.stringContaining('says root: ./work'),
      });
    }
  });

  it('keeps limits at or under those of the policy', () => {
    expect(narrowed('limits: { timeMs: 500 }\n', {}).limits).toMatchObject({
      timeMs: 500,
      memoryBytes: defaultLimits.memoryBytes,
    });
    expect(
      narrowed('limits: { timeMs: 500 }\n', { limits: { timeMs: 400, helperCalls: 20_000 } }).limits,
    ).toMatchObject({
      timeMs: 400,
      helperCalls: 20_000,
    });
    expect(refused('limits: { timeMs: 500 }\n', { limits: { timeMs: 501 } })).toMatchObject({
      message: 'Cannot use limit timeMs=501: the policy p.yaml says limits.timeMs: 500',
    });
  });

  it('lets nobody switch the log off or away but the policy', () => {
    expect(narrowed('', { auditPath: '/a' }).auditPath).toBe('/a');
    expect(narrowed('audit: { path: a.jsonl }\n', {}).auditPath).toBe(join(directory, 'a.jsonl'));
    expect(narrowed('audit: { path: a.jsonl }\n', { auditPath: join(directory, 'a.jsonl') }).auditPath).toBe(
      join(directory, 'a.jsonl'),
    );
    expect(narrowed('audit: { enabled: false }\n', {}).auditPath).toBeUndefined();
    expect(refused('audit: { path: a.jsonl }\n', { auditPath: '/other' })).toMatchObject({ code: 'ARGUMENT_INVALID' });
    expect(refused('audit: { enabled: false }\n', { auditPath: '/other' })).toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  it('lets a choice demand race-free containment and not drop it', () => {
    expect(narrowed('', { requireRaceFree: true }).requireRaceFree).toBe(true);
    expect(narrowed('files: { requireRaceFree: true }\n', { requireRaceFree: false }).requireRaceFree).toBe(true);
    expect(narrowed('', {}).requireRaceFree).toBe(false);
  });
});
