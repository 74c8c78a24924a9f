import type { FileMode } from '../contract/mode.ts';
import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';

/** What the gates look at. */
export interface GateFacts {
  readonly mode: FileMode;
  /** The host's own copy of the invocation context. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Name of the property of the invocation context that is the second gate of a live write. */
export const unsafeFlag = '_unsafe_mode';

/**
 * The two gates of a live write: the operator chose unsafe mode, and put the flag into the invocation context.
 * @throws PortholeError `MODE_SAFE`, `UNSAFE_FLAG_MISSING`
 */
export function refuseWithoutGates({ mode, context }: GateFacts, path: RootPath): void {
  if (mode !== 'unsafe') throw fileError('MODE_SAFE', path, `the run is in ${mode} mode, which changes no files`);
  if (!hasUnsafeFlag(context)) {
    throw fileError('UNSAFE_FLAG_MISSING', path, `the invocation context does not hold ${unsafeFlag}: true`);
  }
}

// An own property that simply is `true`: a getter would be code, a prototype somebody else's.
function hasUnsafeFlag(context: Readonly<Record<string, unknown>>): boolean {
  return Object.getOwnPropertyDescriptor(context, unsafeFlag)?.value === true;
}
