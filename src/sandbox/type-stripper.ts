import { Worker } from 'node:worker_threads';
import type { StrippedTypes } from './strip-types.ts';
import { withResolvers } from './with-resolvers.ts';

/** How an attempt to erase types ended. */
export type StripEnd = StrippedTypes | { readonly ended: 'time' | 'aborted' };

/** What bounds one attempt. */
export interface StripBounds {
  /** Milliseconds, from the moment the thread is warm. */
  readonly timeMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Erases types on a thread of its own, one program at a time: the parser is somebody else's, and its time is
 * exponential for some sources, so it must be possible to end it.
 */
export class TypeStripper {
  readonly #url: URL;
  #thread: StripThread | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param url entry of the thread, `strip-worker.js` */
  constructor(url: URL) {
    this.#url = url;
  }

  /** Rejects where the thread cannot start at all. */
  strip(source: string, bounds: StripBounds): Promise<StripEnd> {
    const mine = this.#turn.then(() => this.#strip(source, bounds));
    this.#turn = mine.catch(() => {}); // the next one does not fail with this one
    return mine;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  async #strip(source: string, { timeMs, signal }: StripBounds): Promise<StripEnd> {
    if (signal?.aborted) return { ended: 'aborted' };
    const thread = this.#thread ?? (await this.#start());
    const { promise, resolve } = withResolvers<StripEnd>();
    const onAbort = (): void => resolve({ ended: 'aborted' });
    const timer = setTimeout(() => resolve({ ended: 'time' }), timeMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    thread.onAnswer = resolve;
    thread.worker.ref();
    thread.worker.postMessage(source);
    const end = await promise;
    thread.worker.unref();
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Whatever is not an answer of the parser's leaves a thread that cannot serve another program.
    if (end === gaveUp || 'ended' in end) await this.close();
    return end;
  }

  async #start(): Promise<StripThread> {
    const worker = new Worker(this.#url, { execArgv: [], env: {} });
    const { promise, resolve, reject } = withResolvers<void>();
    const thread: StripThread = { worker, onAnswer: () => resolve() };
    worker.on('message', (answer: StripEnd) => thread.onAnswer(answer));
    worker.on('error', (error) => {
      reject(error);
      thread.onAnswer(gaveUp);
    });
    await promise;
    this.#thread = thread;
    return thread;
  }
}

interface StripThread {
  readonly worker: Worker;
  /** First for the word that it is warm, then for the answer to what was sent. */
  onAnswer: (answer: StripEnd) => void;
}

const gaveUp: StripEnd = { refused: { message: 'the types cannot be erased: the parser gave up' } };
