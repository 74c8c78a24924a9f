/**
 * What the files of a run are: none at all, a private copy, or the sandbox root, live. Fixed by the operator when the
 * run starts; in rising order.
 */
export const fileModes = ['safe', 'staged', 'unsafe'] as const;

/** One of {@link fileModes}. */
export type FileMode = (typeof fileModes)[number];

/** Every helper that some mode has, in the order of their numbers in the memory image. */
export const helperNames = ['read_file', 'write_file', 'list_files', 'remove_file'] as const;

/** One of {@link helperNames}. */
export type HelperName = (typeof helperNames)[number];

/** Which helpers are in scope in which mode: the only place that says so. */
export const helpersByMode: Readonly<Record<FileMode, readonly HelperName[]>> = {
  safe: [],
  staged: helperNames,
  unsafe: ['read_file', 'write_file'],
};

/** True when the first mode reaches more than the second. */
export function isWiderMode(mode: FileMode, other: FileMode): boolean {
  return fileModes.indexOf(mode) > fileModes.indexOf(other);
}
