import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ByteLine,
  byteOrderMarkSize,
  countLineBreaks,
  countLines,
  createLineScanner,
  dominantEnding,
  eachLine,
  findTextEnd,
  lineAt,
} from './byte-lines.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Files in which endings, marks and bytes that are no UTF-8 are frequent. */
const file = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', '\n\r', '\ufeff', 'a', 'bc', '\u2028', '\u0085', '\f', '\v', '').map(encode),
      fc.uint8Array({ maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

function textsAndEndings(bytes: Uint8Array): string[][] {
  return [...eachLine(bytes)].map(({ start, textEnd, end }) => [
    decode(bytes.subarray(start, textEnd)),
    decode(bytes.subarray(textEnd, end)),
  ]);
}

describe('eachLine()', () => {
  it('ends a line at LF, CRLF and a lone CR, and keeps each ending apart', () => {
    expect(textsAndEndings(encode('a\r\nb\n\rc\rd'))).toEqual([
      ['a', '\r\n'],
      ['b', '\n'],
      ['', '\r'],
      ['c', '\r'],
      ['d', ''],
    ]);
  });

  it('ends a line at nothing else', () => {
    const text = 'a\vb\fc\u0085d\u2028e\u2029f';
    expect(textsAndEndings(encode(text))).toEqual([[text, '']]);
  });

  it('leaves a byte order mark out of line 1, and only at the start', () => {
    expect(textsAndEndings(encode('\ufeffa\n\ufeffb'))).toEqual([
      ['a', '\n'],
      ['\ufeffb', ''],
    ]);
    expect(textsAndEndings(encode('\ufeff'))).toEqual([]);
    expect(textsAndEndings(encode('\ufeff\n'))).toEqual([['', '\n']]);
  });

  it('loses and adds no byte of any file', () => {
    fc.assert(
      fc.property(file, (bytes) => {
        let expected = byteOrderMarkSize(bytes);
        for (const line of eachLine(bytes)) {
          expect(line).toEqual({ start: expected, textEnd: findTextEnd(bytes, expected), end: line.end });
          expect(decode(bytes.subarray(line.textEnd, line.end))).toMatch(/^(?:\r\n|\n|\r|)$/);
          expected = line.end;
        }
        expect(expected).toBe(bytes.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the lines a regular expression finds in text', () => {
    fc.assert(
      fc.property(file, (bytes) => {
        const body = new TextDecoder('latin1').decode(bytes.subarray(byteOrderMarkSize(bytes)));
        const expected = body.split(/\r\n|\r|\n/);
        if (expected.at(-1) === '') expected.pop();
        const found = [...eachLine(bytes)].map((line) =>
          new TextDecoder('latin1').decode(bytes.subarray(line.start, line.textEnd)),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('createLineScanner()', () => {
  it('finds the same lines in chunks of any size', () => {
    fc.assert(
      fc.property(file, fc.array(fc.nat({ max: 5 }), { maxLength: 60 }), (bytes, sizes) => {
        const scanner = createLineScanner();
        const found: ByteLine[] = [];
        let position = 0;
        for (const size of [...sizes, bytes.length]) {
          found.push(...scanner.push(bytes.subarray(position, position + size)));
          position = Math.min(position + size, bytes.length);
        }
        found.push(...scanner.finish());
        expect(found).toEqual([...eachLine(bytes)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds a line back while its CR may be half of a CRLF', () => {
    const scanner = createLineScanner();
    expect(scanner.push(encode('a\r'))).toEqual([]);
    expect(scanner.push(new Uint8Array())).toEqual([]);
    expect(scanner.push(encode('\nb'))).toEqual([{ start: 0, textEnd: 1, end: 3 }]);
    expect(scanner.finish()).toEqual([{ start: 3, textEnd: 4, end: 4 }]);
  });
});

describe('lineAt() and countLines()', () => {
  it('number lines from 1 and count no line after the last ending', () => {
    expect(countLines(encode(''))).toBe(0);
    expect(countLines(encode('\ufeff'))).toBe(0);
    expect(countLines(encode('a\nb'))).toBe(2);
    expect(countLines(encode('a\nb\n'))).toBe(2);
    expect(lineAt(encode('a\r\nb\n'), 2)).toEqual({ start: 3, textEnd: 4, end: 5 });
    expect(lineAt(encode('a\nb\n'), 3)).toBeUndefined();
    expect(lineAt(encode('a\n'), 0)).toBeUndefined();
  });

  it('agree with eachLine() on every file', () => {
    fc.assert(
      fc.property(file, (bytes) => {
        const lines = [...eachLine(bytes)];
        expect(countLines(bytes)).toBe(lines.length);
        expect(countLineBreaks(bytes)).toBe(lines.filter((line) => line.end > line.textEnd).length);
        for (const [index, line] of lines.entries()) {
          expect(lineAt(bytes, index + 1)).toEqual(line);
          expect(countLineBreaks(bytes, line.textEnd, line.end)).toBe(line.end > line.textEnd ? 1 : 0);
        }
        expect(lineAt(bytes, lines.length + 1)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('dominantEnding()', () => {
  it.each([
    ['', '\n'],
    ['a', '\n'],
    ['a\r\nb\r\nc\n', '\r\n'],
    ['a\rb\rc\n', '\r'],
    ['a\nb\r\n', '\n'],
    ['a\nb\r', '\n'],
    ['a\r\nb\r', '\r\n'],
    ['a\r\nb\rc\n', '\n'],
    ['\r\r\n\r', '\r'],
  ])('of %j is %j', (text, ending) => {
    expect(dominantEnding(encode(text))).toBe(ending);
  });
});
