import { availableParallelism } from 'node:os';
import { PortholeError } from '../contract/errors.ts';
import { type FileMode, helperNames } from '../contract/mode.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { Powers } from '../contract/powers.ts';
import type { WriteBackReport } from '../contract/write-back.ts';
import { once } from '../cores/once.ts';
import type { Containment } from '../fs/disk-root.ts';
import type { Syscalls } from '../fs/syscalls.ts';
import type { Approver } from '../policy/approver.ts';
import { SandboxPool } from '../sandbox/pool.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { callOneTool } from './call-one-tool.ts';
import type { MigrateAnswer } from './migrate.ts';
import { refuseWiderLimits } from './narrow-policy.ts';
import { nodePowers } from './node-powers.ts';
import { loadPackagedFiles } from './packaged-files.ts';
import type { ApplyOptions, MigrateOptions, ProposeOptions } from './proposal-options.ts';
import type { ApplyAnswer, ProposeAnswer } from './proposals.ts';
import {
  parseRunOptions,
  parseToolCallOptions,
  type RunOptions,
  type ToolCallOptions,
  type WriteBackOptions,
} from './run-options.ts';
import { runProgram } from './run-program.ts';
import { parseRuntimeOptions, type RuntimeOptions } from './runtime-options.ts';
import { registerRuntime } from './runtime-parts.ts';
import { type RuntimeSettings, type SurfaceDefaults, settleOptions } from './settings.ts';
import { createStagedEnds } from './staged-ends.ts';
import type { StartedSandbox } from './started-sandbox.ts';
import { openWiring } from './wiring.ts';

/** One wired runtime: a root, a mode, limits, and threads that run programs. */
export interface Runtime extends AsyncDisposable {
  /**
   * Runs one program. Resolves for every way it can end; rejects only where nothing ran.
   * @throws {@link PortholeError} `ARGUMENT_INVALID`, `LIMIT_INVALID`, `INPUT_NOT_SERIALIZABLE`, `QUEUE_FULL`,
   * `RUNTIME_CLOSED`, `RUNTIME_UNAVAILABLE`
   */
  readonly run: (options: RunOptions) => Promise<RunOutcome>;
  /**
   * Calls a tool as a model would; what the tool refuses is an answer, too.
   * @throws {@link PortholeError} `ARGUMENT_INVALID` for an unknown tool or a wrong context, `ROOT_INVALID` without a
   * root, `RUNTIME_CLOSED`
   */
  readonly callTool: (name: string, args: unknown, options?: ToolCallOptions) => Promise<ToolAnswer>;
  /**
   * The changes of a staged run as a patch that `git apply` takes; empty for none.
   * @throws {@link PortholeError} `ARGUMENT_INVALID` for an outcome that is not of a staged run of this runtime
   */
  readonly renderDiff: (outcome: RunOutcome) => Promise<string>;
  /**
   * Writes the changes of a completed staged run back to what was copied with `copyRw`. What is refused or fails is in
   * the report; null, and nothing written, for a run that did not complete.
   * @throws {@link PortholeError} `ARGUMENT_INVALID` as {@link renderDiff}, `RUNTIME_CLOSED`
   */
  readonly writeBack: (outcome: RunOutcome, options?: WriteBackOptions) => Promise<WriteBackReport | null>;
  /**
   * Asks a model for a verdict on what has to change. Nothing is written.
   * @throws {@link PortholeError} `ARGUMENT_INVALID`, `ATTEMPTS_SPENT`, `PROVIDER_…`, `VERDICT_INVALID`, `ROOT_INVALID`,
   * `RUNTIME_CLOSED`; the signal's reason once it is raised
   */
  readonly propose: (options: ProposeOptions) => Promise<ProposeAnswer>;
  /**
   * Applies a verdict: all of its edits or none, in the files that `allow` covers. What the checks refuse is an answer.
   * @throws {@link PortholeError} `ARGUMENT_INVALID`, `VERDICT_INVALID`, `ATTEMPTS_SPENT`, `MODE_SAFE`, `POLICY_DENIED`,
   * `APPROVAL_NEEDED`, `APPROVAL_DENIED`, `CHANGED_SINCE_READ`, `ROOT_INVALID`, `RUNTIME_CLOSED`, and what writing throws
   */
  readonly apply: (options: ApplyOptions) => Promise<ApplyAnswer>;
  /**
   * Moves whole documents to a new schema: all of them or none, on the lines that change. What the checks refuse is an
   * answer.
   * @throws {@link PortholeError} as `propose` and `apply` do
   */
  readonly migrate: (options: MigrateOptions) => Promise<MigrateAnswer>;
  /** How escapes from the root are prevented on this machine; null without a root. */
  readonly containment: Containment | null;
  /** The file of the audit log, `memory`, or `off`. */
  readonly auditLog: string;
  /** Ends every thread and question, the log and the root; running programs end `aborted`. May be called again. */
  readonly close: () => Promise<void>;
}

