import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointAt, codePointSize, invalidByte } from './code-point.ts';

describe('codePointAt()', () => {
  it('reads every code point back from its bytes', () => {
    const bytes = new Uint8Array(4);
    const encoder = new TextEncoder();
    const wrong: number[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      if (codePoint === 0xd800) codePoint = 0xe000;
      const { written } = encoder.encodeInto(String.fromCodePoint(codePoint), bytes);
      if (codePointAt(bytes, 0) !== codePoint || codePointSize(codePoint) !== written) wrong.push(codePoint);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['a continuation byte alone', [0x80]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a byte no sequence starts with', [0xf5, 0x80, 0x80, 0x80]],
    ['a sequence that is cut', [0xe2, 0x82]],
    ['nothing', []],
  ])('refuses %s', (_, bytes) => {
    expect(codePointAt(Uint8Array.from(bytes), 0)).toBe(invalidByte);
  });

  it('accepts exactly the bytes that Node takes for UTF-8', () => {
    const byte = fc.oneof(
      fc.constantFrom(0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4),
      fc.nat(255),
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.array(byte, { minLength: 1, maxLength: 4 }),
        (any, likely) => {
          for (const bytes of [any, Uint8Array.from(likely)]) {
            let index = 0;
            let isValid = true;
            while (index < bytes.length && isValid) {
              const codePoint = codePointAt(bytes, index);
              isValid = codePoint !== invalidByte;
              index += codePointSize(codePoint);
            }
            expect(isValid).toBe(isUtf8(bytes));
          }
        },
      ),
      { numRuns: 5000 },
    );
  });
});
