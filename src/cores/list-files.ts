import { fileError } from '../fs/file-error.ts';
import type { PrivateTree } from '../fs/port.ts';
import { describeValue } from './arguments.ts';

/** The arguments of a listing as they come from a guest: nothing about them is known yet. */
export interface ListInput {
  /** Default: the tree's root. */
  readonly path?: unknown;
  /** Whether files below its directories count. Default: true. */
  readonly recursive?: unknown;
}

/** The files below a directory. */
export interface Listing {
  readonly shownPath: string;
  /** Relative to the tree, sorted by their UTF-8 bytes. */
  readonly paths: readonly string[];
}

/** Lists files below a directory of a private tree. @throws PortholeError `ARGUMENT_INVALID`, and what listing throws */
export function listFiles(tree: PrivateTree, input: ListInput): Listing {
  const path = tree.parsePath(input.path ?? '.', 'list');
  const { recursive = true } = input;
  if (typeof recursive !== 'boolean') {
    const reason = `recursive must be true or false, not ${describeValue(recursive)}`;
    throw fileError('ARGUMENT_INVALID', path, reason);
  }
  return { shownPath: path.segments.join('/') || '.', paths: tree.listFiles(path, recursive) };
}
