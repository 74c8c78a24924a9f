import type { Inode } from '../fs/inode.ts';

/** One `--copy` or `--copy-rw`, once its place is known. */
export interface StagedInput {
  /** Host path as the operator gave it. */
  readonly given: string;
  /** The same, absolute and canonical: where the files really were when they were copied. */
  readonly hostPath: string;
  /** Where it lies in the tree, without a leading `/`; empty for the tree's root. */
  readonly place: string;
  readonly kind: 'file' | 'directory';
  /** The directory it was read through: itself, or the one that holds the single file. New files are bound to it. */
  readonly directory: Inode;
  /** Whether changes may be written back. */
  readonly isWritable: boolean;
}

/** What a copied file was on the host: a change of any of it is a broken pin. */
export interface Pin extends Inode {
  readonly digest: string;
}

/** One file that was copied in. */
export interface CopiedFile {
  /** Place in the tree, without a leading `/`. */
  readonly path: string;
  readonly input: StagedInput;
  readonly bytes: Uint8Array;
  readonly pin: Pin;
}

/** Everything that was copied in: what a run's files are compared with. */
export interface Baseline {
  readonly inputs: readonly StagedInput[];
  readonly files: ReadonlyMap<string, CopiedFile>;
}

/** The files of the tree as the run left them, by place without a leading `/`. */
export type TreeFiles = ReadonlyMap<string, Uint8Array>;
