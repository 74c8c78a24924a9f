import { type ErrorCode, errorCodes } from '../contract/errors.ts';
import { type FileMode, type HelperName, helperNames, helpersByMode } from '../contract/mode.ts';
import type { ProgramError } from '../contract/outcome.ts';

/** The error of a program with what its operator can do about it, where a flag or the table of codes knows. */
export function withRunHint(error: ProgramError, mode: FileMode): ProgramError {
  const hint = error.hint ?? missingFlag(error, mode) ?? nextStep(error.code);
  return hint === undefined ? error : { ...error, hint };
}

// A program may word its own errors like this: the advice harms nobody, and flags are the operator's to give.
function missingFlag({ name, code, message }: ProgramError, mode: FileMode): string | undefined {
  if (code === 'UNSAFE_FLAG_MISSING') return 'Add --allow-write, if the program may write.';
  if (name !== 'ReferenceError') return undefined;
  const helper = helperNames.find((known) => message === `'${known}' is not defined`);
  return helper === undefined || helpersByMode[mode].includes(helper) ? undefined : flagsFor[helper];
}

const flagsFor: Readonly<Record<HelperName, string>> = {
  read_file: 'Add --unsafe, if the program may read files, or --copy to give it copies.',
  write_file:
    'Add --unsafe --allow-write, if the program may write files, or --copy-rw to write back what it makes of copies.',
  list_files: 'Only a staged run has it: add --copy or --copy-rw.',
  remove_file: 'Only a staged run has it: add --copy or --copy-rw.',
};

function nextStep(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(errorCodes, code)) return undefined;
  return errorCodes[code as ErrorCode].next; // just checked
}
