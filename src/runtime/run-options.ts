import { type Limits, parseLimits } from '../contract/limits.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import { parseInstant } from './instant.ts';
import { isString, type OptionRule, readAs, refuseUnknownKeys, refuseValue } from './option-checks.ts';
import { copyPlainData, type PlainObject } from './plain-data.ts';
import { parseStagedOptions } from './staged-options.ts';

/** One program and everything it gets. */
export interface RunOptions {
  /** The program: body of an async function. */
  readonly source: string;
  /** Default: `js`. */
  readonly language?: 'js' | 'ts';
  /** Name in stack frames. Default: `program.js` or `program.ts`. */
  readonly file?: string;
  /** What the program sees as `input_data`. Default: undefined. */
  readonly input?: unknown;
  /** The invocation context: plain data; `_unsafe_mode: true` in it allows live writes. Default: `{}`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** What this run works on copies of; only in a runtime of staged mode. Default: what the runtime says. */
  readonly staged?: StagedOptions;
  /** Ceilings of this run, laid over those of the runtime. */
  readonly limits?: Partial<Limits>;
  /** Seed of `Math.random`. Default: random. */
  readonly seed?: number | bigint;
  /** Stops the guest's clock: a date, milliseconds since 1970, or an ISO 8601 text. Default: the real clock. */
  readonly now?: Date | number | string;
  /** Ends the run when it aborts. */
  readonly signal?: AbortSignal;
}

/** What a run of several parts is given; each part brings its own program or arguments. */
export type SharedRunOptions = Pick<RunOptions, 'input' | 'context' | 'staged' | 'limits' | 'seed' | 'now' | 'signal'>;

/** The operator's part of one tool call. */
export interface ToolCallOptions {
  /** As in {@link RunOptions}. Default: `{}`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Gives up waiting for an answer when it aborts; what is being written is written whole. */
  readonly signal?: AbortSignal;
}

/** The operator's part of one write-back. */
export interface WriteBackOptions {
  /** Plans, checks and reports; nobody is asked and nothing is written. Default: false. */
  readonly dryRun?: boolean;
  /** Gives up waiting for an answer when it aborts; what is being written is written whole. */
  readonly signal?: AbortSignal;
}

/** {@link WriteBackOptions} after every check. */
export interface ParsedWriteBackOptions {
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
}

/** @throws PortholeError `ARGUMENT_INVALID` */
export function parseWriteBackOptions(given: unknown): ParsedWriteBackOptions {
  const what = 'writeBack()';
  const options = refuseUnknownKeys(what, given ?? {}, ['dryRun', 'signal']);
  return {
    dryRun: readAs(what, options, 'dryRun', aSwitch) ?? false,
    signal: readAs(what, options, 'signal', aSignal),
  };
}

