import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concatBytes,
  countCodePoints,
  decodeUtf8,
  encodeUtf8,
  endOfCodePoints,
  equalBytes,
  findInvalidUtf8,
  incompleteTail,
  indexOfCodePoint,
  isWellFormed,
  utf8Length,
} from './utf8.ts';

const text = fc.string({ unit: 'binary', maxLength: 3000 });
// Mostly bytes that begin or continue something, so that near misses are common.
const nearlyText = fc
  .array(fc.constantFrom(0x61, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xef, 0xf0, 0x90, 0xf4, 0x8f, 0xf5), {
    maxLength: 40,
  })
  .map((bytes) => Uint8Array.from(bytes));

// The longest prefix that a strict decoder takes, a code point that is cut off not counted.
function firstBadByOracle(bytes: Uint8Array): number {
  const isText = (part: Uint8Array) => {
    try {
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part);
      return true;
    } catch {
      return false;
    }
  };
  if (isText(bytes)) return -1;
  let longest = 0;
  for (let end = 1; end <= bytes.length; end++) if (isText(bytes.subarray(0, end))) longest = end;
  return longest;
}

describe('findInvalidUtf8()', () => {
  it('says where a strict decoder stops', () => {
    fc.assert(
      fc.property(nearlyText, (bytes) => {
        expect(findInvalidUtf8(bytes)).toBe(firstBadByOracle(bytes));
      }),
    );
  });

  it('says so behind many blocks of text as well', () => {
    fc.assert(
      fc.property(text, nearlyText, (before, bytes) => {
        const start = encodeUtf8(before.toWellFormed().repeat(3));
        const found = findInvalidUtf8(concatBytes([start, bytes]));
        const expected = firstBadByOracle(bytes);
        expect(found).toBe(expected < 0 ? -1 : start.length + expected);
      }),
    );
  });

  it.each([
    ['an overlong slash', [0xc0, 0xaf], 0],
    ['an overlong slash in three bytes', [0x61, 0xe0, 0x80, 0xaf], 1],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], 0],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80], 0],
    ['a lone continuation', [0x61, 0x80], 1],
    ['a cut code point', [0x61, 0xf0, 0x9f, 0x91], 1],
  ])('finds %s', (_, bytes, at) => {
    expect(findInvalidUtf8(Uint8Array.from(bytes))).toBe(at);
  });
});

describe('code points', () => {
  it('are counted as a string iterator counts them', () => {
    fc.assert(
      fc.property(text, fc.nat(3), (given, shift) => {
        const wellFormed = given.toWellFormed();
        // Shifted, so that the words that are counted at a time begin anywhere.
        const bytes = encodeUtf8('x'.repeat(shift) + wellFormed).subarray(shift);
        expect(countCodePoints(bytes)).toBe([...wellFormed].length);
      }),
    );
  });

  it('are counted right when every byte of a long text continues or begins one', () => {
    expect(countCodePoints(encodeUtf8('👍'.repeat(100_000)))).toBe(100_000);
    expect(countCodePoints(encodeUtf8('é'.repeat(100_001)))).toBe(100_001);
  });

  it('are found where a string iterator finds them', () => {
    fc.assert(
      fc.property(text, fc.nat(4000), (given, index) => {
        const points = [...given.toWellFormed()];
        const bytes = encodeUtf8(points.join(''));
        expect(indexOfCodePoint(bytes, index)).toBe(utf8Length(points.slice(0, index).join('')));
        expect(endOfCodePoints(bytes, index)).toBe(utf8Length(points.slice(0, index).join('')));
      }),
    );
  });

  it('end before a stray byte that belongs to none', () => {
    expect(endOfCodePoints(Uint8Array.from([0x61, 0x80, 0x62]), 1)).toBe(1);
  });
});

describe('incompleteTail()', () => {
  it('is what a cut leaves of a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (given) => {
        const last = encodeUtf8([...given.toWellFormed()].at(-1) ?? '');
        for (let kept = 1; kept < last.length; kept++) {
          expect(incompleteTail(concatBytes([encodeUtf8('a'), last.subarray(0, kept)]))).toBe(kept);
        }
        expect(incompleteTail(last)).toBe(0);
      }),
    );
  });

  it('leaves bytes that can begin nothing to the check', () => {
    expect(incompleteTail(Uint8Array.from([0x61, 0xff]))).toBe(0);
    expect(incompleteTail(Uint8Array.from([0x80, 0x80, 0x80, 0x80]))).toBe(0);
  });
});

describe('text and bytes', () => {
  it('come back as they were, a BOM and NUL included', () => {
    fc.assert(
      fc.property(text, (given) => {
        const whole = `\ufeff${given.toWellFormed()}\0`;
        expect(decodeUtf8(encodeUtf8(whole))).toBe(whole);
      }),
    );
  });

  it('are compared byte by byte', () => {
    expect(equalBytes(encodeUtf8('abc'), encodeUtf8('xabc').subarray(1))).toBe(true);
    expect(equalBytes(encodeUtf8('abc'), encodeUtf8('abd'))).toBe(false);
    expect(equalBytes(encodeUtf8('abc'), encodeUtf8('ab'))).toBe(false);
  });

  it('have no form where a surrogate stands alone', () => {
    expect(isWellFormed('a👍')).toBe(true);
    expect(isWellFormed('a\ud83d')).toBe(false);
  });
});
