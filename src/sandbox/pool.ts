import { setMaxListeners } from 'node:events';
import { PortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import type { Helper } from './helper.ts';
import type { ProgramMessage } from './messages.ts';
import { aborted, prepareProgram, programText, type SandboxProgram } from './prepare-program.ts';
import { crashed, type SandboxOutcome, SandboxRun } from './sandbox-run.ts';
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

// The guest is asked to end at its deadline; a thread that has not answered by then is ended, whatever it does.
const graceMs = 50;
// An abort must be answered within 50 ms, the end of the thread included.
const abortGraceMs = 20;
// A run this close to its deadline may have to be killed: a thread is warmed up to take the next one over.
const spareLeadMs = 100;

/** Worker threads that run programs: grows lazily, queues in order, replaces what it had to kill. */
export class SandboxPool {
  readonly #files: SandboxFiles;
  readonly #options: PoolOptions;
  readonly #idle: WorkerChannel[] = [];
  readonly #channels = new Set<WorkerChannel>();
  readonly #queue: Waiting[] = [];
  readonly #closing = new AbortController();
  #spare: WorkerChannel | undefined;
  #closed: Promise<void> | undefined;

  constructor(files: SandboxFiles, options: PoolOptions) {
    this.#files = files;
    this.#options = options;
    this.#spare = options.spare;
    // One listener for every run there may be.
    setMaxListeners(0, this.#closing.signal);
  }

  /**
   * Runs a program. Resolves for every way it can end.
   * @throws {@link PortholeError} `INPUT_NOT_SERIALIZABLE`, `QUEUE_FULL`, `RUNTIME_CLOSED`, `RUNTIME_UNAVAILABLE`:
   * then nothing ran
   */
  async run(program: SandboxProgram): Promise<SandboxOutcome> {
    this.#checkOpen();
    const run = new SandboxRun(program.limits, programText(program), this.#helpersByNumber(program.helpers));
    const prepared = await prepareProgram(program, run, this.#options.helperNames);
    if ('status' in prepared) return run.finishKilled(prepared, 0);
    this.#checkOpen();
    const acquired = this.#acquire();
    const channel = acquired instanceof WorkerChannel ? acquired : await this.#await(acquired, program.signal);
    // Much may have happened while the program was prepared, and while it waited.
    this.#checkOpen();
    if (channel !== undefined && program.signal?.aborted) this.#giveBack(channel);
    if (channel === undefined || program.signal?.aborted) return run.finishKilled(aborted(program.signal), 0);
    return this.#runOn(channel, prepared, run, program.signal);
  }

  /** Ends every thread; running programs end `aborted`, waiting ones reject. */
  close(): Promise<void> {
    this.#closed ??= this.#endAll();
    return this.#closed;
  }

  async #endAll(): Promise<void> {
    const closed = new PortholeError('RUNTIME_CLOSED', 'Cannot go on: the runtime was closed');
    this.#closing.abort(closed);
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed);
    await Promise.all([...this.#channels].map((channel) => channel.terminate()));
    await this.#spare?.terminate();
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw new PortholeError('RUNTIME_CLOSED', 'Cannot run: the runtime was closed');
  }

  #helpersByNumber(helpers: ReadonlyMap<string, Helper>): readonly (Helper | undefined)[] {
    return this.#options.helperNames.map((name) => helpers.get(name));
  }

  #acquire(): WorkerChannel | Promise<WorkerChannel> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.alive) return idle;
      this.#channels.delete(idle);
    }
    if (this.#channels.size < this.#options.workers) return this.#grow();
    if (this.#queue.length >= this.#options.maxQueue) {
      throw new PortholeError('QUEUE_FULL', `Cannot run: ${this.#queue.length} runs are waiting already`);
    }
    const { promise, resolve, reject } = withResolvers<WorkerChannel>();
    this.#queue.push({ channel: promise, resolve, reject });
    return promise;
  }

  async #grow(): Promise<WorkerChannel> {
    const channel = this.#spare?.alive ? this.#spare : this.#createChannel();
    this.#spare = undefined;
    this.#channels.add(channel);
    channel.ref();
    try {
      await channel.ready;
    } catch (reason) {
      this.#channels.delete(channel);
      // Nobody may wait for a worker that will never come.
      if (this.#channels.size === 0) for (const waiting of this.#queue.splice(0)) waiting.reject(reason);
      throw reason;
    }
    return channel;
  }

  #createChannel(): WorkerChannel {
    return new WorkerChannel(this.#files, this.#options.limits);
  }

  #warmSpare(): void {
    if (this.#spare === undefined && !this.#closing.signal.aborted) this.#spare = this.#createChannel();
  }

  // Undefined when the signal comes first; a channel that comes later goes to the next one waiting.
  async #await(acquired: Promise<WorkerChannel>, signal: AbortSignal | undefined): Promise<WorkerChannel | undefined> {
    if (signal === undefined) return acquired;
    let onAbort = (): void => {};
    const abort = new Promise<undefined>((resolve) => {
      onAbort = () => resolve(undefined);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    const first = await Promise.race([acquired, abort]).finally(() => signal.removeEventListener('abort', onAbort));
    if (first === undefined) {
      const place = this.#queue.findIndex(({ channel }) => channel === acquired);
      if (place !== -1) this.#queue.splice(place, 1);
      acquired.then(
        (channel) => this.#giveBack(channel),
        () => {}, // the run has its outcome
      );
    }
    return first;
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
    const next = this.#queue.shift();
    if (next !== undefined) this.#grow().then(next.resolve, next.reject);
  }

  #runOn(
    channel: WorkerChannel,
    message: ProgramMessage,
    run: SandboxRun,
    signal: AbortSignal | undefined,
  ): Promise<SandboxOutcome> {
    const { monotonicMs } = this.#options;
    const startedAt = monotonicMs();
    return new Promise((resolve) => {
      let timer = setTimeout(approachDeadline, Math.max(0, message.timeMs - spareLeadMs));
      let isFinished = false;
      const pool = this;
      const closing = this.#closing.signal;
      signal?.addEventListener('abort', onAbort, { once: true });
      closing.addEventListener('abort', onClosing, { once: true });

      function approachDeadline(): void {
        pool.#warmSpare();
        timer = setTimeout(() => kill(run.limited('time')), message.timeMs + graceMs - (monotonicMs() - startedAt));
      }

      function onAbort(): void {
        run.latch(aborted(signal));
        channel.askToStop();
        clearTimeout(timer);
        timer = setTimeout(() => kill(aborted(signal)), abortGraceMs);
      }

      function onClosing(): void {
        kill({ status: 'aborted', reason: closing.reason });
      }

      // The thread is gone when this resolves, and what it had printed has arrived.
      function kill(end: ProgramEnd): void {
        run.latch(end);
        channel.terminate().then(
          () => finish(run.finishKilled(end, monotonicMs() - startedAt), () => pool.#discard(channel)),
          (error) => finish(run.finishKilled(crashed(error), monotonicMs() - startedAt), () => pool.#discard(channel)),
        );
      }

      // A thread that is being ended may still say that the program is done.
      function finish(outcome: SandboxOutcome, next: () => void): void {
        if (isFinished) return;
        isFinished = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        closing.removeEventListener('abort', onClosing);
        next();
        resolve(outcome);
      }

      channel.start(message, {
        onMessage: (received) => {
          if (received.kind === 'call') run.call(received.helper, received.args, (reply) => channel.reply(reply));
          else if (received.kind === 'print') run.print({ level: received.level, text: received.text });
          else if (received.kind === 'truncated') run.truncate();
          else {
            const { end, pendingWork, wallMs, memoryBytes } = received;
            finish(run.finish(end, pendingWork, wallMs, memoryBytes), () => pool.#giveBack(channel));
          }
        },
        onDeath: (reason) => {
          finish(run.finishKilled(crashed(reason), monotonicMs() - startedAt), () => pool.#discard(channel));
        },
      });
    });
  }
}

interface Waiting {
  readonly channel: Promise<WorkerChannel>;
  readonly resolve: (channel: WorkerChannel) => void;
  readonly reject: (reason: unknown) => void;
}
