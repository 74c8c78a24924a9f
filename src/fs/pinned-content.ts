import { equalBytes } from '../text/utf8.ts';
import { fileError, fromSystemError } from './file-error.ts';
import type { RootPath } from './path-rules.ts';
import type { PinnedLeaf } from './place.ts';
import type { ExistingFile } from './port.ts';
import { closeQuietly, type FileFacts, identityOf, isSameInode, type Syscalls } from './syscalls.ts';

/** The state of a file that is about to be replaced. */
export function describeExisting(sys: Syscalls, leaf: PinnedLeaf, path: RootPath): ExistingFile {
  const size = Number(leaf.facts.size);
  return {
    size,
    isExecutable: (leaf.facts.mode & 0o111n) !== 0n,
    identity: identityOf(leaf.facts),
    readAll: (maxBytes) => {
      if (size <= maxBytes) return readPinned(sys, leaf, path);
      throw fileError('FILE_TOO_LARGE', path, `it has ${size} bytes, and ${maxBytes} is the most for one call`, {
        details: { size, maxBytes },
      });
    },
  };
}

/** Where to look once more, and what the caller worked from. */
export interface LastLook {
  /** A path of the file's name for the operating system. */
  readonly at: string;
  readonly before: Uint8Array | undefined;
}

/**
 * Compares a file with what it was when it was pinned: the bytes that were read, or its identity where none were; and
 * as the last thing, that the name still leads to the same inode with the same mode. Answers with what it found.
 * @throws PortholeError `CHANGED_SINCE_READ`
 */
export function proveUnchanged(
  sys: Syscalls,
  leaf: PinnedLeaf | null,
  { at, before }: LastLook,
  path: RootPath,
): FileFacts | null {
  if (leaf !== null && before !== undefined && !holds(sys, leaf, before, path)) throw changed(path);
  const now = sys.lstatIfExists(at);
  if (leaf === null || now === null) {
    if (leaf !== null || now !== null) throw changed(path);
    return null;
  }
  if (!isSameInode(now, leaf.facts) || now.mode !== leaf.facts.mode) throw changed(path);
  if (before === undefined && identityOf(now) !== identityOf(leaf.facts)) throw changed(path);
  return now;
}

function readPinned(sys: Syscalls, leaf: PinnedLeaf, path: RootPath): Uint8Array {
  try {
    const fd = leaf.open('read', path);
    try {
      // One byte more than it had: a file that grew meanwhile is not the file that was opened.
      const buffer = new Uint8Array(Number(leaf.facts.size) + 1);
      let filled = 0;
      while (filled < buffer.length) {
        const count = sys.read(fd, buffer, filled, buffer.length - filled, filled);
        if (count === 0) return buffer.subarray(0, filled);
        filled += count;
      }
      throw changed(path);
    } finally {
      closeQuietly(sys, fd);
    }
  } catch (error) {
    throw fromSystemError(error, path);
  }
}

// Compared in pieces: a second copy of the whole would cost more than reading it.
const chunkBytes = 64 * 1024;

function holds(sys: Syscalls, leaf: PinnedLeaf, bytes: Uint8Array, path: RootPath): boolean {
  const fd = leaf.open('read', path);
  try {
    const buffer = new Uint8Array(Math.min(chunkBytes, bytes.length + 1));
    for (let at = 0; ; ) {
      const count = sys.read(fd, buffer, 0, buffer.length, at);
      if (count === 0) return at === bytes.length;
      if (!equalBytes(buffer.subarray(0, count), bytes.subarray(at, at + count))) return false;
      at += count;
    }
  } finally {
    closeQuietly(sys, fd);
  }
}

function changed(path: RootPath): Error {
  return fileError('CHANGED_SINCE_READ', path, 'the file is not what was read, and nothing was written');
}
