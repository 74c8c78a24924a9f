import { type ErrorCode, errorCodes } from '../contract/errors.ts';
import { type FileMode, helperNames } from '../contract/mode.ts';
import type { ProgramError } from '../contract/outcome.ts';

/** The error of a program with what its operator can do about it, where a flag or the table of codes knows. */
export function withRunHint(error: ProgramError, mode: FileMode): ProgramError {
  const hint = error.hint ?? missingFlag(error, mode) ?? nextStep(error.code);
  return hint === undefined ? error : { ...error, hint };
}

// A program may word its own errors like this: the advice harms nobody, and flags are the operator's to give.
function missingFlag({ name, code, message }: ProgramError, mode: FileMode): string | undefined {
  if (code === 'UNSAFE_FLAG_MISSING') return 'Add --allow-write, if the program may write.';
  if (mode !== 'safe' || name !== 'ReferenceError') return undefined;
  const helper = helperNames.find((known) => message === `'${known}' is not defined`);
  if (helper === undefined) return undefined;
  return helper === 'write_file'
    ? 'Add --unsafe --allow-write, if the program may write files.'
    : 'Add --unsafe, if the program may read files.';
}

function nextStep(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(errorCodes, code)) return undefined;
  return errorCodes[code as ErrorCode].next; // just checked
}
