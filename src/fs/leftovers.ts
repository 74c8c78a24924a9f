import { showRootPath } from './path-rules.ts';
import type { HeldDirectory } from './place.ts';
import type { Syscalls } from './syscalls.ts';

/** The name of a temporary file, from 16 hexadecimal digits nobody can guess. */
export function temporaryName(hexDigits: string): string {
  return `.porthole-${hexDigits}.tmp`;
}

// True for names that temporaryName() makes.
function isTemporaryName(name: string): boolean {
  return /^\.porthole-[0-9a-f]{16}\.tmp$/.test(name);
}

// A look for leftovers is a courtesy; it must end on any tree.
const maxEntries = 200_000;
const maxDepth = 64;

/**
 * Temporary files under a directory that a killed writer left, as paths relative to it. Links are not followed,
 * directories that cannot be read are passed over, and very large trees are searched in part.
 */
export function findLeftovers(sys: Syscalls, root: HeldDirectory): string[] {
  const found: string[] = [];
  let seen = 0;
  const search = (directory: HeldDirectory, segments: readonly string[]): void => {
    for (const entry of entriesOf(sys, directory)) {
      if (++seen > maxEntries) return;
      const below = [...segments, entry.name];
      if (entry.isFile() && isTemporaryName(entry.name)) found.push(showRootPath({ segments: below }));
      if (entry.isDirectory() && below.length < maxDepth) inside(directory, entry.name, (next) => search(next, below));
    }
  };
  search(root, []);
  return found.sort();
}

function entriesOf(sys: Syscalls, directory: HeldDirectory): ReturnType<Syscalls['readdir']> {
  try {
    return sys.readdir(`${directory.path}/.`);
  } catch {
    return [];
  }
}

function inside(directory: HeldDirectory, name: string, use: (below: HeldDirectory) => void): void {
  let below: ReturnType<HeldDirectory['openDirectory']>;
  try {
    below = directory.openDirectory(name);
  } catch {
    return;
  }
  if (typeof below === 'string') return;
  try {
    use(below);
  } finally {
    below.close();
  }
}
