import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits, parseLimits } from '../contract/limits.ts';
import { parseRunOptions, parseToolCallOptions } from './run-options.ts';
import { parseRuntimeOptions } from './runtime-options.ts';

const refusal = (code: string, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) });

describe('parseRunOptions()', () => {
  const parse = (options: object) => parseRunOptions({ source: '1', ...options }, defaultLimits);

  it('needs a source and nothing else', () => {
    expect(parse({})).toMatchObject({
      language: 'js',
      file: 'program.js',
      input: undefined,
      context: {},
      seed: undefined,
    });
    expect(parse({ language: 'ts' })).toMatchObject({ file: 'program.ts' });
    expect(() => parseRunOptions({}, defaultLimits)).toThrowError(
      refusal('ARGUMENT_INVALID', 'expected the text of a program, not nothing'),
    );
  });

  it('lays limits over those of the runtime', () => {
    const base = parseLimits(parseRuntimeOptions({ limits: { timeMs: 7, helperCalls: 8 } }).limits);
    expect(parseRunOptions({ source: '', limits: { timeMs: 9 } }, base).limits).toMatchObject({
      timeMs: 9,
      helperCalls: 8,
    });
  });

  it.each([
    [new Date(5), 5],
    [5, 5],
    [-1, -1],
    ['1970-01-01T00:00:00.005Z', 5],
    ['1970-01-01T01:00+01:00', 0],
    ['1970-01-02', 86_400_000],
  ])('stops the clock at %s', (now, instant) => {
    expect(parse({ now }).now).toBe(instant);
  });

  it.each([
    [{ now: '1970-01-01T00:00:00' }, 'now'],
    [{ now: 'tomorrow' }, 'now'],
    [{ now: '2030-02-31' }, 'now'],
    [{ now: '2030-02-31T00:00:00Z' }, 'now'],
    [{ now: new Date(Number.NaN) }, 'now'],
    [{ now: Number.POSITIVE_INFINITY }, 'now'],
    [{ now: null }, 'not null'],
    [{ now: {} }, 'a value of type object'],
    [{ seed: 1.5 }, 'seed'],
    [{ seed: '1' }, 'seed'],
    [{ seed: -0.5 }, 'not -0.5'],
    [{ language: 'tsx' }, 'language'],
    [{ source: 5 }, 'source'],
    [{ source: 'x', file: 'a\nb' }, 'file'],
    [{ file: 'a (b:1' }, 'file'],
    [{ file: 'porthole' }, 'file'],
    [{ file: '' }, 'file'],
    [{ signal: {} }, 'signal'],
    [{ context: 'x'.repeat(99) }, 'context is no plain object'],
    [{ source: 'x', sorce: 'y' }, 'there is no option "sorce"'],
    [{ file: `${'x'.repeat(99)}:` }, 'a long text'],
    [{ language: -0 }, 'not -0'],
  ])('refuses %j', (options, says) => {
    expect(() => parse(options)).toThrowError(refusal('ARGUMENT_INVALID', says));
  });

  it('makes 64 bits that are not 0 of every seed, and never the same of two', () => {
    const seed = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    const parsed = (value: bigint) => parse({ seed: value }).seed ?? 0n;
    fc.assert(
      fc.property(seed, seed, (one, other) => {
        expect(parsed(one)).toBeGreaterThan(0n);
        expect(parsed(one)).toBeLessThan(2n ** 64n);
        expect(parsed(one) === parsed(other)).toBe(one === other);
      }),
    );
    expect(parse({ seed: 7 }).seed).toBe(parse({ seed: 7n }).seed);
    // The one whole number that the spreading itself takes to 0.
    expect(parsed(2n ** 64n - 0x9e3779b97f4a7c15n)).toBeGreaterThan(0n);
  });
});

describe('parseToolCallOptions()', () => {
  it('takes a context, a signal and nothing else', () => {
    const { signal } = new AbortController();
    expect(parseToolCallOptions(undefined)).toEqual({ context: {}, signal: undefined });
    expect(parseToolCallOptions({ context: { _unsafe_mode: true }, signal })).toEqual({
      context: { _unsafe_mode: true },
      signal,
    });
    expect(() => parseToolCallOptions({ contxt: {} })).toThrowError(
      expect.objectContaining({ hint: 'Did you mean context?' }),
    );
  });
});
