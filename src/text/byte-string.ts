import { Buffer } from 'node:buffer';

/** The bytes as a text in which each character, U+0000 to U+00FF, stands for one: lines of any file can be compared. */
export function toByteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The bytes of such a text. */
export function fromByteString(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
