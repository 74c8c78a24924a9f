import fc from 'fast-check';

/** Bytes as text in which each character stands for one byte: for oracles that use strings. */
export function toByteString(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** The bytes of a text made by {@link toByteString}. */
export function fromByteString(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

/** UTF-8. */
export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The settings of a property: at least that many random cases, more where the check `fuzz` asks for them. */
export function atLeast(runs: number): { readonly numRuns: number } {
  return { numRuns: Math.max(runs, fc.readConfigureGlobal().numRuns ?? 0) };
}

const pieces = [
  ...['\n', '\r\n', '\r', '\n', '\r\n', '\n\n', '\r\r', '\n\r'],
  ...['a', 'b', 'ab', 'aab', 'é', '漢字', '🙂', '\u00a0', '\u2028', '\u0085', '\f', '\v', '"', '“', '$&', '\\'],
  ...[' ', '  ', '\t', '    x', '\ty', 'x  ', 'return 1'],
];

/** Text in which endings, blanks and repetitions are frequent. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'grapheme', maxLength: 4 })),
    {
      maxLength: 25,
    },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

/** A text without line breaks. */
export const anyLine: fc.Arbitrary<string> = anyText.map((text) => text.replaceAll(/[\r\n]/g, ''));

/** A file as edits meet them: text with or without a byte order mark, bytes that are no UTF-8, no NUL. */
export const anyFile: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof({ weight: 4, arbitrary: anyText.map(encode) }, fc.uint8Array({ min: 1, maxLength: 3 })), {
      maxLength: 4,
    }),
  )
  .map(([hasMark, parts]) =>
    Uint8Array.from([...(hasMark ? [0xef, 0xbb, 0xbf] : []), ...parts.flatMap((part) => [...part])]),
  )
  .filter((bytes) => !((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)));
