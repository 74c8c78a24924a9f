import type { Readable } from 'node:stream';

/** Lines as a person types them. */
export interface TerminalLines {
  /** Throws away what came before now. */
  readonly discardPending: (signal: AbortSignal) => Promise<void>;
  /** The next line; undefined at the end of input or once the signal is raised. */
  readonly nextLine: (signal: AbortSignal) => Promise<string | undefined>;
}

// What waits in the kernel's buffer arrives within a few turns of the event loop; nobody reads and answers in this time.
const settleMs = 100;

// A person's answer is a word; whoever sends more without a line end is no person.
const maxLineLength = 1024;

/** Reads lines from a terminal; between questions it is left alone. */
export function createTerminalLines(stream: Readable): TerminalLines {
  return {
    discardPending: (signal) => listen<void>(stream, signal, { onChunk: () => undefined, settle: settleMs }),
    nextLine: (signal) => {
      let text = '';
      return listen<string | undefined>(stream, signal, {
        onChunk: (chunk) => {
          text += chunk;
          const end = text.search(/[\r\n]/);
          if (end !== -1) return { value: text.slice(0, end) };
          return text.length > maxLineLength ? { value: text } : undefined;
        },
      });
    },
  };
}

interface Listening<Result> {
  /** Takes a chunk and tells the result, once there is one. */
  readonly onChunk: (chunk: string) => { readonly value: Result } | undefined;
  /** Ends by itself after this time. */
  readonly settle?: number;
}

function listen<Result>(
  stream: Readable,
  signal: AbortSignal,
  { onChunk, settle }: Listening<Result>,
): Promise<Result | undefined> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = (value?: Result): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onEnd);
      signal.removeEventListener('abort', onEnd);
      stream.pause();
      resolve(value);
    };
    const onEnd = (): void => end();
    const onData = (chunk: unknown): void => {
      const found = onChunk(String(chunk));
      if (found !== undefined) end(found.value);
    };
    // Timers come before input in a turn of the event loop: on a busy machine the time may be over with input unread.
    const timer = settle === undefined ? undefined : setTimeout(() => setImmediate(onEnd), settle);
    // An input that has ended says so once; asking it again would wait for the question's time-out.
    if (signal.aborted || stream.readableEnded || stream.destroyed) return onEnd();
    signal.addEventListener('abort', onEnd);
    stream.on('data', onData).on('end', onEnd).on('error', onEnd).resume();
  });
}
