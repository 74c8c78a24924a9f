import { type ErrorCode, errorCodes } from '../contract/errors.ts';
import { type FileMode, type HelperName, helperNames, helpersByMode } from '../contract/mode.ts';
import type { ProgramError } from '../contract/outcome.ts';

/** The error of a program with what its operator can do about it, where a flag or the table of codes knows. */
export function withRunHint(error: ProgramError, mode: FileMode): ProgramError {
  const hint = error.hint ?? missingFlag(error, mode) ?? missingHost(error) ?? nextStep(error.code);
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
  list_files: 'Name what the program works on with --copy or --copy-rw.',
  remove_file: 'Name what the program works on with --copy or --copy-rw.',
};

// What programs written for Node or a browser reach for first.
const hostNames =
  'require module exports process Buffer fetch XMLHttpRequest window document setTimeout setInterval setImmediate'.split(
    ' ',
  );

function missingHost({ name, message }: ProgramError): string | undefined {
  if (name !== 'ReferenceError' || !hostNames.some((known) => message === `'${known}' is not defined`))
    return undefined;
  return 'A program has no modules, timers, network or process: values come in as input_data and go out with return.';
}

function nextStep(code: string | undefined): string | undefined {
  if (code === undefined || !Object.hasOwn(errorCodes, code)) return undefined;
  return errorCodes[code as ErrorCode].next; // just checked
}
