import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findOccurrences } from './occurrences.ts';
import { anyFile, anyText, atLeast, encode, toByteString } from './testing/random-files.ts';

/** The same answers by simple means: endings made equal, then every position tried. */
function tryEveryPosition(bytes: Uint8Array, find: Uint8Array) {
  const file = toByteString(bytes).replaceAll(/\r\n|\r/g, '\n');
  const text = toByteString(find).replaceAll(/\r\n|\r/g, '\n');
  const places: number[] = [];
  for (let at = file.indexOf(text); at !== -1; at = file.indexOf(text, at + 1)) places.push(at);
  const lines = [...new Set(places.map((at) => file.slice(0, at).split('\n').length))];
  return { count: places.length, lineCount: lines.length, lines: lines.slice(0, 5) };
}

describe('findOccurrences()', () => {
  it.each([
    ['aaa', 'aa', 2],
    ['abab ab', 'ab', 3],
    ['a\r\nb\r\n', '\n', 2],
    ['a\r\nb\r\n', '\r', 2],
    ['a\r\nb\rc\nd', '\r\n', 3],
    ['a\r\nb', 'a\nb', 1],
    ['a\r\n\r\nb', 'a\n\rb', 1],
    ['a\r\nb', 'a\n\rb', 0],
    ['\r\n\r\n\r\n', '\n\n', 2],
    ['\ufeffa', '\ufeffa', 1],
    ['é', 'e\u0301', 0],
    ['a', 'ab', 0],
    ['', 'a', 0],
  ])('in %j, %j occurs %d times', (file, find, count) => {
    expect(findOccurrences(encode(file), encode(find)).count).toBe(count);
  });

  it('gives the bytes of the first one, whole endings included', () => {
    expect(findOccurrences(encode('a\r\nb\r\nc'), encode('\nb\n')).first).toEqual({ start: 1, end: 6 });
    expect(findOccurrences(encode('a\rb'), encode('\r\n')).first).toEqual({ start: 1, end: 2 });
  });

  it('finds what trying every position finds', () => {
    fc.assert(
      fc.property(anyFile, anyText, fc.nat(), fc.nat(), (file, other, from, size) => {
        // A piece of the file itself, often with a beginning that occurs again.
        const piece = file.slice(from % (file.length + 1)).slice(0, 1 + (size % 12));
        for (const find of [piece, encode(other).slice(0, 6)]) {
          if (find.length === 0) continue;
          const { first, ...counts } = findOccurrences(file, find);
          expect(counts).toEqual(tryEveryPosition(file, find));
          if (first === undefined) continue;
          const before = toByteString(file.subarray(0, first.start)).replaceAll(/\r\n|\r/g, '\n');
          const found = toByteString(file.subarray(first.start, first.end)).replaceAll(/\r\n|\r/g, '\n');
          expect(found).toBe(toByteString(find).replaceAll(/\r\n|\r/g, '\n'));
          const whole = toByteString(file).replaceAll(/\r\n|\r/g, '\n');
          expect(whole.indexOf(found)).toBe(before.length);
          expect(before.endsWith('\r')).toBe(false);
        }
      }),
      atLeast(1500),
    );
  });

  it('takes no longer for repetitions that invite trying again', () => {
    const file = encode('a'.repeat(1024 * 1024));
    const find = encode(`b${'a'.repeat(512 * 1024)}`);
    const started = performance.now();
    expect(findOccurrences(file, find).count).toBe(0);
    expect(findOccurrences(file, encode('a'.repeat(512 * 1024))).count).toBe(512 * 1024 + 1);
    // About 10 ms; trying every position would take minutes.
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
