import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { renderSize } from '../contract/render-size.ts';
import { errnoName, isErrno } from './errno.ts';

/** The most that is taken from a file or stream of the operator's; a device has no end. As much as any input may have. */
export const maxOperatorBytes = 512 * 1024 * 1024;

/**
 * Reads a file that the operator named, or one of the package's own: outside every sandbox root, not confined.
 * @throws what the file system throws, and an error with the code `EFBIG` beyond `maxBytes`
 */
export function readOperatorFileUnchecked(path: string | URL, maxBytes: number = maxOperatorBytes): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Uint8Array[] = [];
    for (let total = 0; ; ) {
      const chunk = new Uint8Array(chunkBytes);
      const count = readSync(descriptor, chunk);
      if (count === 0) return Buffer.concat(chunks, total);
      total += count;
      if (total > maxBytes) throw Object.assign(new Error(`more than ${renderSize(maxBytes)}`), { code: 'EFBIG' });
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

// Larger than the package's own files, which are read at every start: one read and one that finds the end.
const chunkBytes = 1024 * 1024;

/** Why a file of the operator's could not be read, in words. */
export function whyUnreadable(error: unknown): string {
  if (isErrno(error, 'EFBIG') && error instanceof Error) return `it holds ${error.message}`;
  return reasons.get(errnoName(error)) ?? (error instanceof Error ? error.message : String(error));
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a component of the path is not a directory'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'the operating system refuses'],
]);

/** Whether there is anything at a path of the operator's. */
export function operatorPathExists(path: string): boolean {
  return existsSync(path);
}
