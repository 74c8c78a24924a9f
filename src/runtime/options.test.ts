import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../contract/limits.ts';
import { parseRunOptions, parseRuntimeOptions, parseToolCallOptions } from './options.ts';

const refusal = (code: string, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) });

describe('parseRuntimeOptions()', () => {
  it('is safe mode with the default limits, if nothing is said', () => {
    expect(parseRuntimeOptions({})).toEqual({
      root: undefined,
      mode: 'safe',
      limits: defaultLimits,
      workers: undefined,
      maxQueue: 1000,
      requireRaceFree: false,
      protectedPaths: [],
      powers: {},
    });
  });

  it.each([
    ['an unknown option', { workres: 2 }, 'there is no option "workres"'],
    ['an unknown power', { powers: { clock: () => 0 } }, 'there is no option "clock"'],
    ['no object', null, 'expected an object'],
    ['an array', [], 'expected an object'],
    ['a mode there is not', { mode: 'yolo' }, 'expected one of safe, unsafe, not "yolo"'],
    ['a root that is no path', { root: 5 }, 'Cannot use root of createRuntime(): expected a path, not 5'],
    ['no workers', { workers: 0 }, 'expected a whole number from 1 to 1024, not 0'],
    ['half a worker', { workers: 0.5 }, 'not 0.5'],
    ['a negative queue', { maxQueue: -1 }, 'from 0'],
    ['a word for a switch', { requireRaceFree: 'yes' }, 'expected true or false, not "yes"'],
    ['paths that are none', { protectedPaths: [1] }, 'expected a list of paths, not an array'],
    ['powers that are none', { powers: 'all' }, 'expected an object of functions'],
  ])('refuses %s', (_, options, says) => {
    expect(() => parseRuntimeOptions(options)).toThrowError(refusal('ARGUMENT_INVALID', says));
  });

  it('names the nearest option, or all of them', () => {
    expect(() => parseRuntimeOptions({ workres: 2 })).toThrowError(
      expect.objectContaining({ hint: 'Did you mean workers?' }),
    );
    expect(() => parseRuntimeOptions({ xyzxyzxyz: 2 })).toThrowError(
      expect.objectContaining({ hint: expect.stringContaining('The options are root, mode, limits') }),
    );
  });

  it('refuses unsafe mode without a root, and limits out of range', () => {
    expect(() => parseRuntimeOptions({ mode: 'unsafe' })).toThrowError(refusal('ROOT_INVALID', 'no root was given'));
    expect(() => parseRuntimeOptions({ limits: { timeMs: 0 } })).toThrowError(refusal('LIMIT_INVALID', 'timeMs'));
  });
});

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
    const base = parseRuntimeOptions({ limits: { timeMs: 7, helperCalls: 8 } }).limits;
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
  it('takes a context and nothing else', () => {
    expect(parseToolCallOptions(undefined)).toEqual({});
    expect(parseToolCallOptions({ context: { _unsafe_mode: true } })).toEqual({ _unsafe_mode: true });
    expect(() => parseToolCallOptions({ contxt: {} })).toThrowError(
      expect.objectContaining({ hint: 'Did you mean context?' }),
    );
  });
});
