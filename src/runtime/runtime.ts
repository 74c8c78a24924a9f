import { availableParallelism } from 'node:os';
import { PortholeError } from '../contract/errors.ts';
import { helperNames } from '../contract/mode.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { Powers } from '../contract/powers.ts';
import type { Containment } from '../fs/disk-root.ts';
import type { Syscalls } from '../fs/syscalls.ts';
import type { Approver } from '../policy/approver.ts';
import { SandboxPool } from '../sandbox/pool.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { callOneTool } from './call-one-tool.ts';
import { refuseWiderLimits } from './narrow-policy.ts';
import { nodePowers } from './node-powers.ts';
import { loadPackagedFiles } from './packaged-files.ts';
import { parseRunOptions, parseToolCallOptions, type RunOptions, type ToolCallOptions } from './run-options.ts';
import { runProgram } from './run-program.ts';
import { parseRuntimeOptions, type RuntimeOptions } from './runtime-options.ts';
import { type RuntimeSettings, type SurfaceDefaults, settleOptions } from './settings.ts';
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
  /** The operating system below the root. Default: the real one. */
  readonly syscalls?: Syscalls;
}

/** Wires a runtime. */
export async function wireRuntime(given: RuntimeOptions = {}, internals: Internals = {}): Promise<Runtime> {
  const options = parseRuntimeOptions(given);
  const settings = await settleOptions(options, internals);
  const wiring = openWiring(settings, { ...nodePowers, ...options.powers }, internals);
  const { judging, target, powers } = wiring;
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
  return {
    run: async (given) => {
      refuseIfClosed('run');
      const run = parseRunOptions(given, settings.limits);
      if (settings.loaded !== undefined) refuseWiderLimits(settings.loaded, run.limits);
      pool ??= createPool(settings, powers, internals);
      return await runProgram(run, { ...wiring, pool });
    },
    callTool: async (name, args, more) => {
      const call = parseToolCallOptions(more);
      refuseIfClosed(`call ${name}`);
      return await callOneTool(name, args, { ...wiring, call });
    },
    containment: target?.root.containment ?? null,
    auditLog: judging.log.path,
    close,
    [Symbol.asyncDispose]: close,
  };
}

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
