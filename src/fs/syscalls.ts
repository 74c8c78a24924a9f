import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';

/** What the file layer asks of the operating system: few calls, synchronous, all injectable, so that a test can fail
 * the n-th one or change the world between two. They throw errors with an errno name in `code`. */
export interface Syscalls {
  readonly open: (path: string, flags: number, mode?: number) => number;
  readonly close: (fd: number) => void;
  readonly fstat: (fd: number) => FileFacts;
  readonly lstat: (path: string) => FileFacts;
  readonly stat: (path: string) => FileFacts;
  /** Null where nothing is. */
  readonly lstatIfExists: (path: string) => FileFacts | null;
  /** Null where nothing is. */
  readonly statIfExists: (path: string) => FileFacts | null;
  /** The number that names the kind of file system, as statfs(2) gives it. */
  readonly fileSystemType: (path: string) => number;
  readonly read: (fd: number, target: Uint8Array, offset: number, length: number, position: number) => number;
  readonly write: (fd: number, source: Uint8Array, offset: number, length: number) => number;
  readonly fsync: (fd: number) => void;
  readonly fchmod: (fd: number, mode: number) => void;
  readonly fchown: (fd: number, uid: number, gid: number) => void;
  readonly rename: (from: string, to: string) => void;
  readonly unlink: (path: string) => void;
  readonly mkdir: (path: string, mode: number) => void;
  readonly rmdir: (path: string) => void;
  readonly readlink: (path: string) => string;
  readonly realpath: (path: string) => string;
  readonly readdir: (path: string) => readonly DirectoryEntry[];
}

/** What is known about an inode. */
export type FileFacts = BigIntStats;

/** A name in a directory and what kind it is. */
export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: () => boolean;
  readonly isFile: () => boolean;
}

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

// Linux's number, the same on every architecture Node runs on; missing in `fs.constants`.
const O_PATH = 0o10000000;

/** The combinations of flags in use, by purpose. None follows a link at the last name of a path. */
export const openFlags = {
  pin: O_PATH | O_NOFOLLOW,
  pinDirectory: O_PATH | O_DIRECTORY | O_NOFOLLOW,
  /** Through `/proc/self/fd`, whose entries are links: only for a descriptor that is already pinned and proven. */
  reopenForReading: O_RDONLY | O_NONBLOCK,
  reopenForWriting: O_WRONLY | O_NONBLOCK,
  /** By path, where there is no `/proc`. */
  readByPath: O_RDONLY | O_NONBLOCK | O_NOFOLLOW,
  writeByPath: O_WRONLY | O_NONBLOCK | O_NOFOLLOW,
  directoryForReading: O_RDONLY | O_DIRECTORY | O_NONBLOCK,
  createNew: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
} as const;

const bigint = { bigint: true } as const;
const bigintOrNothing = { bigint: true, throwIfNoEntry: false } as const;
const withTypes = { withFileTypes: true } as const;

/** The real ones. */
export const nodeSyscalls: Syscalls = {
  open: openSync,
  close: closeSync,
  fstat: (fd) => fstatSync(fd, bigint),
  lstat: (path) => lstatSync(path, bigint),
  stat: (path) => statSync(path, bigint),
  lstatIfExists: (path) => lstatSync(path, bigintOrNothing) ?? null,
  statIfExists: (path) => statSync(path, bigintOrNothing) ?? null,
  fileSystemType: (path) => statfsSync(path).type,
  read: readSync,
  write: (fd, source, offset, length) => writeSync(fd, source, offset, length),
  fsync: fsyncSync,
  fchmod: fchmodSync,
  fchown: fchownSync,
  rename: renameSync,
  unlink: unlinkSync,
  mkdir: (path, mode) => {
    mkdirSync(path, mode);
  },
  rmdir: rmdirSync,
  readlink: (path) => readlinkSync(path),
  realpath: (path) => realpathSync.native(path),
  readdir: (path) => readdirSync(path, withTypes),
};

/**
 * Closes a descriptor that nothing was written through. A failure says nothing about a file, and the number is free
 * again in any case.
 */
export function closeQuietly(sys: Syscalls, fd: number): void {
  try {
    sys.close(fd);
  } catch {
    // Nothing was lost, and what the caller did or failed to do stays true.
  }
}

/** True if both are the same inode. */
export function isSameInode(one: FileFacts, other: FileFacts): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Changes when the inode, its size or its content changes, as far as the kernel's clock can tell. */
export function identityOf(facts: FileFacts): string {
  return `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}`;
}
