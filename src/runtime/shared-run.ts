import { recordStart } from '../calls/judged-run.ts';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import type { HelperName } from '../contract/mode.ts';
import type { ConsoleLine, Effect, ProgramEnd, RunOutcome, Warning } from '../contract/outcome.ts';
import { once } from '../cores/once.ts';
import { limitsOfExpressions, type TaskEnd } from '../sandbox/batch.ts';
import type { BatchTask } from '../sandbox/messages.ts';
import { RunClock } from '../sandbox/run-clock.ts';
import type { SandboxOutcome } from '../sandbox/sandbox-run.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import { createGuestHelpers, type GuestHelper } from '../tools/guest-helpers.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { type Begun, beginStaged, withChanges } from './begin-staged.ts';
import { type Done, endRun } from './end-run.ts';
import type { JudgedRun } from './judging.ts';
import { digestText } from './node-judging-powers.ts';
import type { ProgramWiring } from './program-wiring.ts';
import { endOfLife, endOfRefusal } from './refused-end.ts';
import { OwnedRunLife } from './run-life.ts';
import type { ParsedRunOptions, ParsedSharedRunOptions } from './run-options.ts';
import { reachedFiles } from './run-program.ts';

/** A run of several parts: programs, tool calls and expressions under one id, one gate, one log and one receipt. */
export interface SharedRun {
  readonly id: string;
  /** How it ended before it had its files: no part of it is to begin. */
  readonly stopped?: ProgramEnd;
  /** Asks whether a program may run; undefined when it may. */
  readonly permit: (program: ProgramToPermit) => Promise<ProgramEnd | undefined>;
  readonly runProgram: (program: ProgramOfRun) => Promise<ProgramEnd>;
  readonly callTool: (name: string, args: unknown, callId: string) => Promise<ToolAnswer>;
  /** Evaluates what bridges say about a value. */
  readonly evaluate: (tasks: readonly BatchTask[], input: unknown) => Promise<TaskEnds>;
  /** Ends the run where nothing came of it but an error for the caller. To be called once, instead of `end`. */
  readonly reject: (error: unknown) => void;
  /** Ends the run; what its parts printed, warned of and did is in the outcome. To be called once. */
  readonly end: (end: ProgramEnd) => RunOutcome;
}

/** A program that is asked about before any part of the run begins. */
export interface ProgramToPermit {
  readonly source: string;
  /** Shown with the question. */
  readonly about: Readonly<Record<string, string>>;
}

/** One program of the run. */
export interface ProgramOfRun extends Pick<ParsedRunOptions, 'source' | 'language' | 'file' | 'input' | 'limits'> {
  /** Identifies it within the run: its helper calls are numbered behind that. */
  readonly part: string;
}

/** How tasks ended: `ended` is about the one behind the last that has an end. */
export interface TaskEnds {
  readonly ends: readonly TaskEnd[];
  readonly ended?: ProgramEnd;
}

