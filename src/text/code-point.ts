/** What {@link codePointAt} answers for a byte that starts no UTF-8 sequence. */
export const invalidByte = -1;

/** The code point whose UTF-8 sequence starts at `index`, or {@link invalidByte}: strict, so no overlong form and no surrogate. */
export function codePointAt(bytes: Uint8Array, index: number): number {
  const first = bytes[index] ?? 0xff;
  if (first < 0x80) return first;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4) return invalidByte;
  let codePoint = first & (0x7f >> length);
  for (let offset = 1; offset < length; offset++) {
    const next = bytes[index + offset] ?? 0;
    if ((next & 0xc0) !== 0x80) return invalidByte;
    codePoint = (codePoint << 6) | (next & 0x3f);
  }
  const isShortest = codePoint >= (length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000);
  const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  return isShortest && !isSurrogate && codePoint <= 0x10ffff ? codePoint : invalidByte;
}

/** How many bytes an answer of {@link codePointAt} covers: those of the sequence, or the one invalid byte. */
export function codePointSize(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
