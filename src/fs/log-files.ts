import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, renameSync, unlinkSync } from 'node:fs';
import { isErrno } from './errno.ts';

/** The end of a log file. */
export interface LogTail {
  /** The last whole line, without its line feed; undefined in a file without one. */
  readonly lastLine: string | undefined;
  /** Bytes behind the last line feed: a line whose writer was killed. */
  readonly tornBytes: number;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

// Never through a link, never waiting for a pipe's other end.
const logFlags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Opens a log file for appending, private to its owner. */
export function openLogFile(path: string): number {
  const descriptor = openSync(path, logFlags, 0o600);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if ((stat.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Moves every file one number up, the current one to 1, drops the oldest, and opens a new current one. */
export function rotateLogFiles(path: string, maxFiles: number): number {
  // The new file first: on a full disk this fails, and then nothing has moved.
  const fresh = `${path}.new`;
  removeIfThere(fresh);
  const descriptor = openSync(fresh, logFlags | O_EXCL, 0o600);
  try {
    for (let number = maxFiles - 2; number >= 1; number--) renameIfThere(`${path}.${number}`, `${path}.${number + 1}`);
    renameSync(path, `${path}.1`);
    renameSync(fresh, path);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The files a log may consist of, oldest first, the current one last. */
export function logFileNames(path: string, maxFiles = 5): readonly string[] {
  const older = Array.from({ length: maxFiles - 1 }, (_, index) => `${path}.${maxFiles - 1 - index}`);
  return [...older, path];
}

const firstChunkBytes = 4096;

/** Finds the last whole line and what stands behind it, reading no more than needed from the end. */
export function readLogTail(descriptor: number): LogTail {
  const { size } = fstatSync(descriptor);
  for (let length = Math.min(firstChunkBytes, size); ; length = Math.min(length * 4, size)) {
    const bytes = Buffer.alloc(length);
    readFully(descriptor, bytes, size - length);
    const end = bytes.lastIndexOf(0x0a);
    const start = end === -1 ? -1 : bytes.lastIndexOf(0x0a, end - 1);
    if ((end > 0 && start !== -1) || length === size) {
      const lastLine = end === -1 ? undefined : bytes.subarray(end === 0 ? 0 : start + 1, end).toString('utf8');
      return { lastLine, tornBytes: length - end - 1 };
    }
  }
}

function readFully(descriptor: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(descriptor, bytes, { offset: done, length: bytes.length - done, position: position + done });
    if (count === 0) throw new Error('it shrank while it was read');
    done += count;
  }
}

function renameIfThere(from: string, to: string): void {
  ignoreMissing(() => renameSync(from, to));
}

function removeIfThere(path: string): void {
  ignoreMissing(() => unlinkSync(path));
}

function ignoreMissing(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