/** Opens a run of several parts. @throws PortholeError `AUDIT_UNAVAILABLE`, and in staged mode what copying throws */
export async function openSharedRun(
  text: string,
  options: ParsedSharedRunOptions,
  wiring: ProgramWiring,
): Promise<SharedRun> {
  const { settings, powers, judging, target, pool } = wiring;
  const { context: invocation, limits, now, signal } = options;
  const { mode, loaded } = settings;
  const runId = powers.newId();
  const clock = new RunClock();
  const startedMs = powers.monotonicMs();
  const judged = judging.openRun({ id: runId, context: invocation, signal, pauseClock: clock.pause });
  const { log, context } = judged;
  const done: Done = { effects: [], bytesRead: 0, bytesWritten: 0 };
  const told = {
    lines: [] as ConsoleLine[],
    truncated: false,
    warnings: [] as Warning[],
    memoryBytes: 0,
    calls: 0,
    bytes: 0,
  };
  let parts = 0;
  const recordEffect = (effect: Effect): void => void done.effects.push(effect);
  const count = (kind: 'read' | 'written', size: number): void => {
    done[kind === 'read' ? 'bytesRead' : 'bytesWritten'] += size;
  };
  const nextSeed = (): bigint => options.seedOfPart(parts++) ?? powers.randomSeed();

  try {
    const facts = { mode, limits, root: target?.root.rootPath, policyDigest: judging.policy.digest };
    recordStart(context, facts, log.isKept ? digestText(text) : undefined);
  } catch (error) {
    judged.end();
    throw error;
  }
  const reject = (error: unknown): void => {
    log.recordAfter('run.end', { status: 'rejected', ...(isPortholeError(error) ? { code: error.code } : {}) });
    judged.end();
  };
  const isStaged = mode === 'staged';
  const begun: Begun = isStaged ? await beginOrReject(options, judged, { wiring, reject }) : {};
  const { files, stopped = context.life.isOver() ? endOfLife(signal) : undefined } = begun;

  const helpersOf = (part: string, life: OwnedRunLife): ReadonlyMap<HelperName, GuestHelper> => {
    const reached = reachedFiles(mode, target, files);
    if (reached === undefined) return new Map();
    const caller = { context: { ...context, life }, recordEffect };
    const host = { ...reached, caller, count, tools: loaded?.settings.tools, callPrefix: `${part}/` };
    return createGuestHelpers(mode, host);
  };

  return {
    id: runId,
    ...(stopped === undefined ? {} : { stopped }),
    permit: async ({ source, about }) => {
      const action = { name: 'run', path: digestText(source) } as const;
      try {
        if (!context.gate.screen(action)) {
          await context.gate.permit({
            actions: [action],
            arguments: () => canonicalJsonOfAnyText({ ...about, source }),
          });
        }
        return undefined;
      } catch (error) {
        return endOfRefusal(error, context.life.isOver(), signal);
      }
    },
    runProgram: async ({ part, ...program }) => {
      // What a program that was ended still waits for must not happen later, though the run goes on.
      const life = new OwnedRunLife([context.life.signal]);
      try {
        const helpers = helpersOf(part, life);
        const seed = nextSeed();
        const outcome = await pool.run({ ...program, context: invocation, helpers, seed, now, signal, clock });
        takeOver(told, outcome, limits.consoleBytes);
        return outcome.end;
      } finally {
        life.end();
      }
    },
    callTool: async (name, args, callId) => {
      const reached = files?.target ?? target?.forTools;
      if (reached === undefined)
        throw new PortholeError('ROOT_INVALID', `Cannot call ${name}: the runtime has no root`);
      const { callTool } = await loadTools();
      const tools = loaded?.settings.tools;
      const answer = await callTool(name, args, { target: reached, context, callId, tools, recordEffect });
      if (answer.ok) countTool(done, name, answer.result);
      return answer;
    },
    evaluate: (tasks, input) => {
      const expressions = limitsOfExpressions(limits);
      return pool.evaluate({ tasks, input, context: invocation, limits: expressions, seed: nextSeed(), now, signal });
    },
    reject,
    end: (end) => {
      const { lines, truncated, warnings, memoryBytes, calls: helperCalls } = told;
      const wallMs = powers.monotonicMs() - startedMs;
      const outcome = { end, console: { lines, truncated }, warnings, wallMs, memoryBytes, helperCalls };
      try {
        const whole = endRun(outcome, { runId, mode, log, done });
        return isStaged ? withChanges(whole, files, invocation, wiring) : whole;
      } finally {
        judged.end();
      }
    },
  };
}

interface Beginning {
  readonly wiring: ProgramWiring;
  readonly reject: (error: unknown) => void;
}

async function beginOrReject(
  options: ParsedSharedRunOptions,
  judged: JudgedRun,
  { wiring, reject }: Beginning,
): Promise<Begun> {
  try {
    return await beginStaged(options, judged, wiring);
  } catch (error) {
    reject(error);
    throw error;
  }
}

// A run without tools does without.
const loadTools = once(() => import('../tools/table.ts'));

interface Told {
  readonly lines: ConsoleLine[];
  readonly warnings: Warning[];
  truncated: boolean;
  memoryBytes: number;
  calls: number;
  /** Of the lines. */
  bytes: number;
}

// Each program may print as much as a run; together they print no more than that either.
function takeOver(told: Told, outcome: SandboxOutcome, consoleBytes: number): void {
  const { console, warnings, memoryBytes, helperCalls } = outcome;
  for (const line of console.lines) {
    told.bytes += Buffer.byteLength(line.text) + 1;
    if (told.bytes > consoleBytes) told.truncated = true;
    else told.lines.push(line);
  }
  // A cycle says the same again and again.
  for (const warning of warnings) {
    if (!told.warnings.some(({ message }) => message === warning.message)) told.warnings.push(warning);
  }
  told.truncated ||= console.truncated;
  told.memoryBytes = Math.max(told.memoryBytes, memoryBytes);
  told.calls += helperCalls;
}

// As helpers are counted: what was handed over, and what was written.
function countTool(done: Done, name: string, { bytes, bytesAfter }: Readonly<Record<string, unknown>>): void {
  if (name === 'file_read' && typeof bytes === 'number') done.bytesRead += bytes;
  if (name !== 'file_read' && typeof bytesAfter === 'number') done.bytesWritten += bytesAfter;
}
