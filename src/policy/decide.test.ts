import { describe, expect, it } from 'vitest';
import type { ActionName, Level } from '../contract/action.ts';
import { type FileMode, fileModes } from '../contract/mode.ts';
import { parseGlob } from '../text/glob.ts';
import type { Action } from './action.ts';
import { type Decision, decide, type Situation } from './decide.ts';
import type { Grant } from './grants.ts';
import type { Policy } from './policy.ts';
import { parseRule, type RuleEffect } from './rules.ts';

const rules = (effect: RuleEffect, ...texts: string[]) =>
  texts.map((text) => parseRule(effect, text, { line: 1, column: 1 }));

const policy: Policy = {
  file: 'porthole.policy.yaml',
  digest: 'sha256:p',
  ceiling: 'unsafe',
  rules: { deny: [], ask: [], allow: [] },
  threshold: 'moderate',
  protectedPaths: [],
};

const fileless: Policy = { ...policy, file: undefined };

const situation: Situation = {
  action: { name: 'edit_file', path: 'src/a.ts' },
  level: 'moderate',
  levelReason: 'it changes a file',
  mode: 'unsafe',
  unsafeFlag: true,
  flags: {},
  grants: [],
};

const grant = (level: Level, name: ActionName = 'edit_file'): Grant => ({
  id: `${name} ${level}`,
  name,
  level,
  scope: 'run',
  run: 'r',
  grantedAt: 0,
});

// What comes out, in short: `allow 7`, `deny 4 POLICY_DENIED`, `ask 11`.
const brief = (decision: Decision) =>
  `${decision.kind} ${decision.line}${decision.kind === 'deny' ? ` ${decision.code}` : ''}`;

const decided = (changes: Partial<Policy>, more: Partial<Situation> = {}) =>
  brief(decide({ ...policy, ...changes }, { ...situation, ...more }));

const allowAll = rules('allow', 'read(**)', 'write(**)', 'run(**)');

