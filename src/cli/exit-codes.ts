import { type ErrorCode, errorCodes, isPortholeError } from '../contract/errors.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { UsageError } from './usage-error.ts';

/** What each exit code of the command means. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  limited: 6,
  failed: 7,
  fault: 70,
  interrupted: 130,
} as const;

/** The exit code for the outcome of a run. */
export function exitCodeOfOutcome(outcome: ProgramEnd): number {
  switch (outcome.status) {
    case 'completed':
      return exitCodes.done;
    case 'failed':
      return exitCodes.failed;
    case 'limited':
      return exitCodes.limited;
    case 'denied':
      return exitCodeOfCode(outcome.code);
    case 'aborted':
      return exitCodes.interrupted;
    case 'crashed':
      return exitCodes.fault;
  }
}

/** The exit code for an error that ended a command. */
export function exitCodeOfError(error: unknown): number {
  // What a command throws as an argument was a flag; a tool's refusals are answers, and keep the code of the table.
  if (error instanceof UsageError || isPortholeError(error, 'ARGUMENT_INVALID')) return exitCodes.usage;
  return isPortholeError(error) ? exitCodeOfCode(error.code) : exitCodes.fault;
}

/** The exit code for a refusal. */
export function exitCodeOfCode(code: ErrorCode): number {
  return errorCodes[code].exit;
}
