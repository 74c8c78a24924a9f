import type { RootPath } from './path-rules.ts';
import type { FileFacts } from './syscalls.ts';

/** Finds the place a path names and holds it. */
export type Locate = (path: RootPath, purpose: LocatePurpose) => Place;

/** What the place is wanted for; `create` accepts directories that are missing. */
export type LocatePurpose = 'read' | 'write' | 'create';

/** A name in a directory that was proven to lie inside the root, held until it is closed. */
export interface Place {
  readonly directory: HeldDirectory;
  readonly name: string;
  /** What is there, pinned; null for nothing. Never a symbolic link. */
  readonly leaf: PinnedLeaf | null;
  /** The root and every directory below it down to the held one; empty when the place is wanted for reading. */
  readonly chain: readonly FileFacts[];
  /** Names from the root downwards, links resolved, the last one included. */
  readonly segments: readonly string[];
  /** Directories between the held one and the name that do not exist. */
  readonly missing: readonly string[];
  /** May be called again. */
  readonly close: () => void;
}

/** A directory inside the root. How it is held decides what an attacker can do between two calls. */
export interface HeldDirectory {
  /** A path of the directory for the operating system; `/name` may be appended. */
  readonly path: string;
  readonly realPath: () => string;
  readonly facts: () => FileFacts;
  /** The directory of that name, never through a link. @throws whatever the operating system says otherwise */
  readonly openDirectory: (name: string) => HeldDirectory | 'link' | 'missing';
  /** What has that name, a link included, without reading, waiting or waking a device. */
  readonly pin: (name: string) => PinnedLeaf | null;
  /** Fails if the directory is no longer the proven place. */
  readonly prove: (path: RootPath) => void;
  /** May be called again. */
  readonly close: () => void;
}

/** Something with a name, held but not open yet. */
export interface PinnedLeaf {
  readonly facts: FileFacts;
  /** A path of the very thing for the operating system. */
  readonly path: string;
  /** A new descriptor of it, for the caller to close. */
  readonly open: (access: 'read' | 'write', path: RootPath) => number;
  /** May be called again. */
  readonly close: () => void;
}
