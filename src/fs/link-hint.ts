import { posix } from 'node:path';
import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import type { RootPath } from './path-rules.ts';
import { isAtOrBelow, type SpecialTrees } from './special-trees.ts';
import type { Syscalls } from './syscalls.ts';

/** A root as the resolution of links sees it. */
export interface RootView {
  readonly sys: Syscalls;
  readonly special: SpecialTrees;
  /** The real path of the root at this moment: it may have been moved. */
  readonly realPath: () => string;
}

/** A symbolic link that was met on the way. */
export interface MetLink {
  /** A path the operating system can use. */
  readonly usablePath: string;
  /** Real path of the directory that holds it, and its name there. */
  readonly realParent: () => string;
  readonly name: string;
}

// As many as the kernel follows before it says ELOOP.
const maxHopsByHand = 40;

/**
 * Where a link leads, as names from the root downwards. The answer is a hint and nothing more: the world may change
 * before it is used, so the caller walks it again, strictly.
 * @throws PortholeError `PATH_OUTSIDE_ROOT`, `LINK_DANGLING`, `LINK_LOOP`, `NOT_A_REGULAR_FILE`
 */
export function hintOfLink(root: RootView, link: MetLink, path: RootPath): readonly string[] {
  const rootPath = root.realPath();
  const target = realPathOrNull(root, link, path, rootPath);
  if (!isAtOrBelow(target, rootPath)) throw outside(path);
  if (root.special.holdPath(target)) throw fileError('NOT_A_REGULAR_FILE', path, 'it leads into a special file system');
  return target.slice(rootPath.length).split('/').filter(Boolean);
}

/** The same words for every place outside, whether there is something or not: an answer must not be a probe. */
export function outside(path: RootPath): Error {
  return fileError('PATH_OUTSIDE_ROOT', path, 'path leads outside the root');
}

function realPathOrNull(root: RootView, link: MetLink, path: RootPath, rootPath: string): string {
  try {
    return root.sys.realpath(link.usablePath);
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) throw fromSystemError(error, path);
    const place = resolveByHand(root.sys, posix.join(link.realParent(), link.name));
    if (!isAtOrBelow(place, rootPath)) throw outside(path);
    if (isErrno(error, 'ENOENT')) throw fileError('LINK_DANGLING', path, 'a symbolic link on it leads to nothing');
    throw fromSystemError(error, path);
  }
}

// Follows links by their text as far as there is something, and says which place the rest would name. It only chooses
// between two refusals, so it may trust path strings.
function resolveByHand(sys: Syscalls, start: string): string {
  let place = '/';
  let pending = start.split('/');
  for (let hops = 0; pending.length > 0; ) {
    const [name = '', ...rest] = pending;
    pending = rest;
    const next = posix.join(place, name);
    const target = textOfLink(sys, next);
    if (target === 'nothing' || (target.link !== null && ++hops > maxHopsByHand)) return posix.join(next, ...rest);
    if (target.link === null) {
      place = next;
    } else {
      if (target.link.startsWith('/')) place = '/';
      pending = [...target.link.split('/'), ...rest];
    }
  }
  return place;
}

function textOfLink(sys: Syscalls, path: string): { readonly link: string | null } | 'nothing' {
  try {
    return { link: sys.lstat(path).isSymbolicLink() ? sys.readlink(path) : null };
  } catch {
    return 'nothing';
  }
}
