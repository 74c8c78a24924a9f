import type { RootPath } from '../fs/path-rules.ts';
import type { PrivateTree, ProvenPlace } from '../fs/port.ts';

/** A removal that was checked and has not happened. */
export interface RemovePlan extends ProvenPlace {
  readonly lockKey: string;
  /** What the file holds. */
  readonly before: Uint8Array;
  /** Removes. @throws PortholeError `CHANGED_SINCE_READ` if the file is not what the plan was made for */
  readonly commit: () => void;
}

/** Plans to remove a file of a private tree. @throws PortholeError what {@link PrivateTree.openForRemoval} throws */
export function planRemove(
  tree: PrivateTree,
  input: { readonly path?: unknown },
  admit: (path: RootPath, place: ProvenPlace) => void,
): RemovePlan {
  const path = tree.parsePath(input.path, 'remove');
  const target = tree.openForRemoval(path);
  admit(path, target);
  const { shownPath, resolvedPath, lockKey, existing } = target;
  // It is in memory already, however large it is.
  return { shownPath, resolvedPath, lockKey, before: existing.readAll(existing.size), commit: target.remove };
}
