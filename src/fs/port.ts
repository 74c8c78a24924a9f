import type { FileVerb, RootPath } from './path-rules.ts';

/** One confined tree of files: the disk below the sandbox root, or a tree in memory. Everything is synchronous. */
export interface FileSystem {
  /**
   * The path rules, before the tree is touched.
   * @throws PortholeError `PATH_INVALID`, `PATH_TRAVERSAL`, `PATH_HOME`, `PATH_OUTSIDE_ROOT`
   */
  readonly parsePath: (input: unknown, verb: FileVerb) => RootPath;
  /** Opens a file that was proven to be regular and to lie inside. The caller closes it. */
  readonly openFile: (path: RootPath) => OpenedFile;
  /**
   * Holds the proven directory a file is or will be in. Every refusal that can be known before writing happens
   * here, so that somebody can be asked between opening and replacing. The caller closes it.
   */
  readonly openForWriting: (path: RootPath) => WriteTarget;
}

/** A place below the root that was proven. */
export interface ProvenPlace {
  /** Relative to the root, with `/`, as it was written. */
  readonly shownPath: string;
  /** Relative to the root, with `/`, symbolic links resolved. What rules about places must look at, too. */
  readonly resolvedPath: string;
}

/** A regular file, held open for reading. */
export interface OpenedFile extends ProvenPlace, Disposable {
  /** Bytes when it was opened. */
  readonly size: number;
  /** Changes when the file is another one, or its content was changed. */
  readonly identity: () => string;
  /** Fills `target` from `position` and returns how many bytes came; fewer than asked does not mean the end, 0 does. */
  readonly read: (target: Uint8Array, position: number) => number;
  /** May be called again. */
  readonly close: () => void;
}

/** A place that may be written: the directory is held and proven, the file's own state is known. */
export interface WriteTarget extends ProvenPlace, Disposable {
  /** Equal for two targets that are one place, however they are spelled: calls with equal keys must not overlap. */
  readonly lockKey: string;
  /** The file that is there now, or null. */
  readonly existing: ExistingFile | null;
  /**
   * Puts `bytes` in place, whole or not at all, and on the disk.
   * `before`: the bytes the caller worked from; they are compared with the file just before it is replaced.
   * @throws PortholeError `CHANGED_SINCE_READ` if the file is not the one that was opened, or holds something else
   */
  readonly replace: (bytes: Uint8Array, before?: Uint8Array) => Replaced;
  /** May be called again. */
  readonly close: () => void;
}

/** The state of a file that is about to be replaced. */
export interface ExistingFile {
  readonly size: number;
  readonly isExecutable: boolean;
  readonly identity: string;
  /** All bytes. @throws PortholeError `FILE_TOO_LARGE` beyond `maxBytes` */
  readonly readAll: (maxBytes: number) => Uint8Array;
}

/** What a replacement did. */
export interface Replaced {
  readonly created: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** How many names the old file had, if this one was split off from them; else null. */
  readonly splitFromLinks: number | null;
}

/** A tree of a run's own: nobody else is in it, so it can be listed, and files removed. */
export interface PrivateTree extends FileSystem {
  /**
   * Paths of files below a directory, relative to the tree, sorted by their UTF-8 bytes; of a file, its own path.
   * @throws PortholeError `NOT_FOUND`, `NOT_A_DIRECTORY`
   */
  readonly listFiles: (path: RootPath, isRecursive: boolean) => string[];
  /** Holds a file that is to be removed. @throws PortholeError `NOT_FOUND`, `IS_A_DIRECTORY`, `NOT_A_DIRECTORY` */
  readonly openForRemoval: (path: RootPath) => RemovalTarget;
}

/** A file that may be removed. */
export interface RemovalTarget extends ProvenPlace {
  /** As that of {@link WriteTarget}. */
  readonly lockKey: string;
  readonly existing: ExistingFile;
  /** Takes it away, and every directory that is empty then. @throws PortholeError `CHANGED_SINCE_READ` */
  readonly remove: () => void;
}
