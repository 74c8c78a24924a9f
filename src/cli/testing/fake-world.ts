import type { Readable } from 'node:stream';
import type { World } from '../world.ts';

/** A world that remembers what was written, and what a command line did there. */
export interface FakeWorld extends World {
  readonly written: { readonly out: () => string; readonly err: () => string };
  /** Presses Ctrl-C. */
  readonly interrupt: () => void;
}

/** What may differ from a quiet world without a terminal. */
export interface FakeWorldOptions {
  readonly env?: World['env'];
  readonly standardInput?: string | Uint8Array;
  readonly isTerminal?: boolean;
  /** What somebody types. Default: nobody sits there. */
  readonly terminal?: Readable;
}

/** Makes a world for one command line. */
export function createFakeWorld(args: readonly string[], options: FakeWorldOptions = {}): FakeWorld {
  const { env = {}, standardInput = '', isTerminal = false, terminal } = options;
  const texts = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      texts[name] += text;
    },
    isTerminal,
  });
  return {
    args,
    env,
    out: sink('out'),
    err: sink('err'),
    openTerminal: () => terminal,
    readStandardInput: () => Promise.resolve(Buffer.from(standardInput)),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    written: { out: () => texts.out, err: () => texts.err },
    interrupt: () => {
      for (const listener of listeners) listener();
    },
  };
}
