import type { RunLog } from '../audit/log.ts';
import type { AuditDetails } from '../contract/audit-event.ts';
import type { FileMode } from '../contract/mode.ts';
import type { Effect, ProgramEnd, RunOutcome, Warning } from '../contract/outcome.ts';
import type { SandboxOutcome } from '../sandbox/sandbox-run.ts';

/** What helpers and tools did so far. */
export interface Done {
  readonly effects: Effect[];
  bytesRead: number;
  bytesWritten: number;
}

/** What a run is told to have been. */
export interface EndingRun {
  readonly runId: string;
  readonly mode: FileMode;
  readonly log: RunLog;
  readonly done: Done;
}

/** Records how a run ended and makes its outcome. */
export function endRun(outcome: SandboxOutcome, { runId, mode, log, done }: EndingRun): RunOutcome {
  log.recordAfter('run.end', describeEnd(outcome.end));
  const { end, console } = outcome;
  const warnings = log.lost() === 0 ? outcome.warnings : [...outcome.warnings, lostEvents(log)];
  // Added to the end itself, which nobody else holds: a copy of a union costs a tenth of a small run.
  return Object.assign(end, {
    runId,
    mode,
    console,
    warnings,
    usage: usage(outcome, done),
    effects: done.effects,
    receipt: log.receipt(),
  });
}

// Nothing of what the guest says: its words are in the outcome, and the log is not theirs to write.
function describeEnd(end: ProgramEnd): AuditDetails['run.end'] {
  const { status } = end;
  switch (end.status) {
    case 'completed':
    case 'aborted':
      return { status };
    case 'failed':
      return { status, reason: end.error.kind };
    case 'limited':
      return { status, reason: end.limit };
    case 'denied':
      return { status, code: end.code, reason: end.decision };
    case 'crashed':
      return { status, reason: end.error.message.slice(0, maxReasonLength).toWellFormed() };
  }
}

// A sentence about a fault; more belongs into the outcome.
const maxReasonLength = 300;

function lostEvents(log: RunLog): Warning {
  const lost = log.lost();
  const what = lost === 1 ? 'one event' : `${lost} events`;
  const message = `The audit log lacks ${what} of this run, which could not be recorded`;
  return { code: 'AUDIT_INCOMPLETE', message };
}

function usage({ wallMs, memoryBytes, helperCalls }: SandboxOutcome, done: Done): RunOutcome['usage'] {
  const { bytesRead, bytesWritten } = done;
  // Microseconds: what the clock shows beyond is noise.
  return { wallMs: Math.round(wallMs * 1000) / 1000, memoryBytes, helperCalls, bytesRead, bytesWritten };
}
