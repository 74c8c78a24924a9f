import { randomUUID } from 'node:crypto';
import { PortholeError } from '../contract/errors.ts';
import { canWalkByDescriptor, directoryByDescriptor, holdDescriptor } from './descriptor-walk.ts';
import { openOnDisk } from './disk-file.ts';
import { openTarget } from './disk-target.ts';
import { isErrno } from './errno.ts';
import { type Inode, inodeOf } from './inode.ts';
import { findLeftovers, temporaryName } from './leftovers.ts';
import { parseRootPath } from './path-rules.ts';
import type { HeldDirectory } from './place.ts';
import type { FileSystem } from './port.ts';
import { createProtectedPlaces, type ProtectedPlace } from './protected-places.ts';
import { createSpecialTrees } from './special-trees.ts';
import { createStrictWalk } from './strict-walk.ts';
import { identityOf, isSameInode, nodeSyscalls, openFlags, type Syscalls } from './syscalls.ts';
import { directoryByPath } from './verified-open.ts';
import { type Walk, walkFiles } from './walk-files.ts';

/** What decides how a disk root behaves. */
export interface DiskRootOptions {
  /** The sandbox root: an existing directory; links on the way to it are resolved once. */
  readonly root: string;
  /** Absolute host paths of Porthole's own, existing or not, that are never written. Default: none. */
  readonly protectedPaths?: readonly string[];
  /** Those that the operator named besides. Default: none. */
  readonly operatorProtectedPaths?: readonly string[];
  /** What to do with a file that has more than one name: refuse to write it, or split it off. Default: `refuse`. */
  readonly hardLinks?: 'refuse' | 'split';
  /** Make missing directories on writing. Default: false. */
  readonly createDirectories?: boolean;
  /** Refuse to start where an attacker on the same machine could win a race. Default: false. */
  readonly requireRaceFree?: boolean;
  /** Hold directories by path even where descriptors would work: for tests of the fallback. Default: false. */
  readonly forceVerifiedOpen?: boolean;
  /** 16 hexadecimal digits for the name of a temporary file. Default: random. */
  readonly temporaryDigits?: () => string;
  /** The operating system. Default: the real one. */
  readonly syscalls?: Syscalls;
}

/** How escapes are prevented on this machine. */
export type Containment = 'descriptor walk' | 'verified open';

/** The tree below one directory of the disk. */
export interface DiskRoot extends FileSystem, Disposable {
  readonly containment: Containment;
  /** The root's real path. */
  readonly rootPath: string;
  /** Which directory the root is. */
  readonly rootInode: () => Inode;
  /** True while the root's real path leads to it, and through no link. */
  readonly isInPlace: () => boolean;
  /** How absolute paths may spell the root. */
  readonly spellings: readonly string[];
  /** Temporary files that a killed writer left, relative to the root. */
  readonly leftovers: () => string[];
  /** The regular files that are wanted, relative to the root; links are not followed. */
  readonly findFiles: (walk: Walk) => string[];
  /** True once closed; every other call then fails with `RUNTIME_CLOSED`. */
  readonly isClosed: () => boolean;
  /** Lets go of the root. May be called again. */
  readonly close: () => void;
}

/**
 * Opens the sandbox root on the disk.
 * @throws PortholeError `ROOT_INVALID`, `CONTAINMENT_UNAVAILABLE`
 */
