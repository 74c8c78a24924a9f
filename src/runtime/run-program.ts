import type { CallContext } from '../calls/call-context.ts';
import { judgeRun } from '../calls/judged-run.ts';
import type { AuditDetails } from '../contract/audit-event.ts';
import { PortholeError } from '../contract/errors.ts';
import type { HelperName } from '../contract/mode.ts';
import type { Effect, ProgramEnd, RunOutcome, Warning } from '../contract/outcome.ts';
import { once } from '../cores/once.ts';
import type { SandboxPool } from '../sandbox/pool.ts';
import { RunClock } from '../sandbox/run-clock.ts';
import { crashed, type SandboxOutcome } from '../sandbox/sandbox-run.ts';
import { createGuestHelpers, type GuestHelper } from '../tools/guest-helpers.ts';
import type { JudgedRun } from './judging.ts';
import { digestText } from './node-judging-powers.ts';
import type { ParsedRunOptions } from './run-options.ts';
import type { Wiring } from './wiring.ts';

/** A wired runtime with its threads. */
export interface ProgramWiring extends Wiring {
  readonly pool: SandboxPool;
}

/** Runs one program from the question whether it may to its outcome, and records both. */
export async function runProgram(run: ParsedRunOptions, wiring: ProgramWiring): Promise<RunOutcome> {
  const { judging, powers, settings } = wiring;
  const runId = powers.newId();
  const clock = new RunClock();
  const judged = judging.openRun({ id: runId, context: run.context, signal: run.signal, pauseClock: clock.pause });
  const done = { effects: [] as Effect[], bytesRead: 0, bytesWritten: 0 };
  try {
    const refusal = refusalToStart(run, judged, wiring);
    const refused = refusal instanceof Promise ? await refusal : refusal;
    const outcome =
      refused === undefined ? await runInSandbox(run, { judged, wiring, clock, done }) : neverRan(refused);
    judged.log.recordAfter('run.end', describeEnd(outcome.end));
    const { end, console } = outcome;
    const warnings = judged.log.lost() === 0 ? outcome.warnings : [...outcome.warnings, lostEvents(judged)];
    // Added to the end itself, which nobody else holds: a copy of a union costs a tenth of a small run.
    return Object.assign(end, {
      runId,
      mode: settings.mode,
      console,
      warnings,
      usage: usage(outcome, done),
      effects: done.effects,
      receipt: judged.log.receipt(),
    });
  } catch (error) {
    // Nothing ran; what is rejected is told to the caller alone, and the log says that there is no more to come.
    const code = error instanceof PortholeError ? { code: error.code } : {};
    judged.log.recordAfter('run.end', { status: 'rejected', ...code });
    throw error;
  } finally {
    judged.end();
  }
}

// Waits only where somebody is asked: a thread that is given its program late has gone to sleep meanwhile.
function refusalToStart(
  run: ParsedRunOptions,
  { context }: JudgedRun,
  { settings, target, judging }: ProgramWiring,
): ProgramEnd | undefined | Promise<ProgramEnd | undefined> {
  const { mode } = settings;
  const digest = once(() => digestText(run.source));
  const facts = { digest, mode, limits: run.limits, root: target?.root.rootPath, policyDigest: judging.policy.digest };
  const refuse = (error: unknown): ProgramEnd => describeRefusal(error, run, context);
  try {
    return judgeRun(context, facts)?.then(() => undefined, refuse);
  } catch (error) {
    return refuse(error);
  }
}

function describeRefusal(error: unknown, { signal }: ParsedRunOptions, { life }: CallContext): ProgramEnd {
  if (signal?.aborted) return { status: 'aborted', reason: signal.reason };
  if (life.isOver()) return { status: 'aborted', reason: closedWhileAsking() };
  if (!(error instanceof PortholeError)) return crashed(error);
  return { status: 'denied', code: error.code, decision: error.message };
}

function closedWhileAsking(): PortholeError {
  return new PortholeError('RUNTIME_CLOSED', 'Cannot go on: the runtime was closed');
}

interface Done {
  readonly effects: Effect[];
  bytesRead: number;
  bytesWritten: number;
}

interface RunParts {
  readonly judged: JudgedRun;
  readonly wiring: ProgramWiring;
  readonly clock: RunClock;
  readonly done: Done;
}

function runInSandbox(run: ParsedRunOptions, parts: RunParts): Promise<SandboxOutcome> {
  const { clock, wiring } = parts;
  const { source, language, file, input, context, limits, now, signal } = run;
  const seed = run.seed ?? wiring.powers.randomSeed();
  const helpers = helpersOf(parts);
  return wiring.pool.run({ source, language, file, input, context, helpers, limits, seed, now, signal, clock });
}

function helpersOf({ judged, wiring, done }: RunParts): ReadonlyMap<HelperName, GuestHelper> {
  const { settings, target } = wiring;
  if (target === undefined || settings.mode === 'safe') return noHelpers;
  const count = (kind: 'read' | 'written', size: number): void => {
    done[kind === 'read' ? 'bytesRead' : 'bytesWritten'] += size;
  };
  const caller = { context: judged.context, recordEffect: (effect: Effect) => void done.effects.push(effect) };
  const tools = settings.loaded?.settings.tools;
  return createGuestHelpers(settings.mode, { target: target.forHelpers, caller, count, tools });
}

const noHelpers: ReadonlyMap<HelperName, GuestHelper> = new Map();

function neverRan(end: ProgramEnd): SandboxOutcome {
  const console = { lines: [], truncated: false };
  return { end, console, warnings: [], wallMs: 0, memoryBytes: 0, helperCalls: 0 };
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

function lostEvents({ log }: JudgedRun): Warning {
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
