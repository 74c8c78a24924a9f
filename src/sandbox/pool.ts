import { PortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { BatchRun, batchTimeMs, runBatch, type SandboxBatch, type TaskEnd } from './batch.ts';
import { Deadlines } from './deadlines.ts';
import type { Helper } from './helper.ts';
import type { HostedWork } from './hosted-work.ts';
import type { BatchMessage, WorkMessage } from './messages.ts';
import { prepareBatch } from './prepare-batch.ts';
import {
  aborted,
  type Preparation,
  prepareProgram,
  programText,
  type SandboxProgram,
  syntaxFailure,
} from './prepare-program.ts';
import type { RunClock } from './run-clock.ts';
import { type ProgramHost, RunningProgram, type RunningWork } from './running-program.ts';
import { type SandboxOutcome, SandboxRun } from './sandbox-run.ts';
import { TypeStripper } from './type-stripper.ts';
import { withResolvers } from './with-resolvers.ts';
import { type SandboxFiles, WorkerChannel } from './worker-channel.ts';

/** How many threads, how long a queue. */
export interface PoolOptions {
  readonly workers: number;
  readonly maxQueue: number;
  /** Ceilings that most runs will have; memory is reserved for them. */
  readonly limits: Limits;
  /** Names of the image's helpers, in its order. */
  readonly helperNames: readonly string[];
  readonly monotonicMs: () => number;
  /** A thread that was started early, with ceilings that need not be these. */
  readonly spare?: WorkerChannel;
}

/** Worker threads that run programs: grows lazily, queues in order, replaces what it had to kill. */
export class SandboxPool {
  readonly #files: SandboxFiles;
  readonly #options: PoolOptions;
  readonly #idle: WorkerChannel[] = [];
  readonly #channels = new Set<WorkerChannel>();
  readonly #queue: Waiting[] = [];
  readonly #running = new Set<RunningWork>();
  readonly #host: ProgramHost;
  readonly #preparation: Preparation;
  #spare: WorkerChannel | undefined;
  #growing = 0;
  #closed: Promise<void> | undefined;

  constructor(files: SandboxFiles, options: PoolOptions) {
    this.#files = files;
    this.#options = options;
    this.#spare = options.spare;
    const { helperNames, monotonicMs } = options;
    this.#preparation = { helperNames, monotonicMs, stripper: new TypeStripper(files.stripWorkerUrl, options.workers) };
    this.#host = {
      deadlines: new Deadlines(monotonicMs),
      monotonicMs,
      warmSpare: () => this.#warmSpare(),
      onEnd: (program) => {
        this.#running.delete(program);
        this.#giveBack(program.channel);
      },
    };
  }

  /**
   * Runs a program. Resolves for every way it can end.
   * @throws {@link PortholeError} `INPUT_NOT_SERIALIZABLE`, `QUEUE_FULL`, `RUNTIME_CLOSED`, `RUNTIME_UNAVAILABLE`:
   * then nothing ran
   */
  async run(program: SandboxProgram): Promise<SandboxOutcome> {
    this.#checkOpen();
    const run = new SandboxRun(program.limits, programText(program), this.#helpersByNumber(program.helpers));
    const prepared = await prepareProgram(program, run, this.#preparation);
    this.#checkOpen();
    if ('status' in prepared) return run.finishKilled(prepared, 0);
    const { signal, clock } = program;
    return this.#start(prepared, { run, timeMs: prepared.timeMs, signal, clock });
  }

  /** A TypeScript program without its types, or why there is none. */
  async eraseTypes(
    source: string,
    { limits, signal }: Pick<SandboxBatch, 'limits' | 'signal'>,
  ): Promise<{ readonly source: string } | ProgramEnd> {
    this.#checkOpen();
    const { timeMs } = limits;
    const stripped = await this.#preparation.stripper.strip(source, { timeMs, signal });
    if ('source' in stripped) return stripped;
    if ('refused' in stripped) return syntaxFailure(stripped.refused);
    return stripped.ended === 'time' ? { status: 'limited', limit: 'time', ceiling: timeMs } : aborted(signal);
  }

  /**
   * Does small tasks over one value. Ends early with `ended`, which is about the task behind the last that has an end.
   * @throws {@link PortholeError} as {@link run}
   */
  async evaluate(batch: SandboxBatch): Promise<{ readonly ends: readonly TaskEnd[]; readonly ended?: ProgramEnd }> {
    this.#checkOpen();
    const { limits } = batch;
    const prepared = prepareBatch(batch);
    if ('status' in prepared) return { ends: [], ended: prepared };
    const { helperNames } = this.#options;
    const { signal } = batch;
    let { seed } = batch;
    return await runBatch(batch.tasks, (tasks) => {
      const message: BatchMessage = { ...prepared, tasks, seed };
      seed = BigInt.asUintN(64, seed + BigInt(tasks.length));
      const run = new BatchRun(tasks, limits, helperNames);
      return this.#start(message, { run, timeMs: batchTimeMs(limits), signal, clock: undefined });
    });
  }

  async #start<Outcome>(message: WorkMessage, work: WorkToStart<Outcome>): Promise<Outcome> {
    const { run, signal } = work;
    const channel = this.#takeIdle() ?? (await this.#wait(signal));
    // Much may have happened while the program was prepared, and while it waited.
    this.#checkOpen();
    if (channel !== undefined && signal?.aborted) this.#giveBack(channel);
    if (channel === undefined || signal?.aborted) return run.finishKilled(aborted(signal), 0);
    const running = new RunningProgram(channel, message, work, this.#host);
    this.#running.add(running);
    return running.outcome;
  }

  /** Ends every thread; running programs end `aborted`, waiting ones reject. */
  close(): Promise<void> {
    this.#closed ??= this.#endAll();
    return this.#closed;
  }

  async #endAll(): Promise<void> {
    const closed = new PortholeError('RUNTIME_CLOSED', 'Cannot go on: the runtime was closed');
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed);
    for (const program of this.#running) program.kill({ status: 'aborted', reason: closed });
    await Promise.all([...this.#channels].map((channel) => channel.terminate()));
    await this.#spare?.terminate();
    await this.#preparation.stripper.close();
    this.#host.deadlines.clear();
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new PortholeError('RUNTIME_CLOSED', 'Cannot run: the runtime was closed');
  }

  #helpersByNumber(helpers: ReadonlyMap<string, Helper>): readonly (Helper | undefined)[] {
    return this.#options.helperNames.map((name) => helpers.get(name));
  }

  #takeIdle(): WorkerChannel | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.alive) return idle;
      this.#channels.delete(idle);
    }
    return undefined;
  }

  // Everybody waits in one queue, also for a thread that is started for them: whichever is free first serves the first.
  // Undefined when the signal comes before a thread does.
  #wait(signal: AbortSignal | undefined): Promise<WorkerChannel | undefined> {
    if (this.#channels.size < this.#options.workers) this.#grow();
    else if (this.#queue.length - this.#growing >= this.#options.maxQueue) {
      const waiting = this.#queue.length - this.#growing;
      throw new PortholeError('QUEUE_FULL', `Cannot run: ${waiting} runs are waiting already`);
    }
    const { promise, resolve, reject } = withResolvers<WorkerChannel | undefined>();
    const waiting: Waiting = { resolve, reject };
    this.#queue.push(waiting);
    const leave = (): void => {
      const place = this.#queue.indexOf(waiting);
      if (place !== -1) this.#queue.splice(place, 1);
      resolve(undefined);
    };
    signal?.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #grow(): void {
    const channel = this.#spare?.alive ? this.#spare : this.#createChannel();
    this.#spare = undefined;
    this.#channels.add(channel);
    this.#growing += 1;
    channel.ref();
    channel.ready
      .finally(() => {
        this.#growing -= 1;
      })
      .then(
        () => this.#giveBack(channel),
        (reason: unknown) => this.#giveUp(channel, reason),
      );
  }

  // Nobody may wait for a thread that will never come.
  #giveUp(channel: WorkerChannel, reason: unknown): void {
    this.#channels.delete(channel);
    if (this.#channels.size === 0) for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
  }

  #createChannel(): WorkerChannel {
    return new WorkerChannel(this.#files, this.#options.limits);
  }

  #warmSpare(): void {
    if (this.#spare === undefined && this.#closed === undefined) this.#spare = this.#createChannel();
  }

  #giveBack(channel: WorkerChannel): void {
    channel.release();
    if (!channel.alive) return this.#discard(channel);
    const next = this.#queue.shift();
    if (next === undefined) this.#idle.push(channel);
    else next.resolve(channel);
  }

  #discard(channel: WorkerChannel): void {
    this.#channels.delete(channel);
    if (this.#queue.length > this.#growing) this.#grow();
  }
}

interface WorkToStart<Outcome> {
  readonly run: HostedWork<Outcome>;
  readonly timeMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: RunClock | undefined;
}

interface Waiting {
  readonly resolve: (channel: WorkerChannel | undefined) => void;
  readonly reject: (reason: unknown) => void;
}
