import { defaultLimits, type Limits } from '../../contract/limits.ts';
import { helperNames } from '../../contract/mode.ts';
import type { ProgramEnd } from '../../contract/outcome.ts';
import { BatchRun, limitsOfExpressions, runBatch, type SandboxBatch, type TaskEnd } from '../batch.ts';
import { createControlBlock, HostControl } from '../control-block.ts';
import type { Helper } from '../helper.ts';
import type { HostedWork } from '../hosted-work.ts';
import { renderImage } from '../image.ts';
import type { BatchTask, HelperReply, WorkerMessage, WorkMessage } from '../messages.ts';
import { type PoolOptions, SandboxPool } from '../pool.ts';
import { prepareBatch } from '../prepare-batch.ts';
import { prepareProgram, programText, type SandboxProgram } from '../prepare-program.ts';
import { type SandboxOutcome, SandboxRun } from '../sandbox-run.ts';
import { TypeStripper } from '../type-stripper.ts';
import { createSession } from '../worker-session.ts';
import { engineModule, image, sandboxFiles, stripWorkerUrl } from './sandbox-files.ts';

/** What a test says about a program; the rest is as a caller would leave it. */
export type ProgramOptions = Partial<Omit<SandboxProgram, 'helpers' | 'limits' | 'source'>> & {
  readonly helpers?: Readonly<Record<string, Helper>>;
  readonly limits?: Partial<Limits>;
};

/** A program with everything a test did not say. */
export function program(source: string, { helpers = {}, limits, ...more }: ProgramOptions = {}): SandboxProgram {
  return {
    source,
    language: 'js',
    file: 'program.js',
    input: undefined,
    context: {},
    helpers: new Map(Object.entries(helpers)),
    limits: { ...defaultLimits, ...limits },
    seed: 0x9e3779b97f4a7c15n,
    now: undefined,
    signal: undefined,
    ...more,
  };
}

/** A pool of real threads. */
export async function createPool(options: Partial<PoolOptions> = {}): Promise<SandboxPool> {
  return new SandboxPool(await sandboxFiles(), {
    workers: 1,
    maxQueue: 100,
    limits: defaultLimits,
    helperNames,
    monotonicMs: () => performance.now(),
    ...options,
  });
}

const controlBlock = createControlBlock();
const control = new HostControl(controlBlock);
let receiver: (message: WorkerMessage) => void = () => {};
let reply: HelperReply | undefined;
const preparation = {
  helperNames,
  stripper: new TypeStripper(stripWorkerUrl, 1),
  monotonicMs: () => performance.now(),
};
let session: ((message: WorkMessage) => void) | undefined;

/**
 * Runs a program on this very thread, with the session that a worker has: coverage sees it. Helpers answer at once.
 * Deep recursion is for a pool: this thread's stack is too small for it.
 */
export async function runHere(source: string, options: ProgramOptions = {}): Promise<SandboxOutcome> {
  const asked = program(source, options);
  const run = new SandboxRun(
    asked.limits,
    programText(asked),
    helperNames.map((name) => asked.helpers.get(name)),
  );
  const prepared = await prepareProgram(asked, run, preparation);
  return 'status' in prepared ? run.finishKilled(prepared, 0) : runPrepared(prepared, run);
}

/** How a program ends that is run by {@link runHere}. */
export async function endOf(source: string, options: ProgramOptions = {}): Promise<ProgramEnd> {
  return (await runHere(source, options)).end;
}

/** The value of a program that completes; throws the end of one that does not. */
export async function resultOf(source: string, options: ProgramOptions = {}): Promise<unknown> {
  const end = await endOf(source, options);
  if (end.status === 'completed') return end.value;
  throw new Error(`the program did not complete: ${JSON.stringify(end)}`);
}

/** What a program prints, one text per call. */
export async function printedBy(source: string, options: ProgramOptions = {}): Promise<readonly string[]> {
  const outcome = await runHere(source, options);
  if (outcome.end.status !== 'completed')
    throw new Error(`the program did not complete: ${JSON.stringify(outcome.end)}`);
  return outcome.console.lines.map(({ text }) => text);
}

/** What a test says about a batch; the rest is as a workflow would leave it. */
export type GivenBatch = Partial<Omit<SandboxBatch, 'tasks'>>;

/** Does the tasks of a batch on this very thread. */
export function evaluateHere(
  tasks: readonly BatchTask[],
  given: GivenBatch = {},
): Promise<{ readonly ends: readonly TaskEnd[]; readonly ended?: ProgramEnd }> {
  const { limits = limitsOfExpressions(defaultLimits), seed = 1n, ...more } = given;
  const batch = { input: undefined, context: {}, now: undefined, signal: undefined, ...more, limits, seed };
  const prepared = prepareBatch({ ...batch, tasks });
  if ('status' in prepared) return Promise.resolve({ ends: [], ended: prepared });
  return runBatch(tasks, async (next) =>
    runPrepared({ ...prepared, tasks: next, seed }, new BatchRun(next, limits, helperNames)),
  );
}

function runPrepared<Outcome>(message: WorkMessage, run: HostedWork<Outcome>): Outcome {
  let outcome: Outcome | undefined;
  receiver = (received) => {
    if (received.kind !== 'ready') outcome = run.take(received, answer) ?? outcome;
  };
  session ??= createSession(
    engineModule,
    {
      image: renderImage(image),
      control: controlBlock,
      memoryBytes: defaultLimits.memoryBytes,
      resultBytes: defaultLimits.resultBytes,
    },
    {
      post: (sent, transfer) => receiver(structuredClone(sent, { transfer: [...transfer] })),
      receive: () => reply ?? { kind: 'stop' },
      monotonicMs: () => performance.now(),
    },
  );
  session(message);
  if (outcome === undefined) throw new Error('the session did not report the end of the program');
  return outcome;
}

function answer(given: HelperReply): void {
  control.reply(given, (message) => {
    reply = structuredClone(message);
  });
}
