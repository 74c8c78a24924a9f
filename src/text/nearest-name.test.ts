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

  it('names nothing where nothing is close', () => {
    expect(nearestName('banana', ['json', 'timeout', 'root'])).toBeUndefined();
    expect(nearestName('json', [])).toBeUndefined();
  });
});