/** What only Porthole's own surfaces and tests decide. */
export interface Internals extends SurfaceDefaults {
  /** The sandbox's files and a thread that was started early. Default: both when the first run needs them. */
  readonly sandbox?: StartedSandbox;
  /** Who is asked, with all an approver can answer. Default: the callback of the options. */
  readonly approver?: Approver;
  /** Told after every file that a staged run copies in how many of how many are there. Default: nobody is. */
  readonly onCopied?: (done: number, total: number) => void;
  /** The operating system below the root. Default: the real one. */
  readonly syscalls?: Syscalls;
}

/** Wires a runtime. */
export async function wireRuntime(given: RuntimeOptions = {}, internals: Internals = {}): Promise<Runtime> {
  const options = parseRuntimeOptions(given);
  const settings = await settleOptions(options, internals);
  const wiring = openWiring(settings, { ...nodePowers, ...options.powers }, internals);
  const { judging, target, powers } = wiring;
  const ends = createStagedEnds(wiring);
  let pool: SandboxPool | undefined;
  let closed: Promise<void> | undefined;
  const refuseIfClosed = (what: string): void => {
    if (closed !== undefined) throw new PortholeError('RUNTIME_CLOSED', `Cannot ${what}: the runtime was closed`);
  };
  const endAll = async (): Promise<void> => {
    judging.endQuestions();
    await pool?.close();
    await judging.close();
    target?.close();
  };
  const close = (): Promise<void> => {
    closed ??= endAll();
    return closed;
  };
  const openPool = (): SandboxPool => {
    pool ??= createPool(settings, powers, internals);
    return pool;
  };
  const runtime: Runtime = {
    run: async (given) => {
      refuseIfClosed('run');
      const run = parseRunOptions(given, settings.limits);
      if (settings.loaded !== undefined) refuseWiderLimits(settings.loaded, run.limits);
      if (run.staged !== undefined && settings.mode !== 'staged') throw notStaged(settings.mode);
      return await runProgram(run, { ...wiring, pool: openPool(), keepStaged: ends.keep });
    },
    callTool: async (name, args, more) => {
      const call = parseToolCallOptions(more);
      refuseIfClosed(`call ${name}`);
      return await callOneTool(name, args, { ...wiring, call });
    },
    renderDiff: ends.renderDiff,
    writeBack: async (outcome, more) => {
      refuseIfClosed('write back');
      return await ends.writeBack(outcome, more);
    },
    propose: async (options) => {
      refuseIfClosed('propose');
      return await (await import('./proposals.ts')).proposeInRuntime(options, wiring);
    },
    apply: async (options) => {
      refuseIfClosed('apply');
      return await (await import('./proposals.ts')).applyInRuntime(options, wiring);
    },
    migrate: async (options) => {
      refuseIfClosed('migrate');
      return await (await import('./migrate.ts')).migrateInRuntime(options, wiring);
    },
    containment: target?.root.containment ?? null,
    auditLog: judging.log.path,
    close,
    [Symbol.asyncDispose]: close,
  };
  registerRuntime(runtime, {
    mode: settings.mode,
    limits: settings.limits,
    pool: openPool,
    monotonicMs: powers.monotonicMs,
    openSharedRun: async (text, options) => {
      refuseIfClosed('run');
      if (settings.loaded !== undefined) refuseWiderLimits(settings.loaded, options.limits);
      const { openSharedRun } = await loadSharedRun();
      if (options.staged !== undefined && settings.mode !== 'staged') throw notStaged(settings.mode);
      return await openSharedRun(text, options, { ...wiring, pool: openPool(), keepStaged: ends.keep });
    },
  });
  return runtime;
}

function notStaged(mode: FileMode): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot use staged: the runtime is of ${mode} mode`, {
    hint: 'Create the runtime with mode: "staged".',
  });
}

// A plain run does without.
const loadSharedRun = once(() => import('./shared-run.ts'));

// Made by the first run: a runtime that only calls tools starts no thread and compiles nothing.
function createPool(
  { limits, options }: RuntimeSettings,
  { monotonicMs }: Powers,
  { sandbox }: Internals,
): SandboxPool {
  const { maxQueue, workers = defaultWorkers() } = options;
  const pool = { workers, maxQueue, limits, helperNames, monotonicMs };
  return sandbox === undefined
    ? new SandboxPool(loadPackagedFiles(), pool)
    : new SandboxPool(sandbox.files, { ...pool, spare: sandbox.spare });
}

// More than four programs at once is a server's decision to make.
function defaultWorkers(): number {
  return Math.min(availableParallelism(), 4);
}
