import { describe, expect, it } from 'vitest';
import type { ActionName } from '../contract/action.ts';
import { matchesRule, parseActionName, parseRule, type RuleEffect } from './rules.ts';

const at = { line: 7, column: 9 };
const rule = (text: string, effect: RuleEffect = 'deny') => parseRule(effect, text, at);
const digest = `sha256:${'0a'.repeat(32)}`;

describe('parseRule()', () => {
  it('keeps text and place', () => {
    expect(rule('edit_file(src/**)')).toMatchObject({ effect: 'deny', text: 'edit_file(src/**)', line: 7, column: 9 });
  });

  it.each<[string, ActionName[]]>([
    ['file_read(**)', ['file_read']],
    ['read(**)', ['file_read']],
    ['write(**)', ['file_write', 'edit_file', 'apply', 'writeback']],
    ['run(**)', ['run']],
    ['apply(**)', ['apply']],
    ['writeback(**)', ['writeback']],
  ])('%s covers %j', (text, names) => {
    expect(rule(text).names).toEqual(names);
  });

  it.each([
    ['wirte(**)', 'there is no action "wirte"', 'Did you mean "write"?'],
    ['delete_everything(**)', 'there is no action', 'The names are'],
    ['read_file(**)', 'a helper is judged as its tool', 'file_read'],
    ['write_file(**)', 'a helper is judged as its tool', 'file_write'],
    ['src/**', 'has not the form', 'edit_file(src/**)'],
    ['write', 'has not the form', 'edit_file(src/**)'],
    ['write()', 'can never match: it is empty', '**'],
    ['write(../x)', 'leads above the root', 'downwards'],
    ['write(/etc/**)', 'relative to the root', 'leading'],
    ['write([)', 'is not closed', ''],
    ['run(src/**)', 'no program has such a digest', 'run(**)'],
    ['run(sha256:xyz)', 'no program has such a digest', 'run(**)'],
    [`run(${digest.toUpperCase()})`, 'no program has such a digest', 'run(**)'],
  ])('refuses %s, which could never match', (text, problem, hint) => {
    expect(() => rule(text)).toThrow(
      expect.objectContaining({
        code: 'POLICY_INVALID',
        message: expect.stringContaining(problem),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it.each(['run(**)', 'run(*)', 'run(sha256:*)', 'run(sha*)', 'run(sha256:0a*)', `run(${digest})`])(
    'takes %s',
    (text) => {
      expect(matchesRule(rule(text), { name: 'run', path: digest })).toBe(true);
    },
  );
});

describe('matchesRule()', () => {
  const viaLink = { name: 'file_write', path: 'secret/a', writtenAs: 'link/a' } as const;

  it('matches name and path', () => {
    expect(matchesRule(rule('write(src/**)'), { name: 'edit_file', path: 'src/a' })).toBe(true);
    expect(matchesRule(rule('write(src/**)'), { name: 'edit_file', path: 'docs/a' })).toBe(false);
    expect(matchesRule(rule('write(src/**)'), { name: 'file_read', path: 'src/a' })).toBe(false);
  });

  it.each<RuleEffect>(['deny', 'ask'])('sees both spellings of a linked path for %s', (effect) => {
    expect(matchesRule(rule('write(secret/**)', effect), viaLink)).toBe(true);
    expect(matchesRule(rule('write(link/**)', effect), viaLink)).toBe(true);
  });

  it('allows a linked path only by the place it leads to', () => {
    expect(matchesRule(rule('write(link/**)', 'allow'), viaLink)).toBe(false);
    expect(matchesRule(rule('write(secret/**)', 'allow'), viaLink)).toBe(true);
  });
});

describe('parseActionName()', () => {
  it('knows actions and helpers', () => {
    expect(parseActionName('edit_file')).toBe('edit_file');
    expect(parseActionName('write_file')).toBe('file_write');
    expect(parseActionName('write')).toBeUndefined();
  });
});
