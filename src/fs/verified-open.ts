import { fileError } from './file-error.ts';
import { outside } from './link-hint.ts';
import type { RootPath } from './path-rules.ts';
import type { HeldDirectory, PinnedLeaf } from './place.ts';
import { isAtOrBelow } from './special-trees.ts';
import { closeQuietly, type FileFacts, isSameInode, openFlags, type Syscalls } from './syscalls.ts';

// One round is enough where nobody interferes; a tree that changes under three looks is refused.
const maxRounds = 3;

/**
 * A directory known by its real path, for machines that cannot hold one by descriptor. What is opened is compared with
 * what the real path leads to afterwards. Somebody who swaps directories at the right moments can still win: the
 * operator is told so, and can refuse to start.
 */
export function directoryByPath(sys: Syscalls, rootPath: string, path: string): HeldDirectory {
  const inside = (name: string) => (path === '/' ? `/${name}` : `${path}/${name}`);
  const known = sys.lstat(path);
  return {
    path: path === '/' ? '' : path,
    realPath: () => path,
    facts: () => known,
    openDirectory: (name) => {
      const facts = sys.lstatIfExists(inside(name));
      if (facts === null) return 'missing';
      if (facts.isSymbolicLink()) return 'link';
      if (!facts.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
      return directoryByPath(sys, rootPath, inside(name));
    },
    pin: (name) => pinByPath(sys, rootPath, inside(name)),
    prove: (rootRelative) => {
      const now = sys.realpath(path);
      if (!isAtOrBelow(now, rootPath) || !isSameInode(sys.lstat(now), known)) throw outside(rootRelative);
    },
    close: () => undefined,
  };
}

function pinByPath(sys: Syscalls, rootPath: string, path: string): PinnedLeaf | null {
  const facts = sys.lstatIfExists(path);
  return (
    facts && {
      facts,
      path,
      open: (access, rootRelative) => openVerified(sys, { rootPath, path, facts, access }, rootRelative),
      close: () => undefined,
    }
  );
}

interface Wanted {
  readonly rootPath: string;
  readonly path: string;
  readonly facts: FileFacts;
  readonly access: 'read' | 'write';
}

function openVerified(sys: Syscalls, wanted: Wanted, rootRelative: RootPath): number {
  const flags = { read: openFlags.readByPath, write: openFlags.writeByPath };
  for (let round = 0; round < maxRounds; round++) {
    const fd = sys.open(wanted.path, flags[wanted.access]);
    let isProven = false;
    try {
      isProven = isProvenInside(sys, wanted, fd);
    } finally {
      if (!isProven) closeQuietly(sys, fd);
    }
    if (isProven) return fd;
  }
  throw fileError('PATH_OUTSIDE_ROOT', rootRelative, 'it could not be proven to lie inside the root');
}

function isProvenInside(sys: Syscalls, { rootPath, path, facts }: Wanted, fd: number): boolean {
  const opened = sys.fstat(fd);
  const realPath = sys.realpath(path);
  return (
    opened.isFile() &&
    isSameInode(opened, facts) &&
    isAtOrBelow(realPath, rootPath) &&
    isSameInode(sys.lstat(realPath), opened)
  );
}
