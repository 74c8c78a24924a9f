import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('nearestName()', () => {
  it.each([
    ['jsn', 'json'],
    ['jsno', 'json'],
    ['timout', 'timeout'],
    ['TIMEOUT', 'timeout'],
    ['jjson', 'json'],
    ['time0ut', 'timeout'],
  ])('takes %s for %s', (given, meant) => {
    expect(nearestName(given, ['json', 'timeout', 'root'])).toBe(meant);
  });

  it('prefers what is nearer, whatever comes first', () => {
    expect(nearestName('maxQueu', ['maxWorkers', 'maxQueue'])).toBe('maxQueue');
  });

  it('counts a letter that is missing, too much, wrong or changed places with the next as one error', () => {
    for (const given of ['abcdef', 'abcdefhg', 'abcdexgh', 'acbdefgh', 'abcdefghi'])
      expect(nearestName(given, ['zzzzzzzz', 'abcdefgh'])).toBe('abcdefgh');
    expect(nearestName('abcd', ['abxxx'])).toBeUndefined();
    expect(nearestName('badc', ['abcd'])).toBe('abcd');
  });

  it('costs little, whatever the names are', () => {
    const startedMs = performance.now();
    const long = 'x'.repeat(4_000_000);
    expect(nearestName(long, ['json', `${long}y`])).toBeUndefined();
    expect(nearestName('json', [long, 'jso'])).toBe('jso');
    const near = Array.from({ length: 100_000 }, (_, index) => `${'x'.repeat(43)}${'y'.repeat(20)}${index % 10}`);
    for (let call = 0; call < 10; call++) nearestName('x'.repeat(64), near);
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });

  it('names nothing where nothing is close', () => {
    expect(nearestName('banana', ['json', 'timeout', 'root'])).toBeUndefined();
    expect(nearestName('json', [])).toBeUndefined();
  });
});
