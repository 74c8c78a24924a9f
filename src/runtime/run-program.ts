import { judgeRun } from '../calls/judged-run.ts';
import { PortholeError } from '../contract/errors.ts';
import type { FileMode, HelperName } from '../contract/mode.ts';
import type { Effect, ProgramEnd, RunOutcome } from '../contract/outcome.ts';
import { once } from '../cores/once.ts';
import { RunClock } from '../sandbox/run-clock.ts';
import type { SandboxOutcome } from '../sandbox/sandbox-run.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import { createGuestHelpers, type GuestHelper, type HelperHost } from '../tools/guest-helpers.ts';
import { type Begun, beginStaged, withChanges } from './begin-staged.ts';
import { type Done, endRun } from './end-run.ts';
import type { JudgedRun } from './judging.ts';
import { digestText } from './node-judging-powers.ts';
import type { ProgramWiring } from './program-wiring.ts';
import { endOfRefusal } from './refused-end.ts';
import type { ParsedRunOptions } from './run-options.ts';
import type { StagedRun } from './staged-run.ts';
import type { Wiring } from './wiring.ts';

/** Runs one program from the question whether it may to its outcome, and records both. */
export async function runProgram(run: ParsedRunOptions, wiring: ProgramWiring): Promise<RunOutcome> {
  const { judging, powers, settings } = wiring;
  const runId = powers.newId();
  const clock = new RunClock();
  const { context, signal } = run;
  const judged = judging.openRun({ id: runId, context, signal, pauseClock: clock.pause });
  const done = { effects: [] as Effect[], bytesRead: 0, bytesWritten: 0 };
  try {
    const refusal = refusalToStart(run, judged, wiring);
    const refused = refusal instanceof Promise ? await refusal : refusal;
    const isStaged = settings.mode === 'staged';
    const { stopped = refused, files } =
      isStaged && refused === undefined ? await beginStaged(run, judged, wiring) : live;
    const outcome =
      stopped === undefined ? await runInSandbox(run, { judged, wiring, clock, done, files }) : neverRan(stopped);
    const whole = endRun(outcome, { runId, mode: settings.mode, log: judged.log, done });
    return isStaged ? withChanges(whole, files, context, wiring) : whole;
  } catch (error) {
    // Nothing ran; what is rejected is told to the caller alone, and the log says that there is no more to come.
    const code = error instanceof PortholeError ? { code: error.code } : {};
    judged.log.recordAfter('run.end', { status: 'rejected', ...code });
    throw error;
  } finally {
    judged.end();
  }
}

const live: Begun = {};

// Waits only where somebody is asked: a thread that is given its program late has gone to sleep meanwhile.
function refusalToStart(
  run: ParsedRunOptions,
  { context }: JudgedRun,
  { settings, target, judging }: ProgramWiring,
): ProgramEnd | undefined | Promise<ProgramEnd | undefined> {
  const { mode } = settings;
  const digest = once(() => digestText(run.source));
  const root = target?.root.rootPath;
  const { source, file, limits } = run;
  const shown = () => canonicalJsonOfAnyText({ file, source });
  const facts = { digest, shown, mode, limits, root, policyDigest: judging.policy.digest };
  const refuse = (error: unknown): ProgramEnd => endOfRefusal(error, context.life.isOver(), run.signal);
  try {
    return judgeRun(context, facts)?.then(() => undefined, refuse);
  } catch (error) {
    return refuse(error);
  }
}

interface RunParts {
  readonly judged: JudgedRun;
  readonly wiring: ProgramWiring;
  readonly clock: RunClock;
  readonly done: Done;
  /** The files of a staged run. */
  readonly files: StagedRun | undefined;
}

function runInSandbox(run: ParsedRunOptions, parts: RunParts): Promise<SandboxOutcome> {
  const { clock, wiring } = parts;
  const { source, language, file, input, context, limits, now, signal } = run;
  const seed = run.seed ?? wiring.powers.randomSeed();
  const helpers = helpersOf(parts);
  return wiring.pool.run({ source, language, file, input, context, helpers, limits, seed, now, signal, clock });
}

function helpersOf({ judged, wiring, done, files }: RunParts): ReadonlyMap<HelperName, GuestHelper> {
  const { settings, target } = wiring;
  const reached = reachedFiles(settings.mode, target, files);
  if (reached === undefined) return noHelpers;
  const count = (kind: 'read' | 'written', size: number): void => {
    done[kind === 'read' ? 'bytesRead' : 'bytesWritten'] += size;
  };
  const caller = { context: judged.context, recordEffect: (effect: Effect) => void done.effects.push(effect) };
  const tools = settings.loaded?.settings.tools;
  return createGuestHelpers(settings.mode, { ...reached, caller, count, tools });
}

/** What helpers reach, by the mode of the run. */
export function reachedFiles(
  mode: FileMode,
  target: Wiring['target'],
  files: StagedRun | undefined,
): Pick<HelperHost, 'target' | 'tree'> | undefined {
  if (mode === 'staged') return files && { target: files.target, tree: files.target };
  return mode === 'unsafe' && target !== undefined ? { target: target.forHelpers } : undefined;
}

const noHelpers: ReadonlyMap<HelperName, GuestHelper> = new Map();

function neverRan(end: ProgramEnd): SandboxOutcome {
  const console = { lines: [], truncated: false };
  return { end, console, warnings: [], wallMs: 0, memoryBytes: 0, helperCalls: 0 };
}
