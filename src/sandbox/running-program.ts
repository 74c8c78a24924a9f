import type { ProgramEnd } from '../contract/outcome.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import type { HostedWork } from './hosted-work.ts';
import type { WorkerMessage, WorkMessage } from './messages.ts';
import { aborted } from './prepare-program.ts';
import type { RunClock } from './run-clock.ts';
import { crashed } from './sandbox-run.ts';
import type { ChannelListener, WorkerChannel } from './worker-channel.ts';

// The guest is asked to end at its deadline; a thread that has not answered by then is ended, whatever it does.
const graceMs = 50;
// An abort must be answered within 50 ms, the end of the thread included.
const abortGraceMs = 20;
// A run this close to its deadline may have to be killed: a thread is warmed up to take the next one over.
const spareLeadMs = 100;

/** What a running program needs of its pool. */
export interface ProgramHost {
  readonly deadlines: Deadlines;
  readonly monotonicMs: () => number;
  /** A kill is near: have a thread ready. */
  readonly warmSpare: () => void;
  /** The thread is free again, or it is gone. */
  readonly onEnd: (work: RunningWork) => void;
}

/** What the pool does with work that is running. */
export interface RunningWork {
  readonly channel: WorkerChannel;
  /** Ends the thread. It is gone when the outcome is there, and what it had printed has arrived. */
  kill(end: ProgramEnd): void;
}

/** What belongs to one run. */
interface WorkOfRun<Outcome> {
  readonly run: HostedWork<Outcome>;
  /** How long it may take in all. */
  readonly timeMs: number;
  readonly signal: AbortSignal | undefined;
  readonly clock: RunClock | undefined;
}

/** One program, or one batch, on its worker, from its start to its outcome: the only place where threads are killed. */
export class RunningProgram<Outcome> implements ChannelListener, RunningWork {
  readonly channel: WorkerChannel;
  readonly outcome: Promise<Outcome>;
  readonly #run: HostedWork<Outcome>;
  readonly #host: ProgramHost;
  readonly #signal: AbortSignal | undefined;
  readonly #startedAtMs: number;
  #killAtMs: number;
  #pausedAtMs = 0;
  #pausedMs = 0;
  /** An end is decided on: its own deadline is running, and no pause touches that one. */
  #isEnding = false;
  readonly #onAbort = (): void => this.#abort();
  #deadline: Deadline;
  #resolve: (outcome: Outcome) => void = () => {};
  #isFinished = false;

  constructor(
    channel: WorkerChannel,
    message: WorkMessage,
    { run, timeMs, signal, clock }: WorkOfRun<Outcome>,
    host: ProgramHost,
  ) {
    this.channel = channel;
    this.#run = run;
    this.#host = host;
    this.#signal = signal;
    this.#startedAtMs = host.monotonicMs();
    this.#killAtMs = this.#startedAtMs + timeMs + graceMs;
    this.outcome = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#deadline = { atMs: this.#killAtMs - graceMs - spareLeadMs, onDue: () => this.#approachDeadline() };
    host.deadlines.add(this.#deadline);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    clock?.attach({ onPause: () => this.#pause(), onResume: () => this.#resume() });
    channel.start(message, this);
  }

  onMessage(received: Exclude<WorkerMessage, { kind: 'ready' }>): void {
    const outcome = this.#run.take(received, (reply) => this.channel.reply(reply));
    if (outcome !== undefined) this.#finish(outcome);
  }

  onDeath(reason: Error): void {
    this.#finishKilled(crashed(reason));
  }

  kill(end: ProgramEnd): void {
    this.#isEnding = true;
    this.#run.latch(end);
    this.channel.terminate().then(
      () => this.#finishKilled(end),
      (error: unknown) => this.#finishKilled(crashed(error)),
    );
  }

  #approachDeadline(): void {
    this.#host.warmSpare();
    this.#waitUntil(this.#killAtMs, () => this.kill(this.#run.timedOut()));
  }

  // The guest waits in a helper, and the helper for a person: nothing runs that could be ended in time.
  #pause(): void {
    this.#pausedAtMs = this.#host.monotonicMs();
    if (!this.#isEnding) this.#host.deadlines.cancel(this.#deadline);
  }

  #resume(): void {
    const pausedMs = this.#host.monotonicMs() - this.#pausedAtMs;
    this.#pausedMs += pausedMs;
    this.#killAtMs += pausedMs;
    this.channel.setPaused(this.#pausedMs);
    if (!this.#isEnding && !this.#isFinished) {
      this.#waitUntil(this.#killAtMs - graceMs - spareLeadMs, () => this.#approachDeadline());
    }
  }

  #abort(): void {
    this.#isEnding = true;
    this.#run.latch(aborted(this.#signal));
    this.channel.askToStop();
    this.#waitUntil(this.#host.monotonicMs() + abortGraceMs, () => this.kill(aborted(this.#signal)));
  }

  #waitUntil(atMs: number, onDue: () => void): void {
    this.#host.deadlines.cancel(this.#deadline);
    this.#deadline = { atMs, onDue };
    this.#host.deadlines.add(this.#deadline);
  }

  #finishKilled(end: ProgramEnd): void {
    this.#finish(this.#run.finishKilled(end, this.#host.monotonicMs() - this.#startedAtMs));
  }

  // A thread that is being ended may still say that the program is done.
  #finish(outcome: Outcome): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#host.deadlines.cancel(this.#deadline);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#host.onEnd(this);
    this.#resolve(outcome);
  }
}
