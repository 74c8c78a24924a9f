import { Worker } from 'node:worker_threads';
import { PortholeError } from '../contract/errors.ts';
import type { StrippedTypes } from './strip-types.ts';
import { type Resolvers, withResolvers } from './with-resolvers.ts';

/** How an attempt to erase types ended. */
export type StripEnd = StrippedTypes | { readonly ended: 'time' | 'aborted' };

/** What bounds one attempt. */
export interface StripBounds {
  /** Milliseconds, from the moment a thread is warm and free. */
  readonly timeMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Erases types on threads of its own: the parser is somebody else's, and its time is exponential for some sources, so
 * it must be possible to end it, and one program must not keep the others waiting.
 */
export class TypeStripper {
  readonly #url: URL;
  readonly #maxThreads: number;
  readonly #threads = new Set<StripThread>();
  readonly #idle: StripThread[] = [];
  readonly #waiting: Resolvers<StripThread>[] = [];
  #isClosed = false;

  /** @param url entry of a thread, `strip-worker.js` */
  constructor(url: URL, maxThreads: number) {
    this.#url = url;
    this.#maxThreads = maxThreads;
  }

  /** Rejects with `RUNTIME_UNAVAILABLE` where a thread cannot start, with `RUNTIME_CLOSED` when it was closed. */
  async strip(source: string, { timeMs, signal }: StripBounds): Promise<StripEnd> {
    this.#checkOpen();
    const turn = this.#takeThread();
    const { promise, resolve } = withResolvers<StripEnd>();
    const onAbort = (): void => resolve({ ended: 'aborted' });
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const thread = await Promise.race([turn, promise]);
    if (!('worker' in thread)) {
      turn.then(
        (late) => this.#giveBack(late),
        () => {}, // nobody waits for it
      );
      return thread;
    }
    const timer = setTimeout(() => resolve({ ended: 'time' }), timeMs);
    thread.onAnswer = resolve;
    thread.worker.ref();
    thread.worker.postMessage(source);
    const end = await promise;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Whatever is not an answer of the parser's leaves a thread that cannot serve another program.
    if (end === gaveUp || 'ended' in end) this.#end(thread);
    else this.#giveBack(thread);
    this.#checkOpen();
    return end;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(closed());
    await Promise.all([...this.#threads].map((thread) => thread.worker.terminate()));
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closed();
  }

  #takeThread(): Promise<StripThread> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#threads.size < this.#maxThreads) return this.#start();
    const waiting = withResolvers<StripThread>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  #giveBack(thread: StripThread): void {
    thread.worker.unref();
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(thread);
    else next.resolve(thread);
  }

  #end(thread: StripThread): void {
    this.#forget(thread);
    void thread.worker.terminate(); // nobody waits for its last moment
    const next = this.#waiting.shift();
    if (next !== undefined) this.#start().then(next.resolve, next.reject);
  }

  async #start(): Promise<StripThread> {
    const worker = new Worker(this.#url, { execArgv: [], env: {} });
    const { promise, resolve, reject } = withResolvers<void>();
    const thread: StripThread = { worker, onAnswer: () => resolve() };
    this.#threads.add(thread);
    worker.on('message', (answer: StripEnd) => thread.onAnswer(answer));
    worker.on('error', (error) => {
      const message = `Cannot start the sandbox: ${error.message}`;
      reject(new PortholeError('RUNTIME_UNAVAILABLE', message, { cause: error }));
      thread.onAnswer(gaveUp);
    });
    worker.on('exit', () => {
      reject(closed());
      thread.onAnswer(gaveUp);
      this.#forget(thread);
    });
    try {
      await promise;
    } catch (reason) {
      this.#forget(thread);
      // Nobody may wait for a thread that will never come.
      if (this.#threads.size === 0) for (const waiting of this.#waiting.splice(0)) waiting.reject(reason);
      throw reason;
    }
    return thread;
  }

  #forget(thread: StripThread): void {
    this.#threads.delete(thread);
    const place = this.#idle.indexOf(thread);
    if (place !== -1) this.#idle.splice(place, 1);
  }
}

interface StripThread {
  readonly worker: Worker;
  /** First for the word that it is warm, then for the answer to what was sent. */
  onAnswer: (answer: StripEnd) => void;
}

const gaveUp: StripEnd = { refused: { message: 'the types cannot be erased: the parser gave up' } };

function closed(): PortholeError {
  return new PortholeError('RUNTIME_CLOSED', 'Cannot erase types: the runtime was closed');
}
