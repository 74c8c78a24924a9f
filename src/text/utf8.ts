import { Buffer, isAscii, isUtf8 } from 'node:buffer';

/** True if the string has a UTF-8 form: no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Bytes of the string in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}

/** The string's UTF-8 bytes, exactly; the caller has checked that it is well formed. */
export function encodeUtf8(text: string): Uint8Array {
  return Buffer.from(text);
}

/** The text of bytes that were checked, a BOM included. */
export function decodeUtf8(bytes: Uint8Array): string {
  return view(bytes).toString();
}

/** True for bytes that are UTF-8 throughout. */
export function isUtf8Throughout(bytes: Uint8Array): boolean {
  return isUtf8(bytes);
}

/** True if both hold the same bytes. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && view(one).equals(other);
}

/** Where the first NUL byte stands, or -1. */
export function findNul(bytes: Uint8Array): number {
  return view(bytes).indexOf(0);
}

/** Joins byte strings. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/**
 * Where the first ill-formed sequence starts, or -1. It follows the table of well-formed sequences in the Unicode
 * standard (3.9, table 3-7): overlong forms, surrogates and everything past U+10FFFF are ill-formed.
 */
export function findInvalidUtf8(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return -1;
  let at = skipValidBlocks(bytes);
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** How many bytes at the end begin a code point without ending it: what a chunk must leave to the next one. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return leadLength(byte) > back ? back : 0;
  }
  return 0;
}

// A byte that never begins a code point.
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many code points the bytes hold; they are UTF-8. */
export function countCodePoints(bytes: Uint8Array): number {
  return isAscii(bytes) ? bytes.length : bytes.length - countContinuations(bytes);
}

/** Where code point number `count` starts, counted from 0; the length if there are not more. The bytes are UTF-8. */
export function indexOfCodePoint(bytes: Uint8Array, count: number): number {
  let left = count;
  let at = 0;
  // Blocks keep the slow byte loop short: at most one block is walked byte by byte.
  while (at + blockBytes <= bytes.length) {
    const inBlock = countCodePoints(bytes.subarray(at, at + blockBytes));
    if (inBlock > left) break;
    left -= inBlock;
    at += blockBytes;
  }
  for (; at < bytes.length; at++) {
    if (!isContinuation(bytes[at] ?? 0) && left-- === 0) return at;
  }
  return bytes.length;
}

/**
 * Where the first `count` code points end; the length if there are not more. For bytes that are not checked yet: if
 * they are ill-formed before that end, then the part up to it is ill-formed as well, so checking that part suffices.
 */
export function endOfCodePoints(bytes: Uint8Array, count: number): number {
  if (count === 0) return 0;
  const last = indexOfCodePoint(bytes, count - 1);
  return Math.min(last + Math.max(leadLength(bytes[last] ?? 0), 1), bytes.length);
}

// Small enough to walk, large enough that counting it in one go pays.
const blockBytes = 1024;

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

// Four bytes at a time: a continuation byte has bit 7 set and bit 6 clear. Each lane of `lanes` counts up to 255.
function countContinuations(bytes: Uint8Array): number {
  let total = 0;
  let at = 0;
  const toAligned = Math.min(-bytes.byteOffset & 3, bytes.length);
  for (; at < toAligned; at++) if (isContinuation(bytes[at] ?? 0)) total++;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (bytes.length - at) >>> 2);
  for (let start = 0; start < words.length; start += 255) {
    const end = Math.min(start + 255, words.length);
    let lanes = 0;
    for (let index = start; index < end; index++) {
      const word = words[index] ?? 0;
      lanes += (word >>> 7) & (~word >>> 6) & 0x01010101;
    }
    const pairs = (lanes & 0x00ff00ff) + ((lanes >>> 8) & 0x00ff00ff);
    total += (pairs & 0xffff) + (pairs >>> 16);
  }
  at += words.length * 4;
  for (; at < bytes.length; at++) if (isContinuation(bytes[at] ?? 0)) total++;
  return total;
}

function skipValidBlocks(bytes: Uint8Array): number {
  let at = 0;
  while (at + blockBytes < bytes.length) {
    const block = bytes.subarray(at, at + blockBytes);
    const whole = blockBytes - incompleteTail(block);
    if (!isUtf8(block.subarray(0, whole))) break;
    at += whole;
  }
  return at;
}

function leadLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc2) return 0;
  if (byte < 0xe0) return 2;
  if (byte < 0xf0) return 3;
  return byte < 0xf5 ? 4 : 0;
}

// The length of the well-formed sequence at `at`, or 0.
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = leadLength(lead);
  for (let index = 1; index < length; index++) {
    if (!isContinuation(bytes[at + index] ?? 0)) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  const overlong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90);
  const beyond = (lead === 0xed && second > 0x9f) || (lead === 0xf4 && second > 0x8f);
  return overlong || beyond ? 0 : length;
}
