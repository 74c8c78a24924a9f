/**
 * What the files of a run are: none at all, a private copy, or the sandbox root, live. Fixed by the operator when the
 * run starts; in rising order.
 */
export const fileModes = ['safe', 'staged', 'unsafe'] as const;

/** One of {@link fileModes}. */
export type FileMode = (typeof fileModes)[number];

/** The modes a run can be given; `staged` is so far only a ceiling a policy can set. */
export const runModes = ['safe', 'unsafe'] as const satisfies readonly FileMode[];

/** One of {@link runModes}. */
export type RunMode = (typeof runModes)[number];

/** Every helper that some mode has, in the order of their numbers in the memory image. */
export const helperNames = ['read_file', 'write_file'] as const;

/** One of {@link helperNames}. */
export type HelperName = (typeof helperNames)[number];

/** Which helpers are in scope in which mode: the only place that says so. */
export const helpersByMode: Readonly<Record<RunMode, readonly HelperName[]>> = {
  safe: [],
  unsafe: ['read_file', 'write_file'],
};

/** True when the first mode reaches more than the second. */
export function isWiderMode(mode: FileMode, other: FileMode): boolean {
  return fileModes.indexOf(mode) > fileModes.indexOf(other);
}
