import { decodeUtf8, encodeUtf8 } from './utf8.ts';

const digits = encodeUtf8('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~');

// What git puts on one line: its length letter counts to 26 in capitals and on to 52 in small letters.
const bytesPerLine = 52;

/** Bytes as the lines of a git binary patch: a letter for their count, then five characters for every four bytes. */
export function renderBase85Lines(bytes: Uint8Array): string {
  const lines = Math.ceil(bytes.length / bytesPerLine);
  // Filled in place: a binary file of many megabytes would be millions of little strings.
  const text = new Uint8Array(lines * 2 + Math.ceil(bytes.length / 4) * 5);
  let end = 0;
  for (let start = 0; start < bytes.length; start += bytesPerLine) {
    const stop = Math.min(start + bytesPerLine, bytes.length);
    text[end++] = lengthLetter(stop - start);
    for (let at = start; at < stop; at += 4, end += 5) putWord(text, end, wordAt(bytes, at));
    text[end++] = 0x0a;
  }
  return decodeUtf8(text);
}

function lengthLetter(length: number): number {
  return length <= 26 ? 0x40 + length : 0x60 + length - 26;
}

// Four bytes as one number, zeros behind the end.
function wordAt(bytes: Uint8Array, at: number): number {
  const low = ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  return (bytes[at] ?? 0) * 0x1000000 + low;
}

// Five digits to the base 85, the highest first.
function putWord(text: Uint8Array, start: number, word: number): void {
  let left = word;
  for (let at = start + 4; at >= start; at--) {
    text[at] = digits[left % 85] ?? 0;
    left = Math.floor(left / 85);
  }
}
