import { posix } from 'node:path';
import { isAtOrBelow } from './special-trees.ts';
import { type FileFacts, isSameInode, type Syscalls } from './syscalls.ts';

/** A place somebody wants to write. */
export interface WantedPlace {
  /** The root and each directory below it down to the deepest that exists. */
  readonly chain: readonly FileFacts[];
  /** Names from the root downwards, the file's own last; some of the directories may be missing. */
  readonly segments: readonly string[];
  readonly leaf: FileFacts | null;
}

/** A file or directory that is never written. */
export interface ProtectedPlace {
  /** Absolute. */
  readonly path: string;
  /** What a refusal says of it. */
  readonly reason: string;
}

/**
 * Knows the files and directories that no run writes, whether they exist or not. They are recognised by what they are
 * (device and inode), and where nothing is yet, by directory and name.
 */
export function createProtectedPlaces(sys: Syscalls, given: readonly ProtectedPlace[], rootPath: string) {
  const places = given.map(({ path, reason }) => ({
    path: posix.normalize(path).replace(/(?<=.)\/+$/, ''),
    reason,
  }));
  return {
    /** The place that covers it, if one does. Asked anew for each write: a log is rotated, a directory appears. */
    cover: (wanted: WantedPlace): ProtectedPlace | undefined => {
      const directories = new Map<string, FileFacts | null>();
      const directory = (path: string): FileFacts | null => {
        const known = directories.get(path);
        if (known !== undefined) return known;
        const facts = tryStat(sys, path);
        directories.set(path, facts);
        return facts;
      };
      return places.find(
        ({ path }) => isAtOrBelow(rootPath, path) || isThing(sys, path, wanted) || isName(directory, path, wanted),
      );
    },
  };
}

/** What {@link createProtectedPlaces} returns. */
export type ProtectedPlaces = ReturnType<typeof createProtectedPlaces>;

function isThing(sys: Syscalls, path: string, { chain, leaf }: WantedPlace): boolean {
  const facts = tryStat(sys, path);
  if (facts === null) return false;
  if (facts.isDirectory()) return chain.some((directory) => isSameInode(directory, facts));
  return leaf !== null && isSameInode(leaf, facts);
}

// Goes up to the deepest directory that exists, and compares the names below it. A wanted file that would stand in
// the way of a protected place counts as well.
function isName(directory: (path: string) => FileFacts | null, path: string, wanted: WantedPlace): boolean {
  const names: string[] = [];
  for (let at = path; at !== '/'; at = posix.dirname(at)) {
    names.unshift(posix.basename(at));
    const facts = directory(posix.dirname(at));
    if (facts === null) continue;
    const depth = wanted.chain.findIndex((one) => isSameInode(one, facts));
    if (depth < 0) return false;
    const below = wanted.segments.slice(depth);
    const shared = Math.min(below.length, names.length);
    return below.slice(0, shared).every((name, index) => isSameName(name, names[index] ?? ''));
  }
  return false;
}

// Some file systems take names in another case or Unicode form for the same. For a name that is not there yet nobody
// can tell, so such names are protected everywhere.
function isSameName(one: string, other: string): boolean {
  return one === other || fold(one) === fold(other);
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

// A place that cannot be looked at is not there for this process either.
function tryStat(sys: Syscalls, path: string): FileFacts | null {
  try {
    return sys.statIfExists(path);
  } catch {
    return null;
  }
}
