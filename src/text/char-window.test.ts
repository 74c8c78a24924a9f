import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutWindow, type ReadBytes, type TextPosition, type WindowResult } from './char-window.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from './utf8.ts';

const origin: TextPosition = { chars: 0, bytes: 0 };

interface Ask {
  readonly offset?: number;
  readonly maxChars?: number | null;
  readonly from?: TextPosition;
  readonly maxBytes?: number;
  readonly size?: number;
  /** Most bytes of one read. */
  readonly step?: number;
}

function cut(bytes: Uint8Array, ask: Ask = {}): WindowResult {
  const { offset = 0, maxChars = null, from = origin, maxBytes = 1e9, size = bytes.length, step = 1e9 } = ask;
  return cutWindow({ read: readerOf(bytes, step), size, from, offset, maxChars, maxBytes });
}

function readerOf(bytes: Uint8Array, step: number): ReadBytes {
  return (target, position) => {
    const part = bytes.subarray(position, position + Math.min(step, target.length));
    target.set(part);
    return part.length;
  };
}

function textOf(result: WindowResult): string {
  if (result.kind !== 'window') throw new Error(`no window: ${result.kind}`);
  return decodeUtf8(result.bytes);
}

const text = fc.string({ unit: 'binary', maxLength: 200 }).map((given) => given.toWellFormed());
// Longer than one chunk, with code points of every length across its border.
const longText = 'aé漢👍\r\n'.repeat(30_000);

describe('cutWindow()', () => {
  it('cuts what slicing the code points gives, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(220),
        fc.option(fc.nat(220)),
        fc.integer({ min: 1, max: 50 }),
        (given, offset, maxChars, step) => {
          const points = [...given];
          const expected = points.slice(offset, maxChars === null ? undefined : offset + maxChars).join('');
          expect(textOf(cut(encodeUtf8(given), { offset, maxChars, step }))).toBe(expected);
        },
      ),
    );
  });

  it.each([1000, 65_536, 100_001])('joins windows of %i to the whole, each from where the last ended', (maxChars) => {
    const bytes = encodeUtf8(longText);
    let from = origin;
    let joined = '';
    for (;;) {
      const result = cut(bytes, { offset: from.chars, maxChars, from });
      joined += textOf(result);
      if (result.kind !== 'window' || result.isEnd || result.end.bytes === bytes.length) break;
      from = result.end;
    }
    expect(joined === longText).toBe(true);
  });

  it('starts anywhere in a long text', () => {
    expect(textOf(cut(encodeUtf8(longText), { offset: 150_000, maxChars: 6 }))).toBe('aé漢👍\r\n');
  });

  it('is empty at the end and behind it, and says where the end is', () => {
    const result = cut(encodeUtf8('aé'), { offset: 7 });
    expect(result).toMatchObject({ kind: 'window', start: { chars: 2, bytes: 3 }, end: { chars: 2 }, isEnd: true });
  });

  it('is empty when nothing is asked for', () => {
    expect(textOf(cut(encodeUtf8('abc'), { offset: 1, maxChars: 0 }))).toBe('');
  });

  it('does not look at what lies behind the window', () => {
    const bytes = concatBytes([encodeUtf8('aé漢'), Uint8Array.from([0x80, 0xff])]);
    expect(textOf(cut(bytes, { maxChars: 3 }))).toBe('aé漢');
  });

  it('says where bytes in the window or before it are not UTF-8', () => {
    const bytes = concatBytes([encodeUtf8('aé'), Uint8Array.from([0xff]), encodeUtf8('b'.repeat(10_000))]);
    expect(cut(bytes)).toEqual({ kind: 'invalid', at: 3 });
    expect(cut(bytes, { maxChars: 3 })).toEqual({ kind: 'invalid', at: 3 });
    expect(cut(bytes, { offset: 5000 })).toEqual({ kind: 'invalid', at: 3 });
  });

  it('finds a code point that the end of the file cuts off', () => {
    expect(cut(Uint8Array.from([0x61, 0xe6, 0xbc]))).toEqual({ kind: 'invalid', at: 1 });
  });

  it('refuses a window of more bytes than allowed, and takes one of just as many', () => {
    const bytes = encodeUtf8('é'.repeat(1000));
    expect(cut(bytes, { maxBytes: 1999 })).toEqual({ kind: 'too large' });
    expect(textOf(cut(bytes, { maxBytes: 2000 }))).toHaveLength(1000);
    expect(cut(encodeUtf8(longText), { maxBytes: 1000 })).toEqual({ kind: 'too large' });
    expect(textOf(cut(encodeUtf8(longText), { maxBytes: 1000, maxChars: 10 }))).toHaveLength(12);
  });

  it('goes on to the end of a file that grew, and stops at the end of one that shrank', () => {
    expect(textOf(cut(encodeUtf8('abcdef'), { size: 3 }))).toBe('abcdef');
    expect(textOf(cut(encodeUtf8('abc'), { size: 60 }))).toBe('abc');
  });
});
