import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { CallTarget } from '../calls/judged-call.ts';
import { PortholeError } from '../contract/errors.ts';
import { type HelperName, helperNames } from '../contract/mode.ts';
import type { Effect, RunOutcome } from '../contract/outcome.ts';
import type { Powers } from '../contract/powers.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { type Containment, createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import type { Syscalls } from '../fs/syscalls.ts';
import { SandboxPool } from '../sandbox/pool.ts';
import type { SandboxOutcome } from '../sandbox/sandbox-run.ts';
import { createGuestHelpers, type GuestHelper } from '../tools/guest-helpers.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import { nodePowers, ownPaths } from './node-powers.ts';
import { loadPackagedFiles } from './packaged-files.ts';
import {
  type ParsedRunOptions,
  parseRunOptions,
  parseToolCallOptions,
  type RunOptions,
  type ToolCallOptions,
} from './run-options.ts';
import { type ParsedRuntimeOptions, parseRuntimeOptions, type RuntimeOptions } from './runtime-options.ts';
import type { StartedSandbox } from './started-sandbox.ts';

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
  /** Ends every thread and lets go of the root; running programs end `aborted`. May be called again. */
  readonly close: () => Promise<void>;
}

/** What only Porthole's own surfaces and tests decide. */
export interface Internals {
  /** The sandbox's files and a thread that was started early. Default: both when the first run needs them. */
  readonly sandbox?: StartedSandbox;
  /** The operating system below the root. Default: the real one. */
  readonly syscalls?: Syscalls;
}

/** Wires a runtime. The library's `createRuntime` adds nothing but the promise. */
export function wireRuntime(given: RuntimeOptions = {}, internals: Internals = {}): Runtime {
  const options = parseRuntimeOptions(given);
  const powers: Powers = { ...nodePowers, ...options.powers };
  const root = options.root === undefined ? null : openRoot(options.root, options, internals);
  const target = root && createTarget(root, powers);
  let pool: SandboxPool | undefined;
  let isClosed = false;
  const refuseIfClosed = (what: string): void => {
    if (isClosed) throw new PortholeError('RUNTIME_CLOSED', `Cannot ${what}: the runtime was closed`);
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    await pool?.close();
    root?.close();
  };
  return {
    run: async (given) => {
      refuseIfClosed('run');
      const run = parseRunOptions(given, options.limits);
      pool ??= createPool(options, powers, internals);
      return await runProgram(run, { options, powers, pool, target });
    },
    callTool: async (name, args, more) => {
      const context = parseToolCallOptions(more);
      refuseIfClosed(`call ${name}`);
      if (target === null) throw new PortholeError('ROOT_INVALID', `Cannot call ${name}: the runtime has no root`);
      // Loaded by the first call: the schemas cost more than everything else a plain run needs.
      const { callTool } = await import('../tools/table.ts');
      return callTool(name, args, { target, mode: options.mode, context });
    },
    containment: root?.containment ?? null,
    close,
    [Symbol.asyncDispose]: close,
  };
}

// Made by the first run: a runtime that only calls tools starts no thread and compiles nothing.
function createPool(options: ParsedRuntimeOptions, { monotonicMs }: Powers, { sandbox }: Internals): SandboxPool {
  const { limits, maxQueue, workers = defaultWorkers() } = options;
  const pool = { workers, maxQueue, limits, helperNames, monotonicMs };
  return sandbox === undefined
    ? new SandboxPool(loadPackagedFiles(), pool)
    : new SandboxPool(sandbox.files, { ...pool, spare: sandbox.spare });
}

interface Wiring {
  readonly options: ParsedRuntimeOptions;
  readonly powers: Powers;
  readonly pool: SandboxPool;
  readonly target: CallTarget | null;
}

async function runProgram(run: ParsedRunOptions, { options, powers, pool, target }: Wiring): Promise<RunOutcome> {
  const { mode } = options;
  const runId = powers.newId();
  const effects: Effect[] = [];
  const bytes = { read: 0, written: 0 };
  const caller = { mode, context: run.context, record: (effect: Effect) => void effects.push(effect) };
  const count = (kind: 'read' | 'written', size: number) => {
    bytes[kind] += size;
  };
  const helpers: ReadonlyMap<HelperName, GuestHelper> =
    target === null ? new Map() : createGuestHelpers(mode, { target, caller, count });
  const seed = run.seed ?? powers.randomSeed();
  const { source, language, file, input, context, limits, now, signal } = run;
  const outcome = await pool.run({ source, language, file, input, context, helpers, limits, seed, now, signal });
  const { end, console, warnings } = outcome;
  // Added to the end itself, which nobody else holds: a copy of a union costs a tenth of a small run.
  return Object.assign(end, { runId, mode, console, warnings, usage: usage(outcome, bytes), effects });
}

function usage(
  { wallMs, memoryBytes, helperCalls }: SandboxOutcome,
  { read, written }: { readonly read: number; readonly written: number },
): RunOutcome['usage'] {
  // Microseconds: what the clock shows beyond is noise.
  return { wallMs: Math.round(wallMs * 1000) / 1000, memoryBytes, helperCalls, bytesRead: read, bytesWritten: written };
}

function openRoot(root: string, options: ParsedRuntimeOptions, { syscalls }: Internals): DiskRoot {
  const protectedPaths = [...ownPaths(), ...options.protectedPaths.map((path) => resolve(path))];
  const { requireRaceFree } = options;
  return createDiskRoot({ root, requireRaceFree, protectedPaths, ...(syscalls === undefined ? {} : { syscalls }) });
}

// One call moves at most this much: more than any text somebody reads, far less than a host's memory.
const maxCallBytes = 16 * 1024 * 1024;

function createTarget(fs: DiskRoot, { digest }: Powers): CallTarget {
  const powers = {
    digest,
    maxReadBytes: maxCallBytes,
    maxWriteBytes: maxCallBytes,
    cursors: createWindowCursors(),
    lineCursors: createWindowCursors(),
  };
  return { fs, powers };
}

// More than four programs at once is a server's decision to make.
function defaultWorkers(): number {
  return Math.min(availableParallelism(), 4);
}
