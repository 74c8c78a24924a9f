import { fileError, fromSystemError } from './file-error.ts';
import { hintOfLink } from './link-hint.ts';
import type { RootPath } from './path-rules.ts';
import type { HeldDirectory, Locate, LocatePurpose, PinnedLeaf, Place } from './place.ts';
import type { SpecialTrees } from './special-trees.ts';
import type { FileFacts, Syscalls } from './syscalls.ts';

/** Where walks begin. */
export interface WalkRoot {
  readonly sys: Syscalls;
  readonly special: SpecialTrees;
  /** Real path when the root was opened. */
  readonly path: string;
  /** The root as a directory to start from; closing it does not end the root. */
  readonly directory: HeldDirectory;
}

// Links met on the way: the kernel allows 40 in one call, people need one or two.
const maxHints = 8;

/**
 * Resolves a path by holding every directory on the way and opening one name at a time inside it. No link is ever
 * followed: where one is met, its target is asked for as a hint, and the hint is walked like any path.
 */
export function createStrictWalk(root: WalkRoot): Locate {
  return (path, purpose) => {
    let { segments } = path;
    for (let hints = 0; hints <= maxHints; hints++) {
      const below = segments.join('/');
      if (root.special.holdPath(root.path === '/' ? `/${below}` : `${root.path}/${below}`)) throw special(path);
      const result = walkOnce({ root, segments, path, purpose });
      if (!isNames(result)) return result;
      segments = result;
    }
    throw fileError('LINK_LOOP', path, `there are more than ${maxHints} symbolic links on it`);
  };
}

interface Walk {
  readonly root: WalkRoot;
  readonly segments: readonly string[];
  readonly path: RootPath;
  readonly purpose: LocatePurpose;
}

// One pass over names. Answers with the place, or, when one of them is a link, with the names to walk instead.
function walkOnce(walk: Walk): Place | readonly string[] {
  const { root, segments, path, purpose } = walk;
  const name = segments.at(-1);
  if (name === undefined) throw fileError('IS_A_DIRECTORY', path, 'it is a directory');
  let { directory } = root;
  let isHandedOver = false;
  try {
    const chain: FileFacts[] = purpose === 'read' ? [] : [directory.facts()];
    const handOver = (leaf: PinnedLeaf | null, missing: readonly string[]): Place => {
      isHandedOver = true;
      return createPlace(directory, { name, leaf, chain, segments, missing });
    };
    for (let index = 0; index < segments.length - 1; index++) {
      const next = directory.openDirectory(segments[index] ?? '');
      if (next === 'link') return followLink(walk, directory, index);
      if (next === 'missing') {
        if (purpose !== 'create') throw missing(path, purpose);
        return handOver(null, segments.slice(index, -1));
      }
      directory.close();
      directory = next;
      if (purpose !== 'read') chain.push(directory.facts());
    }
    const leaf = directory.pin(name);
    if (!leaf?.facts.isSymbolicLink()) return handOver(leaf, []);
    leaf.close();
    return followLink(walk, directory, segments.length - 1);
  } catch (error) {
    throw fromSystemError(error, path);
  } finally {
    if (!isHandedOver) directory.close();
  }
}

// Written out: this runs for every call, and spreading an object takes longer than a system call.
function createPlace(directory: HeldDirectory, found: Omit<Place, 'directory' | 'close'>): Place {
  const { leaf, name, chain, segments, missing } = found;
  const close = () => {
    leaf?.close();
    directory.close();
  };
  return { directory, name, leaf, chain, segments, missing, close };
}

// The link `segments[index]` in `directory`: the names it stands for, and those behind it.
function followLink({ root, segments, path }: Walk, directory: HeldDirectory, index: number): readonly string[] {
  const name = segments[index] ?? '';
  // A link in a procfs that is mounted somewhere else leads wherever it likes; nothing in there is ours to follow.
  if (root.special.holdInode(root.sys.stat(`${directory.path}/.`), `${directory.path}/.`)) throw special(path);
  const link = { usablePath: `${directory.path}/${name}`, realParent: directory.realPath, name };
  const view = { sys: root.sys, special: root.special, realPath: root.directory.realPath };
  return [...hintOfLink(view, link, path), ...segments.slice(index + 1)];
}

function missing(path: RootPath, purpose: LocatePurpose): Error {
  if (purpose === 'read') return fileError('NOT_FOUND', path, 'there is no such file');
  return fileError('PARENT_NOT_FOUND', path, 'its directory does not exist');
}

/** The refusal for procfs, sysfs and `/dev`. */
export function special(path: RootPath): Error {
  return fileError('NOT_A_REGULAR_FILE', path, 'it leads into a special file system');
}

function isNames(result: Place | readonly string[]): result is readonly string[] {
  return Array.isArray(result);
}
