import type { Readable } from 'node:stream';
import type { StartedSandbox } from '../runtime/started-sandbox.ts';

/** What a command may do to the process it runs in; tests hand in their own. */
export interface World {
  /** Arguments behind the command's own name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Data. */
  readonly out: TextSink;
  /** Everything else: questions, warnings, reports. */
  readonly err: TextSink;
  readonly readStandardInput: () => Promise<Uint8Array>;
  /** The terminal's input, where a person sits there and sees what is asked. */
  readonly openTerminal?: () => Readable | undefined;
  /** A sandbox that is starting already. */
  readonly sandbox?: StartedSandbox;
  /** Tells of Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** One of the two streams of text. */
export interface TextSink {
  readonly write: (text: string) => void;
  /** Whether a person looks at it. */
  readonly isTerminal: boolean;
}
