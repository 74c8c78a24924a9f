import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createControlByteSearch } from './control-bytes.ts';

describe('createControlByteSearch()', () => {
  it('finds what looking at each byte finds, wherever the bytes lie in their buffer', () => {
    const byte = fc.oneof(fc.constantFrom(0, 9, 10, 13, 14, 127, 128, 255), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), fc.nat(7), fc.nat(7), fc.nat(45), fc.nat(45), (...drawn) => {
        const [values, before, after, from, end] = drawn;
        const buffer = Uint8Array.from([...Array(before).fill(10), ...values, ...Array(after).fill(10)]);
        const bytes = buffer.subarray(before, before + values.length);
        const to = Math.min(end, bytes.length);
        const found = bytes.findIndex((value, index) => index >= from && index < to && value < 14);
        const wanted = found === -1 ? to : found;
        if (from <= to) expect(createControlByteSearch(bytes)(from, to)).toBe(wanted);
      }),
      { numRuns: 2000 },
    );
  });

  it('passes a long text without stopping', () => {
    const bytes = new Uint8Array(100_003).fill(0xc3);
    expect(createControlByteSearch(bytes)(1, bytes.length)).toBe(bytes.length);
    bytes[99_998] = 13;
    expect(createControlByteSearch(bytes.subarray(3))(0, 100_000)).toBe(99_995);
  });
});
