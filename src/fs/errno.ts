import type { ErrorCode } from '../contract/errors.ts';

/** The code for a failed system call; the one place where errno names are judged. */
export function errnoCode(error: unknown): ErrorCode {
  return codes.get(errnoName(error)) ?? 'IO_FAILED';
}

/** `ENOENT` and the like; the error's class name where it has none. */
export function errnoName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** True if the error is one of these errno names. */
export function isErrno(error: unknown, ...names: readonly string[]): boolean {
  return names.includes(errnoName(error));
}

const codes: ReadonlyMap<string, ErrorCode> = new Map([
  ['ENOENT', 'NOT_FOUND'],
  ['ENOTDIR', 'NOT_A_DIRECTORY'],
  ['EISDIR', 'IS_A_DIRECTORY'],
  ['EACCES', 'PERMISSION_DENIED'],
  ['EPERM', 'PERMISSION_DENIED'],
  ['EROFS', 'READ_ONLY'],
  ['ELOOP', 'LINK_LOOP'],
  ['ENAMETOOLONG', 'PATH_INVALID'],
  ['ENXIO', 'NOT_A_REGULAR_FILE'],
  ['ENODEV', 'NOT_A_REGULAR_FILE'],
  ['ENOSPC', 'NO_SPACE'],
  ['EDQUOT', 'NO_SPACE'],
]);
