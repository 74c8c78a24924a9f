import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';

/** The refusal of bytes that are no text: where they go wrong, and what they seem to be. `head` is how they begin. */
export function notUtf8(path: RootPath, at: number, head: Uint8Array): Error {
  const encoding = findEncodingMark(head);
  const seems = encoding === undefined ? '' : `; its first bytes are a ${encoding} mark`;
  return fileError('NOT_UTF8', path, `it is not UTF-8, the first bad byte is byte ${at}${seems}`, {
    details: { byte: at, ...(encoding !== undefined && { encoding }) },
  });
}

/** Which UTF-16 or UTF-32 the bytes say they are, if they begin with such a mark. */
export function findEncodingMark(head: Uint8Array): string | undefined {
  return encodings.find(({ mark }) => mark.every((byte, index) => head[index] === byte))?.name;
}

// The longer marks first: the one of UTF-32 LE begins with that of UTF-16 LE.
const encodings = [
  { name: 'UTF-32 (little-endian)', mark: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-32 (big-endian)', mark: [0, 0, 0xfe, 0xff] },
  { name: 'UTF-16 (little-endian)', mark: [0xff, 0xfe] },
  { name: 'UTF-16 (big-endian)', mark: [0xfe, 0xff] },
] as const;
