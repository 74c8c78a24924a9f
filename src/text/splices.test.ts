import { describe, expect, it } from 'vitest';
import { applySplices, isOverlap } from './splices.ts';
import { encode, toByteString } from './testing/random-files.ts';

const splice = (start: number, end: number, text = '') => ({ start, end, bytes: encode(text) });

describe('applySplices()', () => {
  it('counts every place in the original, whatever the order', () => {
    const splices = [splice(4, 6, 'EF'), splice(0, 1, 'aaa'), splice(2, 3), splice(6, 6, '!')];
    expect(toByteString(applySplices(encode('abcdef'), splices))).toBe('aaabdEF!');
  });

  it('puts an empty place before what starts there', () => {
    const splices = [splice(1, 2, 'B'), splice(1, 1, '+')];
    expect(toByteString(applySplices(encode('abc'), splices))).toBe('a+Bc');
  });
});

describe('isOverlap()', () => {
  it.each([
    [splice(0, 2), splice(1, 3), true],
    [splice(0, 4), splice(1, 2), true],
    [splice(0, 4), splice(2, 2), true],
    [splice(1, 1), splice(1, 1), true],
    [splice(1, 2), splice(1, 2), true],
    [splice(0, 2), splice(2, 3), false],
    [splice(2, 2), splice(2, 3), false],
    [splice(0, 2), splice(2, 2), false],
  ])('of %o and %o is %s', (one, other, overlap) => {
    expect(isOverlap(one, other)).toBe(overlap);
    expect(isOverlap(other, one)).toBe(overlap);
  });
});
