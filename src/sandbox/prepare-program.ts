import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { type EncodedInput, encodeInput } from './encode-input.ts';
import type { ProgramText } from './guest-errors.ts';
import type { Helper } from './helper.ts';
import type { ProgramMessage } from './messages.ts';
import { moduleHint } from './module-hint.ts';
import type { RunClock } from './run-clock.ts';
import type { SandboxRun } from './sandbox-run.ts';
import type { TypeStripper } from './type-stripper.ts';

/** One program with everything it gets. */
export interface SandboxProgram {
  /** Body of an async function. */
  readonly source: string;
  readonly language: 'js' | 'ts';
  /** File name in stack frames. */
  readonly file: string;
  readonly input: unknown;
  readonly context: unknown;
  /** The helpers in scope, by name; each must be one of the image's. */
  readonly helpers: ReadonlyMap<string, Helper>;
  readonly limits: Limits;
  /** 64 bits for `Math.random`; never 0. */
  readonly seed: bigint;
  /** Stops the guest's clock at this instant, milliseconds since 1970. */
  readonly now: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Stopped by helpers that wait for a person. Default: it never stands. */
  readonly clock?: RunClock;
}

/** What preparing takes of the pool. */
export interface Preparation {
  /** Names of the image's helpers, in its order. */
  readonly helperNames: readonly string[];
  readonly stripper: TypeStripper;
  readonly monotonicMs: () => number;
}

/** What errors of the program are reported against. */
export function programText({ source, file, helpers }: SandboxProgram): ProgramText {
  return {
    file,
    source,
    lineCount: source.split('\n').length,
    parameters: ['input_data', 'context', ...helpers.keys()],
  };
}

/** The end of a run whose caller lost interest. */
export function aborted(signal: AbortSignal | undefined): ProgramEnd {
  return { status: 'aborted', reason: signal?.reason };
}

/** Everything that is judged before a worker is needed: the message for it, or the end of the run. */
export async function prepareProgram(
  program: SandboxProgram,
  run: SandboxRun,
  { helperNames, stripper, monotonicMs }: Preparation,
): Promise<ProgramMessage | ProgramEnd> {
  const { limits, signal } = program;
  if (signal?.aborted) return aborted(signal);
  const sourceBytes = Buffer.byteLength(program.source);
  if (sourceBytes > limits.sourceBytes) return run.limited('source', sourceBytes);
  if (!program.source.isWellFormed()) return syntaxFailure({ message: 'the source holds a lone surrogate' });
  const input = crossing(program.input, limits.inputBytes, 'input');
  if (input !== undefined && 'tooLarge' in input) return run.limited('input', input.tooLarge);
  const inputBytes = input?.bytes.byteLength ?? 0;
  const context = crossing(program.context, limits.inputBytes - inputBytes, 'context');
  if (context !== undefined && 'tooLarge' in context) return run.limited('input', inputBytes + context.tooLarge);
  let { source } = program;
  let { timeMs } = limits;
  if (program.language === 'ts') {
    const startedAtMs = monotonicMs();
    const stripped = await stripper.strip(source, { timeMs, signal });
    if ('ended' in stripped) return stripped.ended === 'time' ? run.limited('time') : aborted(signal);
    if ('refused' in stripped) return syntaxFailure(stripped.refused, moduleHint(stripped.refused.message));
    source = stripped.source;
    // One deadline for parsing and running; what is left is at least the moment it takes to notice.
    timeMs = Math.max(1, timeMs - (monotonicMs() - startedAtMs));
  }
  return {
    kind: 'run',
    source,
    file: program.file,
    helpers: [...program.helpers.keys()].map((name) => helperNames.indexOf(name)),
    input,
    context,
    timeMs,
    memoryBytes: limits.memoryBytes,
    stackBytes: limits.stackBytes,
    resultBytes: limits.resultBytes,
    consoleBytes: limits.consoleBytes,
    seed: program.seed,
    now: program.now,
  };
}

/** A value for the guest; undefined where the image holds it already. */
export function crossing(value: unknown, maxBytes: number, name: string): EncodedInput | undefined {
  // The image holds both defaults already.
  const isDefault = value === undefined || (name === 'context' && isEmptyObject(value));
  return isDefault ? undefined : encodeInput(value, maxBytes, name);
}

function isEmptyObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

interface Refused {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** The end of a program that is none. */
export function syntaxFailure(refused: Refused, hint?: string): ProgramEnd {
  const hinted = hint === undefined ? refused : { ...refused, hint };
  return { status: 'failed', error: { kind: 'syntax', name: 'SyntaxError', ...hinted, stack: '' } };
}
