import type { ConsoleLevel } from '../contract/outcome.ts';
import type { CrossingValue } from './value-codec.ts';

/** A program as a worker gets it: checked, stripped of types, with everything it needs as plain data. */
export interface ProgramMessage {
  readonly kind: 'run';
  readonly source: string;
  /** File name in stack frames. */
  readonly file: string;
  /** Numbers, in the image, of the helpers in scope. */
  readonly helpers: readonly number[];
  readonly input: CrossingValue | undefined;
  readonly context: CrossingValue | undefined;
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly resultBytes: number;
  readonly consoleBytes: number;
  readonly seed: bigint;
  /** Stops the clock at this instant, milliseconds since 1970. */
  readonly now: number | undefined;
}

/** Small tasks for one message: each is done in a pristine image, and cheaper than a run of its own. */
export interface BatchMessage {
  readonly kind: 'batch';
  readonly tasks: readonly BatchTask[];
  readonly input: CrossingValue | undefined;
  readonly context: CrossingValue | undefined;
  /** Ceilings of each expression, not of all of them. */
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly resultBytes: number;
  /** Of the first expression; the others go on from it. */
  readonly seed: bigint;
  readonly now: number | undefined;
}

/** One thing to do in a batch. */
export type BatchTask =
  /** What a bridge says about a value: the predicate, and where that is true or missing the transform. */
  | { readonly kind: 'bridge'; readonly when: string | undefined; readonly transform: string | undefined }
  /** A text that is compiled and not run: a program with helpers by their numbers, or an expression. */
  | { readonly kind: 'program'; readonly source: string; readonly file: string; readonly helpers: readonly number[] }
  | { readonly kind: 'expression'; readonly source: string };

/** How a task ended, and which part of it was the last one. */
export interface BatchResult {
  readonly part: 'when' | 'transform' | 'text';
  readonly end: WorkerEnd;
}

/** Host → worker, to begin something. */
export type WorkMessage = ProgramMessage | BatchMessage;

/** Why the host ended the guest, whatever the guest made of it. */
export type Latch = 'time' | 'memory' | 'stopped';

/** How a program ended, as its worker saw it. */
export type WorkerEnd =
  | { readonly kind: 'value'; readonly value: CrossingValue }
  /** A small value that is no object: a message holds it as it is. */
  | { readonly kind: 'primitive'; readonly value: unknown }
  | { readonly kind: 'thrown'; readonly syntax: boolean; readonly described: Uint8Array }
  | { readonly kind: 'problem'; readonly text: string }
  | { readonly kind: 'never_settles' }
  | { readonly kind: 'result_too_large'; readonly used: number | undefined }
  | { readonly kind: 'latched'; readonly latch: Latch }
  | { readonly kind: 'trapped'; readonly stack: boolean; readonly message: string };

/** Worker → host. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'print'; readonly level: ConsoleLevel; readonly text: string }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'call'; readonly helper: number; readonly args: readonly unknown[] }
  | {
      readonly kind: 'done';
      readonly end: WorkerEnd;
      readonly pendingWork: boolean;
      readonly memoryBytes: number;
      readonly wallMs: number;
    }
  /** The first tasks of a batch, at least one; the host sends the others again. */
  | { readonly kind: 'batched'; readonly results: readonly BatchResult[] };

/** Host → worker, while a helper call waits. */
export type HelperReply =
  /** UTF-8 that becomes a string. */
  | { readonly kind: 'text'; readonly utf8: Uint8Array }
  /** Data in the packed form. */
  | { readonly kind: 'value'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'refused';
      readonly name: string;
      readonly message: string;
      readonly code: string;
      readonly path: string | undefined;
    }
  /** A ceiling was met or the run was aborted: the guest is not resumed. */
  | { readonly kind: 'stop' };

/** What a worker is started with; the compiled engine follows as its first message. */
export interface WorkerSettings {
  readonly image: Uint8Array;
  readonly control: SharedArrayBuffer;
  /** Linear memory of instances made before the first program says otherwise. */
  readonly memoryBytes: number;
  readonly resultBytes: number;
}
