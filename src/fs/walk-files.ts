import { showRootPath } from './path-rules.ts';
import type { HeldDirectory } from './place.ts';
import type { Syscalls } from './syscalls.ts';

// A walk must end on any tree.
const maxEntries = 200_000;
const maxDepth = 64;

/** What a walk is about. */
export interface Walk {
  readonly accepts: (path: string, name: string) => boolean;
  /** Whether a directory is gone into. Default: every one. */
  readonly enters?: (name: string) => boolean;
}

/**
 * The regular files under a directory that are wanted, as paths relative to it, in their order by name. Links are not
 * followed, directories that cannot be read are passed over, and very large trees are searched in part.
 */
export function walkFiles(sys: Syscalls, root: HeldDirectory, { accepts, enters = () => true }: Walk): string[] {
  const found: string[] = [];
  let seen = 0;
  const search = (directory: HeldDirectory, segments: readonly string[]): void => {
    for (const entry of entriesOf(sys, directory)) {
      if (++seen > maxEntries) return;
      const { name } = entry;
      const below = [...segments, name];
      if (entry.isFile()) {
        const path = showRootPath({ segments: below });
        if (accepts(path, name)) found.push(path);
      } else if (entry.isDirectory() && below.length < maxDepth && enters(name)) {
        inside(directory, name, (next) => search(next, below));
      }
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
