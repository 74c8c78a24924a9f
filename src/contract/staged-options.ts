/** Files of the host that a staged run works on copies of. */
export interface StagedOptions {
  /** Copied in; changes to them stay in the run. Default: none. */
  readonly copy?: readonly StagedCopy[];
  /** Copied in; changes to them may be written back. Default: none. */
  readonly copyRw?: readonly StagedCopy[];
  /**
   * Patterns of what is left out of copied directories: matched against the path below the directory that was named, or
   * against any name in it where the pattern holds no `/`. Default: none.
   */
  readonly exclude?: readonly string[];
}

/**
 * A file or directory to copy in: `host` or `host=/place`, split at the last `=/`, or both apart. The place is a path of
 * the tree; by default the input's own name at the tree's root.
 */
export type StagedCopy = string | { readonly from: string; readonly to?: string };
