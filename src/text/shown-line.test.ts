import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteLine, quoteText, renderPageLine } from './shown-line.ts';

const encode = (text: string) => new TextEncoder().encode(text);

describe('quoteText()', () => {
  it.each([
    ['plain é 漢 🙂', '"plain é 漢 🙂"'],
    ['\ta "b" c\\d\r\n', '"\\ta \\"b\\" c\\\\d\\r\\n"'],
    ['\u0000\u001b[31m\u007f\u0085', '"\\u{0}\\u{1b}[31m\\u{7f}\\u{85}"'],
    ['a\u202eb\u2066c\u200fd\u061c', '"a\\u{202e}b\\u{2066}c\\u{200f}d\\u{61c}"'],
    ['a\u2028b', '"a\\u{2028}b"'],
    ['', '""'],
  ])('shows %j as %s', (text, shown) => {
    expect(quoteText(text)).toBe(shown);
  });

  it('cuts at 200 code points, counted before escaping', () => {
    expect(quoteText('🙂'.repeat(200))).toBe(`"${'🙂'.repeat(200)}"`);
    expect(quoteText('🙂'.repeat(201))).toBe(`"${'🙂'.repeat(200)}…"`);
    expect(quoteText('\t'.repeat(201))).toBe(`"${'\\t'.repeat(200)}…"`);
  });

  it('escapes what cannot be seen only where lines are compared', () => {
    expect(quoteText('a\u00a0b\u200bc\ufeffd')).toBe('"a\u00a0b\u200bc\ufeffd"');
    expect(quoteText('a\u00a0b\u200bc\ufeffd e', { escapeInvisible: true })).toBe('"a\\u{a0}b\\u{200b}c\\u{feff}d e"');
  });
});

describe('quoteLine()', () => {
  it('shows bytes that are no UTF-8 one by one', () => {
    expect(quoteLine(Uint8Array.from([0x63, 0x61, 0xe9, 0x0a, 0xed, 0xa0, 0x80]))).toBe('"ca\\xE9\\n\\xED\\xA0\\x80"');
    expect(quoteLine(Uint8Array.from([0x5c, 0x78, 0x45, 0x39]))).toBe('"\\\\xE9"');
  });

  it('shows different short lines differently', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }), (one, other) => {
        const isSame = one.length === other.length && one.every((byte, index) => byte === other[index]);
        expect(quoteLine(one) === quoteLine(other)).toBe(isSame);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('renderPageLine()', () => {
  it('leaves tabs, quotes and backslashes alone and escapes control characters', () => {
    expect(renderPageLine(encode('\t"a\\b"\u001b\u202e'))).toEqual({
      text: '\t"a\\b"\\u{1b}\\u{202e}',
      hasInvalidBytes: false,
    });
  });

  it('shows bytes that are no UTF-8 and says so', () => {
    expect(renderPageLine(Uint8Array.from([0x63, 0xe9]))).toEqual({ text: 'c\\xE9', hasInvalidBytes: true });
  });

  it('cuts a line over 2,000 code points and counts the rest', () => {
    expect(renderPageLine(encode('é'.repeat(2000))).text).toBe('é'.repeat(2000));
    expect(renderPageLine(encode('é'.repeat(2003))).text).toBe(`${'é'.repeat(2000)}… (+3 chars)`);
  });
});
