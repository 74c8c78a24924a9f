import { PortholeError } from '../contract/errors.ts';
import { isErrno } from './errno.ts';
import type { HeldDirectory, PinnedLeaf } from './place.ts';
import { closeQuietly, isSameInode, openFlags, type Syscalls } from './syscalls.ts';

/** A descriptor with an owner. */
export interface HeldDescriptor {
  /** @throws PortholeError `RUNTIME_CLOSED` after it was closed: the number may be somebody else's by now */
  readonly fd: () => number;
  /** May be called again. */
  readonly close: () => void;
}

/** Makes an owner for a descriptor that was just opened. */
export function holdDescriptor(sys: Syscalls, opened: number): HeldDescriptor {
  let current: number | null = opened;
  return {
    fd: () => {
      if (current === null) throw new PortholeError('RUNTIME_CLOSED', 'Cannot use a file: it was closed');
      return current;
    },
    close: () => {
      if (current === null) return;
      const closing = current;
      // Forgotten first: a second close of a number could close what somebody else opened meanwhile.
      current = null;
      closeQuietly(sys, closing);
    },
  };
}

/**
 * A directory held by descriptor. Names are opened inside it through `/proc/self/fd`, so renaming or replacing
 * anything on the way to it changes nothing; each name must be one segment that passed the path rules.
 */
export function directoryByDescriptor(sys: Syscalls, held: HeldDescriptor): HeldDirectory {
  const path = entry(held.fd());
  // Asking for the descriptor each time refuses every use after closing.
  const inside = (name: string) => `${entry(held.fd())}/${name}`;
  return {
    path,
    realPath: () => sys.readlink(entry(held.fd())),
    facts: () => sys.fstat(held.fd()),
    openDirectory: (name) => {
      try {
        return directoryByDescriptor(sys, holdDescriptor(sys, sys.open(inside(name), openFlags.pinDirectory)));
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return 'missing';
        // With O_DIRECTORY, a link that is not followed is "not a directory"; some kernels say ELOOP.
        if (isErrno(error, 'ENOTDIR', 'ELOOP') && sys.lstat(inside(name)).isSymbolicLink()) return 'link';
        throw error;
      }
    },
    pin: (name) => pinByDescriptor(sys, inside(name)),
    prove: () => undefined,
    close: held.close,
  };
}

function pinByDescriptor(sys: Syscalls, name: string): PinnedLeaf | null {
  let held: HeldDescriptor;
  try {
    held = holdDescriptor(sys, sys.open(name, openFlags.pin));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  try {
    const path = entry(held.fd());
    const flags = { read: openFlags.reopenForReading, write: openFlags.reopenForWriting };
    return {
      facts: sys.fstat(held.fd()),
      path,
      open: (access) => sys.open(entry(held.fd()), flags[access]),
      close: held.close,
    };
  } catch (error) {
    held.close();
    throw error;
  }
}

/**
 * True if this machine can hold directories so, found by trying: procfs shows descriptors, `O_PATH` opens without
 * access, and `O_NOFOLLOW` opens or refuses a link instead of following it.
 */
export function canWalkByDescriptor(sys: Syscalls, rootPath: string): boolean {
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const fd = sys.open(path, flags);
    opened.push(fd);
    return fd;
  };
  try {
    if (sys.fileSystemType('/proc/self/fd') !== procfsType) return false;
    const directory = open(rootPath, openFlags.pinDirectory);
    const again = open(`${entry(directory)}/.`, openFlags.pinDirectory);
    const link = open('/proc/self', openFlags.pin);
    return (
      isSameInode(sys.fstat(directory), sys.fstat(again)) &&
      sys.fstat(link).isSymbolicLink() &&
      fails(() => open('/proc/self', openFlags.pinDirectory), 'ENOTDIR', 'ELOOP') &&
      fails(() => sys.fsync(directory), 'EBADF')
    );
  } catch {
    return false;
  } finally {
    for (const fd of opened) closeQuietly(sys, fd);
  }
}

// statfs(2): PROC_SUPER_MAGIC. A directory that merely looks like procfs must not be trusted.
const procfsType = 0x9fa0;

function entry(fd: number): string {
  return `/proc/self/fd/${fd}`;
}

function fails(call: () => unknown, ...names: readonly string[]): boolean {
  try {
    call();
    return false;
  } catch (error) {
    return isErrno(error, ...names);
  }
}
