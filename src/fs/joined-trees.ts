import { isPortholeError } from '../contract/errors.ts';
import type { DiskRoot } from './disk-root.ts';
import type { FileVerb, RootPath } from './path-rules.ts';
import type { FileSystem, ProvenPlace } from './port.ts';

/**
 * The root together with further directories, which are reached by absolute paths. Those are shown as they were written,
 * and what rules look at is their absolute place; inside each, the rules of the root hold.
 */
export function joinTrees(root: FileSystem, others: readonly DiskRoot[]): FileSystem {
  if (others.length === 0) return root;
  const trees = new WeakMap<RootPath, DiskRoot>();
  return {
    parsePath: (input, verb) => {
      try {
        return root.parsePath(input, verb);
      } catch (error) {
        if (!isPortholeError(error, 'PATH_OUTSIDE_ROOT')) throw error;
        for (const tree of others) {
          const path = tryParse(tree, input, verb);
          if (path === undefined) continue;
          trees.set(path, tree);
          return path;
        }
        throw error;
      }
    },
    openFile: (path) => {
      const tree = trees.get(path);
      return tree === undefined ? root.openFile(path) : moved(tree, path, tree.openFile(path));
    },
    openForWriting: (path) => {
      const tree = trees.get(path);
      return tree === undefined ? root.openForWriting(path) : moved(tree, path, tree.openForWriting(path));
    },
  };
}

function tryParse(tree: DiskRoot, input: unknown, verb: FileVerb): RootPath | undefined {
  try {
    return tree.parsePath(input, verb);
  } catch (error) {
    if (isPortholeError(error, 'PATH_OUTSIDE_ROOT')) return undefined;
    throw error;
  }
}

function moved<Place extends ProvenPlace>(tree: DiskRoot, path: RootPath, place: Place): Place {
  const resolvedPath = `${tree.rootPath}/${place.resolvedPath}`;
  return { ...place, shownPath: path.written, resolvedPath };
}