describe('decide(), line by line, each with its twin', () => {
  it('1: a protected path is refused, whatever allows it; its neighbour is not', () => {
    const protectedPaths = [{ glob: parseGlob('src/a.ts/**'), belongsTo: 'the audit log' }];
    const all = { protectedPaths, rules: { ...policy.rules, allow: allowAll } };
    const grants = [grant('dangerous')];
    expect(decided(all, { grants })).toBe('deny 1 PATH_PROTECTED');
    expect(decided(all, { grants, mode: 'safe' })).toBe('deny 1 PATH_PROTECTED');
    expect(decided(all, { action: { name: 'edit_file', path: 'src/b.ts' } })).toBe('allow 7');
  });

  it('1: of the policy, the pattern is named; of porthole itself, whose file it is', () => {
    const byPattern = { ...policy, protectedPaths: [{ glob: parseGlob('src/**') }] };
    expect(decide(byPattern, situation)).toMatchObject({ reason: 'protectedPaths of the policy covers it: src/**' });
    expect(decide(byPattern, situation)).not.toHaveProperty('isOwnFile');
    const own = { ...policy, protectedPaths: [{ glob: parseGlob('src/**'), belongsTo: 'the audit log' }] };
    expect(decide(own, situation)).toMatchObject({ reason: 'the path is protected: the audit log', isOwnFile: true });
  });

  it('1: a protected path is protected under either spelling, and may be read', () => {
    const protectedPaths = [{ glob: parseGlob('own/**'), belongsTo: 'the audit log' }];
    const linked = { name: 'edit_file', path: 'own/log', writtenAs: 'link' } as const;
    expect(decided({ protectedPaths }, { action: linked })).toBe('deny 1 PATH_PROTECTED');
    expect(decided({ protectedPaths }, { action: { name: 'file_read', path: 'own/log' }, level: 'safe' })).toBe(
      'allow 8',
    );
  });

  it.each<[ActionName, FileMode, string]>([
    ['file_write', 'safe', 'deny 2 MODE_SAFE'],
    ['file_write', 'staged', 'ask 11'],
    ['file_write', 'unsafe', 'ask 11'],
    ['edit_file', 'safe', 'deny 2 MODE_SAFE'],
    ['edit_file', 'unsafe', 'ask 11'],
    ['apply', 'staged', 'deny 2 MODE_SAFE'],
    ['apply', 'unsafe', 'ask 11'],
    ['writeback', 'safe', 'deny 2 MODE_SAFE'],
    ['writeback', 'staged', 'ask 11'],
    ['file_read', 'safe', 'ask 11'],
    ['run', 'safe', 'ask 11'],
    ['run', 'unsafe', 'ask 11'],
  ])('2: %s in mode %s: %s', (name, mode, expected) => {
    expect(decided({}, { action: { name, path: 'a' }, mode })).toBe(expected);
  });

  it.each(fileModes)('2: a run wider than the ceiling %s is refused, one as wide is not', (ceiling) => {
    const run = { name: 'run', path: 'sha256:0' } as const;
    for (const mode of fileModes) {
      const isWider = fileModes.indexOf(mode) > fileModes.indexOf(ceiling);
      expect(decided({ ceiling }, { action: run, mode })).toBe(isWider ? 'deny 2 MODE_SAFE' : 'ask 11');
    }
  });

  it('2: the ceiling holds for a write even when the run claims more', () => {
    expect(decided({ ceiling: 'safe' })).toBe('deny 2 MODE_SAFE');
  });

  it('3: a live write without the flag is refused; with it, read, staged or written back it is not', () => {
    const rule = { rules: { ...policy.rules, allow: allowAll } };
    expect(decided(rule, { unsafeFlag: false })).toBe('deny 3 UNSAFE_FLAG_MISSING');
    expect(decided(rule, { unsafeFlag: false, action: { name: 'apply', path: 'a' } })).toBe(
      'deny 3 UNSAFE_FLAG_MISSING',
    );
    expect(decided(rule, { unsafeFlag: true })).toBe('allow 7');
    expect(decided(rule, { unsafeFlag: false, mode: 'staged' })).toBe('allow 7');
    expect(decided(rule, { unsafeFlag: false, mode: 'staged', action: { name: 'writeback', path: 'a' } })).toBe(
      'allow 7',
    );
    expect(decided(rule, { unsafeFlag: false, action: { name: 'file_read', path: 'a' } })).toBe('allow 7');
  });

  it('4: a deny rule stands above ask, allow and grants', () => {
    const all = { deny: rules('deny', 'write(src/**)'), ask: rules('ask', 'write(**)'), allow: allowAll };
    const grants = [grant('dangerous')];
    expect(decided({ rules: all }, { grants })).toBe('deny 4 POLICY_DENIED');
    expect(decided({ rules: { ...all, deny: rules('deny', 'write(lib/**)') } }, { grants })).toBe('allow 6');
  });

  it('5: what is dangerous is asked, whatever rule, threshold or flag would answer it', () => {
    const flags = { unsafe: true, allowWrite: true };
    const rule = { rules: { ...policy.rules, allow: allowAll } };
    expect(decided(rule, { level: 'dangerous' })).toBe('ask 5');
    expect(decided({ file: undefined }, { level: 'dangerous', flags })).toBe('ask 5');
    expect(decided({ threshold: 'dangerous' }, { level: 'dangerous' })).toBe('ask 5');
    expect(decided(rule, { level: 'dangerous', grants: [grant('moderate')] })).toBe('ask 5');
    expect(decided(rule, { level: 'dangerous', grants: [grant('dangerous', 'file_write')] })).toBe('ask 5');
    expect(decided(rule, { level: 'dangerous', grants: [grant('dangerous')] })).toBe('allow 5');
    expect(decided(rule, { level: 'moderate' })).toBe('allow 7');
  });

  it('6: an ask rule asks before an allow rule allows, unless a grant answers', () => {
    const all = { ...policy.rules, ask: rules('ask', 'edit_file(src/**)'), allow: allowAll };
    expect(decided({ rules: all })).toBe('ask 6');
    expect(decided({ rules: all, threshold: 'dangerous' })).toBe('ask 6');
    expect(decided({ rules: all }, { grants: [grant('safe')] })).toBe('ask 6');
    expect(decided({ rules: all }, { grants: [grant('moderate')] })).toBe('allow 6');
    expect(decided({ rules: { ...all, ask: rules('ask', 'edit_file(lib/**)') } })).toBe('allow 7');
  });

  it('7: an allow rule allows; one for another path or tool does not', () => {
    expect(decided({ rules: { ...policy.rules, allow: rules('allow', 'edit_file(src/**)') } })).toBe('allow 7');
    expect(decided({ rules: { ...policy.rules, allow: rules('allow', 'edit_file(docs/**)') } })).toBe('ask 11');
    expect(decided({ rules: { ...policy.rules, allow: rules('allow', 'file_write(src/**)') } })).toBe('ask 11');
  });

  it.each<[Level, Level, string]>([
    ['safe', 'moderate', 'allow 8'],
    ['moderate', 'moderate', 'ask 11'],
    ['moderate', 'dangerous', 'allow 8'],
    ['safe', 'safe', 'ask 11'],
  ])('8: level %s under threshold %s: %s', (level, threshold, expected) => {
    expect(decided({ threshold }, { level })).toBe(expected);
  });

  it('9: a grant covers its tool at its level and below', () => {
    expect(decided({}, { grants: [grant('moderate')] })).toBe('allow 9');
    expect(decided({}, { grants: [grant('dangerous')] })).toBe('allow 9');
    expect(decided({}, { grants: [grant('safe')] })).toBe('ask 11');
    expect(decided({}, { grants: [grant('moderate', 'file_write')] })).toBe('ask 11');
  });

  it('10: an operator flag answers without a policy file, and never with one', () => {
    const flags = { unsafe: true, allowWrite: true };
    expect(decided({ file: undefined }, { flags })).toBe('allow 10');
    expect(decided({}, { flags })).toBe('ask 11');
  });

  const globs = [parseGlob('conf/**')];
  const both = { unsafe: true, allowWrite: true };
  it.each<[string, Action, Partial<Situation>, string]>([
    ['--unsafe', { name: 'run', path: 'sha256:0' }, { flags: { unsafe: true } }, 'allow 10'],
    ['no flag', { name: 'run', path: 'sha256:0' }, { flags: {} }, 'ask 11'],
    ['--unsafe alone', { name: 'file_write', path: 'a' }, { flags: { unsafe: true } }, 'ask 11'],
    ['--allow-write alone', { name: 'file_write', path: 'a' }, { flags: { allowWrite: true } }, 'ask 11'],
    ['--unsafe --allow-write', { name: 'file_write', path: 'a' }, { flags: both }, 'allow 10'],
    ['--unsafe --allow-write', { name: 'edit_file', path: 'a' }, { flags: both }, 'allow 10'],
    ['--unsafe --allow-write', { name: 'apply', path: 'a' }, { flags: both }, 'ask 11'],
    ['--copy-rw', { name: 'writeback', path: 'a' }, { flags: { copyRw: true }, mode: 'staged' }, 'allow 10'],
    ['--copy', { name: 'writeback', path: 'a' }, { flags: {}, mode: 'staged' }, 'ask 11'],
    ['--allow of its path', { name: 'apply', path: 'conf/a.json' }, { flags: { allow: globs } }, 'allow 10'],
    ['--allow of another path', { name: 'apply', path: 'src/a.json' }, { flags: { allow: globs } }, 'ask 11'],
  ])('10: %s for %j', (...[, action, more, expected]) => {
    expect(brief(decide(fileless, { ...situation, action, ...more }))).toBe(expected);
  });

  it('11: what nothing answers is asked', () => {
    expect(decided({})).toBe('ask 11');
  });
});

describe('decide()', () => {
  it('names rule and grant that made the decision', () => {
    const deny = rules('deny', 'read(**)', 'write(**)', 'write(src/**)');
    expect(decide({ ...policy, rules: { ...policy.rules, deny } }, situation)).toMatchObject({
      rule: { text: 'write(**)' },
      reason: 'rule deny write(**)',
    });
    expect(decide(policy, { ...situation, grants: [grant('moderate')] })).toMatchObject({
      grant: { id: 'edit_file moderate' },
    });
  });

  it('is a function of what it is given', () => {
    expect(decide(policy, situation)).toEqual(decide(structuredClone(policy), structuredClone(situation)));
  });
});
