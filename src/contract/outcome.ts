import type { Change } from './change-set.ts';
import type { ErrorCode } from './errors.ts';
import type { LimitName } from './limits.ts';
import type { FileMode } from './mode.ts';
import type { Receipt } from './receipt.ts';

/** Levels of the guest's `console`. */
export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';

/** One console call of the guest. */
export interface ConsoleLine {
  readonly level: ConsoleLevel;
  readonly text: string;
}

/** What the guest printed, in order; `truncated` when `consoleBytes` cut it. */
export interface ConsoleOutput {
  readonly lines: readonly ConsoleLine[];
  readonly truncated: boolean;
}

/** Something worth knowing that did not change the outcome. */
export interface Warning {
  readonly code: 'PENDING_WORK' | 'CONSOLE_TRUNCATED' | 'AUDIT_INCOMPLETE';
  readonly message: string;
}

/** What a run used. */
export interface Usage {
  /** From the start of the run to its end, milliseconds. */
  readonly wallMs: number;
  /** Size of the guest's linear memory at the end, bytes. */
  readonly memoryBytes: number;
  readonly helperCalls: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** One completed helper call. */
export interface Effect {
  readonly helper: string;
  /** Relative to the root or the tree, with `/`. */
  readonly path: string;
  /** Bytes handed to the guest, bytes the file has now, or bytes that were removed. */
  readonly bytes: number;
  /** Digest of what was handed over, of the file as it is now, or of what was removed. */
  readonly digest: string;
  /** Only for writes: whether the file is new. */
  readonly created?: boolean;
}

/** Why a program failed. Positions are those of the body, from 1; absent where the engine gives none. */
export interface ProgramError {
  /** `refused`: what a tool, or the workflow around it, did not do. */
  readonly kind: 'thrown' | 'syntax' | 'never_settles' | 'not_serializable' | 'refused';
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
  /** Guest frames only, one per line. */
  readonly stack: string;
  readonly cause?: ErrorCause;
  /** For a throw that is no Error: the value itself. */
  readonly thrown?: unknown;
  /** True when `thrown` is a description because the value cannot cross. */
  readonly thrownLossy?: true;
}

/** One link of an error's `cause` chain. */
export interface ErrorCause {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorCause;
}

/** What ended the program, before the runtime adds what every outcome carries. */
export type ProgramEnd =
  | { readonly status: 'completed'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: ProgramError }
  | {
      readonly status: 'limited';
      readonly limit: ReportedLimit;
      readonly ceiling: number;
      readonly used?: number;
    }
  | { readonly status: 'denied'; readonly decision: string; readonly code: ErrorCode }
  | { readonly status: 'aborted'; readonly reason: unknown }
  | { readonly status: 'crashed'; readonly error: { readonly message: string; readonly stack?: string } };

/** A limit as an outcome names it. */
export type ReportedLimit =
  | 'time'
  | 'memory'
  | 'stack'
  | 'source'
  | 'result'
  | 'input'
  | 'helper_calls'
  | 'helper_bytes';

/** Which limit an outcome's short name means. */
export const reportedLimits: Readonly<Record<ReportedLimit, LimitName>> = {
  time: 'timeMs',
  memory: 'memoryBytes',
  stack: 'stackBytes',
  source: 'sourceBytes',
  result: 'resultBytes',
  input: 'inputBytes',
  helper_calls: 'helperCalls',
  helper_bytes: 'helperBytes',
};

/** What every outcome carries. */
export interface OutcomeFacts {
  readonly runId: string;
  readonly mode: FileMode;
  readonly console: ConsoleOutput;
  readonly warnings: readonly Warning[];
  readonly usage: Usage;
  /** Completed helper calls in order: present even when the run was killed. */
  readonly effects: readonly Effect[];
  /** What the audit log tells of the run. */
  readonly receipt: Receipt;
  /** Only for staged runs: what the run left different from what was copied in, sorted by path. */
  readonly changes?: readonly Change[];
}

/** How a run ended. Switch on `status`. */
export type RunOutcome = ProgramEnd & OutcomeFacts;
