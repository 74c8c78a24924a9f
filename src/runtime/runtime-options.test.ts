import { describe, expect, it } from 'vitest';
import { parseRuntimeOptions } from './runtime-options.ts';

const refusal = (code: string, says: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(says) });

describe('parseRuntimeOptions()', () => {
  it('is safe mode without limits of its own, if nothing is said', () => {
    expect(parseRuntimeOptions({})).toEqual({
      root: undefined,
      mode: 'safe',
      limits: {},
      workers: undefined,
      maxQueue: 1000,
      requireRaceFree: false,
      protectedPaths: [],
      policy: undefined,
      approve: undefined,
      classify: undefined,
      audit: { path: undefined, content: false, fsync: false, isMemory: false },
      powers: {},
    });
  });

  it.each([
    ['an unknown option', { workres: 2 }, 'there is no option "workres"'],
    ['an unknown power', { powers: { clock: () => 0 } }, 'there is no option "clock"'],
    ['no object', null, 'expected an object'],
    ['an array', [], 'expected an object'],
    ['a mode there is not', { mode: 'yolo' }, 'expected one of safe, staged, unsafe, not "yolo"'],
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
      expect.objectContaining({ hint: expect.stringContaining('The options are root, mode, staged, limits') }),
    );
  });

  it('refuses limits out of range', () => {
    expect(() => parseRuntimeOptions({ limits: { timeMs: 0 } })).toThrowError(refusal('LIMIT_INVALID', 'timeMs'));
  });
});
