import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import { closeQuietly, openFlags, type Syscalls } from './syscalls.ts';

/** A file of the host as it was read. */
export interface HostFile {
  /** Below what was named, with `/`; empty for a file that was named itself. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly device: string;
  readonly inode: string;
}

/**
 * Reads a regular file by one descriptor, following no link in its place.
 * @throws PortholeError `TREE_FULL` for one larger than `room`, `NOT_A_REGULAR_FILE`, `CHANGED_SINCE_READ`
 */
export function readHostFile(sys: Syscalls, at: string, shown: string, room: number): Omit<HostFile, 'path'> {
  const failed = { verb: 'copy', written: shown };
  let fd: number | undefined;
  try {
    fd = sys.open(at, openFlags.readByPath);
    const facts = sys.fstat(fd);
    if (!facts.isFile()) throw fileError('NOT_A_REGULAR_FILE', failed, 'it is not a regular file');
    const size = Number(facts.size);
    if (size > room) {
      const reason = `it has ${size} bytes, and the tree has room for ${room} more (limit treeBytes)`;
      throw fileError('TREE_FULL', failed, reason, { details: { size, room } });
    }
    const bytes = readToEnd(sys, fd, size);
    if (bytes === null) throw fileError('CHANGED_SINCE_READ', failed, 'it grew while it was copied');
    return { bytes, device: String(facts.dev), inode: String(facts.ino) };
  } catch (error) {
    if (isErrno(error, 'ELOOP')) throw fileError('NOT_A_REGULAR_FILE', failed, 'it is a symbolic link by now');
    throw fromSystemError(error, failed);
  } finally {
    if (fd !== undefined) closeQuietly(sys, fd);
  }
}

// Null for a file that holds more than it said.
function readToEnd(sys: Syscalls, fd: number, size: number): Uint8Array | null {
  // One byte more than it had; its own memory, since it is kept for long.
  const buffer = new Uint8Array(size + 1);
  for (let filled = 0; filled <= size; ) {
    const count = sys.read(fd, buffer, filled, buffer.length - filled, filled);
    if (count === 0) return buffer.subarray(0, filled);
    filled += count;
  }
  return null;
}
