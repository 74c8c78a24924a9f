import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import type { RootPath } from './path-rules.ts';
import type { HeldDirectory } from './place.ts';
import { closeQuietly, type FileFacts, openFlags, type Syscalls } from './syscalls.ts';

/** One replacement. */
export interface Replacement {
  readonly directory: HeldDirectory;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file that is there; its mode and owner are kept. Null when the file is new. */
  readonly existing: FileFacts | null;
  readonly path: RootPath;
  /** Asked at the last moment; throws to keep what is there. */
  readonly proveUnchanged: () => void;
  /** A fresh name for the temporary file. */
  readonly temporaryName: () => string;
}

/**
 * Puts bytes in place so that at every moment, whatever fails, the name holds the old content or the new, whole.
 * The temporary lies in the same directory and is synced before it takes the name; a failure before that leaves
 * nothing behind. There is no fallback to writing in place.
 * @throws PortholeError `WRITE_NOT_DURABLE` when the new content is in place but the directory could not be synced
 */
export function replaceAtomically(sys: Syscalls, replacement: Replacement): void {
  const { directory, name, path, proveUnchanged } = replacement;
  const syncing = openForSync(sys, directory);
  try {
    const temporary = createTemporary(sys, replacement);
    try {
      fillTemporary(sys, temporary.fd, replacement);
      proveUnchanged();
      directory.prove(path);
      sys.rename(`${directory.path}/${temporary.name}`, `${directory.path}/${name}`);
    } catch (error) {
      removeQuietly(sys, `${directory.path}/${temporary.name}`);
      throw fromSystemError(error, path);
    }
    if (syncing !== null) syncEntries(sys, syncing, path);
  } finally {
    if (syncing !== null) closeQuietly(sys, syncing);
  }
}

// A directory that may be searched but not read cannot be synced; that is no reason not to write.
function openForSync(sys: Syscalls, directory: HeldDirectory): number | null {
  try {
    return sys.open(`${directory.path}/.`, openFlags.directoryForReading);
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

// Names are random; the second attempt is for luck that never comes, the third would be an attack.
const maxAttempts = 3;

function createTemporary(
  sys: Syscalls,
  { directory, existing, path, temporaryName }: Replacement,
): { readonly fd: number; readonly name: string } {
  // Never wider than the target: the target's bits follow once owner and group are right.
  const mode = existing === null ? 0o666 : 0o600;
  for (let attempt = 1; ; attempt++) {
    const name = temporaryName();
    try {
      return { name, fd: sys.open(`${directory.path}/${name}`, openFlags.createNew, mode) };
    } catch (error) {
      if (attempt === maxAttempts || !isErrno(error, 'EEXIST')) throw fromSystemError(error, path);
    }
  }
}

function fillTemporary(sys: Syscalls, fd: number, { directory, bytes, existing, path }: Replacement): void {
  let isOpen = true;
  try {
    directory.prove(path);
    writeAll(sys, fd, bytes, path);
    if (existing !== null) keepOwnerAndMode(sys, fd, existing);
    sys.fsync(fd);
    const { size } = sys.fstat(fd);
    if (size !== BigInt(bytes.length)) throw tookTooLittle(path, Number(size), bytes.length);
    isOpen = false;
    // Some file systems report a full disk only here.
    sys.close(fd);
  } finally {
    if (isOpen) closeQuietly(sys, fd);
  }
}

function writeAll(sys: Syscalls, fd: number, bytes: Uint8Array, path: RootPath): void {
  for (let at = 0; at < bytes.length; ) {
    const written = sys.write(fd, bytes, at, bytes.length - at);
    if (written <= 0) throw tookTooLittle(path, at, bytes.length);
    at += written;
  }
}

function tookTooLittle(path: RootPath, taken: number, of: number): Error {
  return fileError('IO_FAILED', path, `the disk took ${taken} of ${of} bytes`);
}

// Owner first: changing it may clear bits of the mode. Set-user and set-group bits are dropped, as the kernel does on
// any write: new content must not inherit a privilege that was given to the old.
function keepOwnerAndMode(sys: Syscalls, fd: number, existing: FileFacts): void {
  const wantedMode = Number(existing.mode) & 0o777;
  const hasGroup = keepOwner(sys, fd, existing);
  // In a foreign group, the group's bits may grant no more than everybody has.
  const groupMode = hasGroup ? wantedMode & 0o070 : wantedMode & 0o070 & ((wantedMode & 0o007) << 3);
  sys.fchmod(fd, (wantedMode & ~0o070) | groupMode);
}

// Answers whether the group is the old one. Giving files away takes privileges most processes do not have.
function keepOwner(sys: Syscalls, fd: number, existing: FileFacts): boolean {
  const created = sys.fstat(fd);
  if (created.uid === existing.uid && created.gid === existing.gid) return true;
  if (tryChown(sys, fd, existing.uid, existing.gid)) return true;
  return created.gid === existing.gid || tryChown(sys, fd, created.uid, existing.gid);
}

function tryChown(sys: Syscalls, fd: number, uid: bigint, gid: bigint): boolean {
  try {
    sys.fchown(fd, Number(uid), Number(gid));
    return true;
  } catch (error) {
    if (isErrno(error, 'EPERM', 'EINVAL')) return false;
    throw error;
  }
}

/** Puts a directory's entries on the disk, where the process may. @throws PortholeError `WRITE_NOT_DURABLE` */
export function syncDirectory(sys: Syscalls, directory: HeldDirectory, path: RootPath): void {
  const fd = openForSync(sys, directory);
  if (fd === null) return;
  try {
    syncEntries(sys, fd, path);
  } finally {
    closeQuietly(sys, fd);
  }
}

function syncEntries(sys: Syscalls, fd: number, path: RootPath): void {
  try {
    sys.fsync(fd);
  } catch (error) {
    // Some file systems cannot sync a directory and need no sync.
    if (isErrno(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EACCES')) return;
    throw fileError('WRITE_NOT_DURABLE', path, 'it was written, but the disk did not confirm it', { cause: error });
  }
}

function removeQuietly(sys: Syscalls, path: string): void {
  try {
    sys.unlink(path);
  } catch {
    // The failure being reported is the one that counts; the leftover has a name that tells what it is.
  }
}
