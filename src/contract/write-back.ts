import type { ErrorCode } from './errors.ts';

/** What a write-back did, or in a dry run would have done: one entry a file of the change set. */
export interface WriteBackReport {
  readonly dryRun: boolean;
  /** The files that were to be written, in the order of their places in the tree. */
  readonly files: readonly WriteBackFile[];
  /** The changes that stay in the tree. */
  readonly skipped: readonly WriteBackSkip[];
  /** Why the set as a whole was not allowed; null where it was, or nobody had to be asked. */
  readonly refusal: { readonly code: ErrorCode; readonly message: string } | null;
}

/** One file that was to be written. */
export interface WriteBackFile {
  /** Place in the tree, without a leading `/`. */
  readonly path: string;
  /** Where it lies on the host, in the operator's own spelling. */
  readonly hostPath: string;
  readonly end: WriteBackEnd;
}

/**
 * What became of a file. `planned`: nothing happened to it, because of another file or because nobody wanted it
 * written. `replaced`: its pin is broken. `link`: a link stands in its place or on its way.
 */
export type WriteBackEnd =
  | { readonly kind: 'written' | 'planned' | 'replaced' | 'link' }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string };

/** One change that is never written back, and why. */
export interface WriteBackSkip {
  /** Place in the tree, without a leading `/`. */
  readonly path: string;
  readonly reason: 'read-only' | 'not-from-host' | 'deleted';
}
