import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareByBytes } from './byte-order.ts';

describe('compareByBytes()', () => {
  it.each([
    ['a', 'b'],
    ['a', 'a/b'],
    ['a-b', 'a/b'],
    ['', 'a'],
    ['z', 'é'],
    ['\uffff', '\u{10000}'],
    ['\ue000', '😀'],
  ])('puts %j before %j', (one, other) => {
    expect(compareByBytes(one, other)).toBeLessThan(0);
    expect(compareByBytes(other, one)).toBeGreaterThan(0);
  });

  it('agrees with the bytes of any two texts', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '\u{10ffff}'),
      maxLength: 4,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(Math.sign(compareByBytes(one, other))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
      }),
    );
  });
});
