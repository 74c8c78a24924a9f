import { type ErrorCode, PortholeError } from '../contract/errors.ts';
import { errnoCode, errnoName } from './errno.ts';

/** The part of a path an error needs. */
export interface FailedPath {
  readonly verb: string;
  /** As the caller passed it, whatever it is. */
  readonly written: unknown;
}

// A path in a message is for a reader's eye; the whole one is in the error's `path`.
const maxShownLength = 300;

/**
 * An error about one path: the message says *Cannot verb "path": reason*; `details.reason` is the reason alone, for
 * surfaces that begin the sentence themselves. Never holds a host path.
 */
export function fileError(
  code: ErrorCode,
  path: FailedPath,
  reason: string,
  more: MoreAboutFailure = {},
): PortholeError {
  const { written } = path;
  const shown = typeof written === 'string' ? JSON.stringify(shorten(written)) : 'the file';
  return new PortholeError(code, `Cannot ${path.verb} ${shown}: ${reason}`, {
    details: { ...more.details, reason },
    ...(typeof written === 'string' && { path: written }),
    ...(more.cause !== undefined && { cause: more.cause }),
    ...(more.hint !== undefined && { hint: more.hint }),
  });
}

/** What {@link fileError} may add. */
export interface MoreAboutFailure {
  readonly cause?: unknown;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Converts a failed system call, once, at the seam; errors that are ours already pass through. */
export function fromSystemError(error: unknown, path: FailedPath): PortholeError {
  if (error instanceof PortholeError) return error;
  const code = errnoCode(error);
  return fileError(code, path, reasons[code] ?? `the file system failed with ${errnoName(error)}`, { cause: error });
}

const reasons: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'there is no such file',
  NOT_A_DIRECTORY: 'a component of the path is not a directory',
  IS_A_DIRECTORY: 'it is a directory',
  NOT_A_REGULAR_FILE: 'it is not a regular file',
  PERMISSION_DENIED: 'the operating system refuses',
  READ_ONLY: 'the file system is read-only',
  LINK_LOOP: 'its symbolic links form a loop',
  PATH_INVALID: 'a name in it is too long for the file system',
  NO_SPACE: 'the disk or quota is full',
};

function shorten(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
