import { describe, expect, it } from 'vitest';
import { parseLimitFlags } from './amounts.ts';
import { parseArguments } from './arguments.ts';

function limits(...args: readonly string[]) {
  return parseLimitFlags(parseArguments(args, ['timeout', 'max-memory', 'limit']));
}

describe('parseLimitFlags()', () => {
  it.each([
    [['--timeout', '10s'], { timeMs: 10_000 }],
    [['--timeout', '500ms'], { timeMs: 500 }],
    [['--timeout', '2m'], { timeMs: 120_000 }],
    [['--timeout', '1.5s'], { timeMs: 1500 }],
    [['--max-memory', '64MiB'], { memoryBytes: 64 * 1024 ** 2 }],
    [['--max-memory', '1GiB'], { memoryBytes: 1024 ** 3 }],
    [['--limit', 'memoryBytes=512KiB'], { memoryBytes: 512 * 1024 }],
    [['--limit', 'timeMs=500'], { timeMs: 500 }],
    [['--limit', 'timeMs=1s', '--limit', 'helperCalls=7'], { timeMs: 1000, helperCalls: 7 }],
    [[], {}],
  ])('reads %j', (args, expected) => {
    expect(limits(...args)).toEqual(expected);
  });

  it.each([
    [['--timeout', '0'], '0 is no limit'],
    [['--timeout', '0s'], '0 is no limit'],
    [['--max-memory', '0MiB'], '0 is no limit'],
    [['--limit', 'helperCalls=0'], '0 is no limit'],
    [['--timeout', '10'], 'expected a number with its unit, such as 10s, 500ms or 2m'],
    [['--timeout', '10h'], 'expected a number with its unit'],
    [['--timeout', '-1s'], 'expected a number with its unit'],
    [['--timeout', 's'], 'expected a number with its unit'],
    [['--timeout', ''], 'expected a number with its unit'],
    [['--timeout', '0.5ms'], 'expected a whole number of its smallest unit'],
    [['--max-memory', '64MB'], 'MB is ambiguous'],
    [['--max-memory', '64kb'], 'kb is ambiguous'],
    [['--max-memory', '64M'], 'such as 64MiB, 512KiB or 1GiB'],
    [['--max-memory', '64constructor'], 'such as 64MiB'],
    [['--limit', 'memoryBytes=1GB'], 'GB is ambiguous'],
    [['--limit', 'helperCalls=7MiB'], '--limit helperCalls takes a whole number'],
    [['--limit', 'timeMs'], '--limit takes NAME=VALUE'],
    [['--limit', '=5'], '--limit takes NAME=VALUE'],
    [['--limit', 'timeMs='], 'expected a number with its unit'],
    [['--timeout', '1s', '--limit', 'timeMs=5'], 'sets the limit timeMs a second time'],
  ])('refuses %j', (args, says) => {
    expect(() => limits(...args)).toThrowError(says);
  });

  it('names the binary unit for an ambiguous one, and all limits for an unknown one', () => {
    expect(() => limits('--max-memory', '64MB')).toThrowError(
      expect.objectContaining({ hint: 'Write 64MiB, which is 1024-based.' }),
    );
    expect(() => limits('--limit', 'time=5')).toThrowError(
      expect.objectContaining({ code: 'LIMIT_INVALID', hint: expect.stringContaining('timeMs, memoryBytes') }),
    );
  });
});