export function createDiskRoot(options: DiskRootOptions): DiskRoot {
  const { root: given, syscalls: sys = nodeSyscalls } = options;
  const held = holdRoot(sys, options);
  const { path: rootPath, directory } = held;
  const spellings = [...new Set([given, rootPath])].filter((spelling) => spelling.startsWith('/'));
  const special = createSpecialTrees(sys, rootPath, directory.facts());
  // A walk closes the directories it leaves; the root stays.
  const borrowed: HeldDirectory = { ...directory, close: () => undefined };
  const locate = createStrictWalk({ sys, special, path: rootPath, directory: borrowed });
  const disk = {
    sys,
    locate,
    special,
    protectedPlaces: createProtectedPlaces(sys, protectedBy(options), rootPath),
    mayCreateDirectories: options.createDirectories ?? false,
    maySplitLinks: options.hardLinks === 'split',
    refuseIfClosed: () => void held.current(),
    temporaryName: () => temporaryName((options.temporaryDigits ?? randomDigits)()),
  };
  return {
    containment: held.containment,
    rootPath,
    rootInode: () => inodeOf(identityOf(directory.facts())),
    isInPlace: () => leadsTo(sys, rootPath, held.current()),
    spellings,
    parsePath: (input, verb) => parseRootPath(input, verb, { spellings }),
    openFile: (path) => openOnDisk(disk, path),
    openForWriting: (path) => openTarget(disk, path),
    findFiles: (walk) => walkFiles(sys, held.current(), walk),
    leftovers: () => findLeftovers(sys, held.current()),
    isClosed: held.isClosed,
    close: held.close,
    [Symbol.dispose]: held.close,
  };
}

function protectedBy({ protectedPaths = [], operatorProtectedPaths = [] }: DiskRootOptions): readonly ProtectedPlace[] {
  const own = 'it belongs to porthole itself, which edits never change';
  // Which one it is would be a host path.
  const named = "protectedPaths of the runtime's options covers it";
  return [
    ...protectedPaths.map((path) => ({ path, reason: own })),
    ...operatorProtectedPaths.map((path) => ({ path, reason: named })),
  ];
}

interface HeldRoot {
  readonly path: string;
  readonly containment: Containment;
  readonly directory: HeldDirectory;
  /** @throws PortholeError `RUNTIME_CLOSED` */
  readonly current: () => HeldDirectory;
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

function holdRoot(sys: Syscalls, options: DiskRootOptions): HeldRoot {
  const path = realDirectory(sys, options.root);
  // Tried where nobody can interfere: swapping the root at this moment must not talk the process into the weaker way.
  const isRaceFree = options.forceVerifiedOpen !== true && canWalkByDescriptor(sys, '/');
  if (!isRaceFree && options.requireRaceFree) {
    throw new PortholeError(
      'CONTAINMENT_UNAVAILABLE',
      'Cannot open the sandbox root: race-free containment is required and this machine does not offer it',
    );
  }
  const directory = isRaceFree ? holdByDescriptor(sys, path, options.root) : directoryByPath(sys, path, path);
  let isOpen = true;
  return {
    path,
    containment: isRaceFree ? 'descriptor walk' : 'verified open',
    directory,
    current: () => {
      if (!isOpen) throw new PortholeError('RUNTIME_CLOSED', 'Cannot use files: the sandbox root was closed');
      return directory;
    },
    isClosed: () => !isOpen,
    close: () => {
      isOpen = false;
      directory.close();
    },
  };
}

function realDirectory(sys: Syscalls, given: string): string {
  if (typeof given !== 'string' || given === '' || given.includes('\0')) throw invalid(given, 'it is not a path');
  try {
    const path = sys.realpath(given);
    if (sys.stat(path).isDirectory()) return path;
  } catch (error) {
    throw invalid(given, 'there is no such directory', error);
  }
  throw invalid(given, 'it is not a directory');
}

function holdByDescriptor(sys: Syscalls, path: string, given: string): HeldDirectory {
  try {
    return directoryByDescriptor(sys, holdDescriptor(sys, sys.open(path, openFlags.pinDirectory)));
  } catch (error) {
    throw invalid(given, 'it was replaced at this moment', error);
  }
}

function invalid(given: unknown, reason: string, cause?: unknown): PortholeError {
  return new PortholeError('ROOT_INVALID', `Cannot use ${JSON.stringify(given)} as the sandbox root: ${reason}`, {
    cause,
  });
}

function leadsTo(sys: Syscalls, path: string, directory: HeldDirectory): boolean {
  try {
    return sys.realpath(path) === path && isSameInode(sys.lstat(path), directory.facts());
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return false;
    throw error;
  }
}

// From an identifier, because Node keeps a store of those: asking for eight random bytes takes 10 µs each time.
function randomDigits(): string {
  return randomUUID().replaceAll('-', '').slice(-16);
}