/** {@link RunOptions} after every check; the input is judged when it crosses. */
export interface ParsedRunOptions {
  readonly source: string;
  readonly language: 'js' | 'ts';
  readonly file: string;
  readonly input: unknown;
  /** The host's own frozen copy. */
  readonly context: PlainObject;
  readonly staged: StagedOptions | undefined;
  readonly limits: Limits;
  readonly seed: bigint | undefined;
  readonly now: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const runKeys: Readonly<Record<keyof RunOptions, true>> = {
  source: true,
  language: true,
  file: true,
  input: true,
  context: true,
  staged: true,
  limits: true,
  seed: true,
  now: true,
  signal: true,
};

/** @throws PortholeError `ARGUMENT_INVALID`, `LIMIT_INVALID` */
export function parseRunOptions(given: unknown, base: Limits): ParsedRunOptions {
  const what = 'run()';
  const options = refuseUnknownKeys(what, given, Object.keys(runKeys));
  const source = readAs(what, options, 'source', aProgram);
  if (source === undefined) throw refuseValue(what, 'source', undefined, aProgram.expected);
  const language = readAs(what, options, 'language', aLanguage) ?? 'js';
  return {
    source,
    language,
    file: readAs(what, options, 'file', aFileName) ?? `program.${language}`,
    input: options['input'],
    context: parseContext(options['context']),
    staged: parseStagedOptions(what, options),
    limits: parseLimits(options['limits'], base),
    seed: parseSeed(what, options),
    now: parseNow(what, options),
    signal: readAs(what, options, 'signal', aSignal),
  };
}

/** {@link SharedRunOptions} after every check. */
export type ParsedSharedRunOptions = Pick<
  ParsedRunOptions,
  'input' | 'context' | 'staged' | 'limits' | 'seed' | 'now' | 'signal'
> & { readonly seedOfPart: (part: number) => bigint | undefined };

/** @throws PortholeError `ARGUMENT_INVALID`, `LIMIT_INVALID` */
export function parseSharedRunOptions(what: string, given: unknown, base: Limits): ParsedSharedRunOptions {
  const known = ['input', 'context', 'staged', 'limits', 'seed', 'now', 'signal'];
  const options = refuseUnknownKeys(what, given ?? {}, known);
  const seed = readAs(what, options, 'seed', aSeed);
  return {
    input: options['input'],
    context: parseContext(options['context']),
    staged: parseStagedOptions(what, options),
    limits: parseLimits(options['limits'], base),
    seed: seed === undefined ? undefined : spreadSeed(BigInt(seed)),
    seedOfPart: (part) => (seed === undefined ? undefined : spreadSeed(BigInt(seed) + BigInt(part))),
    now: parseNow(what, options),
    signal: readAs(what, options, 'signal', aSignal),
  };
}

/** {@link ToolCallOptions} after every check. */
export interface ParsedToolCallOptions {
  /** The host's own frozen copy. */
  readonly context: PlainObject;
  readonly signal: AbortSignal | undefined;
}

/** The operator's part of a tool call. @throws PortholeError `ARGUMENT_INVALID` */
export function parseToolCallOptions(given: unknown): ParsedToolCallOptions {
  const what = 'callTool()';
  const options = refuseUnknownKeys(what, given ?? {}, ['context', 'signal']);
  return { context: parseContext(options['context']), signal: readAs(what, options, 'signal', aSignal) };
}

function parseContext(given: unknown): PlainObject {
  return given === undefined ? Object.freeze({}) : copyPlainData(given, 'context');
}

function parseSeed(what: string, options: Readonly<Record<string, unknown>>): bigint | undefined {
  const seed = readAs(what, options, 'seed', aSeed);
  return seed === undefined ? undefined : spreadSeed(BigInt(seed));
}

// One step of splitmix64: neighbouring seeds give unrelated sequences, and every seed another one. The generator
// cannot leave the state 0, so the one seed that would lead there gets a state of its own.
function spreadSeed(seed: bigint): bigint {
  const wrap = (value: bigint) => BigInt.asUintN(64, value);
  let state = wrap(seed + 0x9e3779b97f4a7c15n);
  state = wrap((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
  state = wrap((state ^ (state >> 27n)) * 0x94d049bb133111ebn);
  state ^= state >> 31n;
  return state === 0n ? 0x9e3779b97f4a7c15n : state;
}

function parseNow(what: string, options: Readonly<Record<string, unknown>>): number | undefined {
  const now = options['now'];
  if (now === undefined) return undefined;
  const instant = parseInstant(now);
  if (instant !== undefined) return instant;
  throw refuseValue(what, 'now', now, 'a Date, milliseconds since 1970, or an ISO 8601 text with its zone');
}

const aProgram: OptionRule<string> = { accepts: isString, expected: 'the text of a program' };
const aLanguage: OptionRule<'js' | 'ts'> = {
  accepts: (value): value is 'js' | 'ts' => value === 'js' || value === 'ts',
  expected: '"js" or "ts"',
};
// Stack frames are read by this name: it must not look like anything else in one.
const aFileName: OptionRule<string> = {
  accepts: (value): value is string => typeof value === 'string' && /^(?!porthole$)[^\p{Cc}():]+$/u.test(value),
  expected: 'a name without brackets, colons and control characters',
};
const aSwitch: OptionRule<boolean> = {
  accepts: (value): value is boolean => typeof value === 'boolean',
  expected: 'true or false',
};
const aSeed: OptionRule<number | bigint> = {
  accepts: (value): value is number | bigint => typeof value === 'bigint' || Number.isSafeInteger(value),
  expected: 'a whole number or bigint',
};
const aSignal: OptionRule<AbortSignal> = {
  accepts: (value): value is AbortSignal => value instanceof AbortSignal,
  expected: 'an AbortSignal',
};
