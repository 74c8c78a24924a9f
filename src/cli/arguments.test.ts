import { describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

const allowed = ['eval', 'root', 'unsafe', 'limit', 'json', 'help'] as const;

function parse(...args: readonly string[]) {
  return parseArguments(args, allowed);
}

describe('parseArguments()', () => {
  it('takes values behind a flag or behind =', () => {
    expect(parse('--root', 'a').value('root')).toBe('a');
    expect(parse('--root=a=b').value('root')).toBe('a=b');
    expect(parse('--root=').value('root')).toBe('');
    expect(parse('-e', 'return 1').value('eval')).toBe('return 1');
    expect(parse('-e=1').value('eval')).toBe('1');
    expect(parse('--root=--json').value('root')).toBe('--json');
    expect(parse('-e', '-1').value('eval')).toBe('-1');
    expect(parse('-e', '--x; return 1').value('eval')).toBe('--x; return 1');
    expect(parse('-e', '-').value('eval')).toBe('-');
  });

  it('takes switches, and flags that repeat', () => {
    const args = parse('--json', '--limit', 'a=1', '-h', '--limit=b=2');
    expect([args.has('json'), args.has('unsafe'), args.has('help')]).toEqual([true, false, true]);
    expect(args.values('limit')).toEqual(['a=1', 'b=2']);
    expect(args.values('root')).toEqual([]);
    expect(args.value('root')).toBeUndefined();
  });

  it('takes a lone dash as a positional, and everything behind -- as well', () => {
    expect(parse('-', '--json', 'x', '--', '--root', '-e', '--').positionals).toEqual(['-', 'x', '--root', '-e', '--']);
    expect(parse('').positionals).toEqual(['']);
  });

  it.each([
    [['--rot', 'x'], 'there is no flag --rot', 'Did you mean --root?'],
    [['--jsn'], 'there is no flag --jsn', 'Did you mean --json?'],
    [['-x'], 'there is no flag -x', 'See --help for the flags.'],
    [['--seed', '1'], 'there is no flag --seed', 'See --help for the flags.'],
    [['--'.concat('-root'), 'x'], 'there is no flag ---root', 'Did you mean --root?'],
    [['--root'], '--root needs a value: --root DIR', undefined],
    [
      ['--root', '--unsafe'],
      '--root needs a value: --root DIR, and --unsafe follows',
      'If --unsafe is meant as the value, write --root=--unsafe.',
    ],
    [['-e', '-h'], '-e needs a value: -e CODE, and -h follows', 'If -h is meant as the value, write -e=-h.'],
    [
      ['--root', '--of-another-command=1'],
      '--root needs a value: --root DIR, and --of-another-command=1 follows',
      'If --of-another-command=1 is meant as the value, write --root=--of-another-command=1.',
    ],
    [['--root', '--', 'x'], '--root needs a value: --root DIR, and -- follows', undefined],
    [['--json=yes'], '--json takes no value', undefined],
    [['--root', 'a', '--root', 'b'], '--root is given twice', undefined],
    [['--json', '--json'], '--json is given twice', undefined],
  ])('refuses %j', (args, message, hint) => {
    expect(() => parse(...args)).toThrowError(new UsageError(message, hint));
  });
});
