import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSameAtEnd, countSameAtStart } from './same-bytes.ts';
import { atLeast, encode } from './testing/random-files.ts';

describe('countSameAtStart() and countSameAtEnd()', () => {
  it('count across pieces of any size', () => {
    const size = fc.nat({ max: 9000 });
    fc.assert(
      fc.property(size, size, fc.constantFrom('', 'x', 'xy'), (before, behind, middle) => {
        const one = encode(`${'a'.repeat(before)}1${'b'.repeat(behind)}`);
        const other = encode(`${'a'.repeat(before)}${middle}2${'b'.repeat(behind)}`);
        expect(countSameAtStart(one, other)).toBe(before);
        expect(countSameAtEnd(one, other)).toBe(behind);
        expect(countSameAtStart(one, one)).toBe(one.length);
        expect(countSameAtEnd(one, one)).toBe(one.length);
      }),
      atLeast(300),
    );
  });
});
