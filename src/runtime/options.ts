import { PortholeError } from '../contract/errors.ts';
import { defaultLimits, type Limits, parseLimits } from '../contract/limits.ts';
import { type FileMode, fileModes } from '../contract/mode.ts';
import type { Powers } from '../contract/powers.ts';
import { type OptionRule, readAs, refuseUnknownKeys, refuseValue } from './option-checks.ts';
import { copyPlainData, type PlainObject } from './plain-data.ts';

/** What decides how a runtime behaves. Every key is optional; an unknown one is refused. */
export interface RuntimeOptions {
  /** The sandbox root: an existing directory. Without one there are no files, and only safe mode. Default: none. */
  readonly root?: string;
  /** What the files of a run are. Default: `safe`. */
  readonly mode?: FileMode;
  /** Ceilings of every run that sets none itself. Default: the defaults of the table of limits. */
  readonly limits?: Partial<Limits>;
  /** Most threads. Default: as many as cores, at most 4. */
  readonly workers?: number;
  /** Most runs waiting for a thread; further ones are refused with `QUEUE_FULL`. Default: 1,000. */
  readonly maxQueue?: number;
  /** Refuse to start where race-free containment is not available. Default: false. */
  readonly requireRaceFree?: boolean;
  /** Host paths of files and directories, existing or not, that are never written. Default: none beyond Porthole's own. */
  readonly protectedPaths?: readonly string[];
  /** Clocks, ids, randomness and digest, to repeat a run exactly. Default: the real ones. */
  readonly powers?: Partial<Powers>;
}

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
  /** Ceilings of this run, laid over those of the runtime. */
  readonly limits?: Partial<Limits>;
  /** Seed of `Math.random`. Default: random. */
  readonly seed?: number | bigint;
  /** Stops the guest's clock: a date, milliseconds since 1970, or an ISO 8601 text. Default: the real clock. */
  readonly now?: Date | number | string;
  /** Ends the run when it aborts. */
  readonly signal?: AbortSignal;
}

/** The operator's part of one tool call. */
export interface ToolCallOptions {
  /** As in {@link RunOptions}. Default: `{}`. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** {@link RuntimeOptions} after every check that needs no disk. */
export interface ParsedRuntimeOptions {
  readonly root: string | undefined;
  readonly mode: FileMode;
  readonly limits: Limits;
  readonly workers: number | undefined;
  readonly maxQueue: number;
  readonly requireRaceFree: boolean;
  readonly protectedPaths: readonly string[];
  readonly powers: Partial<Powers>;
}

// A caller that queues more than this has lost sight of what it waits for.
const defaultMaxQueue = 1000;
// More threads than any machine has cores are a typing error.
const mostWorkers = 1024;
const mostQueued = 1_000_000;

const runtimeKeys: Readonly<Record<keyof RuntimeOptions, true>> = {
  root: true,
  mode: true,
  limits: true,
  workers: true,
  maxQueue: true,
  requireRaceFree: true,
  protectedPaths: true,
  powers: true,
};

const powerKeys: Readonly<Record<keyof Powers, true>> = {
  now: true,
  monotonicMs: true,
  newId: true,
  randomSeed: true,
  digest: true,
};

/** @throws PortholeError `ARGUMENT_INVALID`, `LIMIT_INVALID`, `ROOT_INVALID` */
export function parseRuntimeOptions(given: unknown): ParsedRuntimeOptions {
  const what = 'createRuntime()';
  const options = refuseUnknownKeys(what, given, Object.keys(runtimeKeys));
  const root = readAs(what, options, 'root', aPath);
  const mode = readAs(what, options, 'mode', aMode) ?? 'safe';
  if (mode === 'unsafe' && root === undefined) {
    throw new PortholeError('ROOT_INVALID', 'Cannot use unsafe mode: no root was given', {
      hint: 'Name the directory that programs may read and write: root.',
    });
  }
  const powers = readAs(what, options, 'powers', anObject) ?? {};
  refuseUnknownKeys(`${what} powers`, powers, Object.keys(powerKeys));
  return {
    root,
    mode,
    limits: parseLimits(options['limits'], defaultLimits),
    workers: readAs(what, options, 'workers', aCount(1, mostWorkers)),
    maxQueue: readAs(what, options, 'maxQueue', aCount(0, mostQueued)) ?? defaultMaxQueue,
    requireRaceFree: readAs(what, options, 'requireRaceFree', aSwitch) ?? false,
    protectedPaths: readAs(what, options, 'protectedPaths', aListOfPaths) ?? [],
    powers: powers as Partial<Powers>, // functions the operator wrote; their keys were checked
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
    limits: parseLimits(options['limits'], base),
    seed: parseSeed(what, options),
    now: parseNow(what, options),
    signal: readAs(what, options, 'signal', aSignal),
  };
}

/** The operator's part of a tool call. @throws PortholeError `ARGUMENT_INVALID` */
export function parseToolCallOptions(given: unknown): PlainObject {
  return parseContext(refuseUnknownKeys('callTool()', given ?? {}, ['context'])['context']);
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

// With a zone, or a day alone (which means UTC): anything else would depend on the host's own zone.
const isoInstant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function parseNow(what: string, options: Readonly<Record<string, unknown>>): number | undefined {
  const now = options['now'];
  if (now === undefined) return undefined;
  const isUsable = now instanceof Date || typeof now === 'number' || (typeof now === 'string' && isoInstant.test(now));
  const instant = isUsable ? new Date(now).getTime() : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw refuseValue(what, 'now', now, 'a Date, milliseconds since 1970, or an ISO 8601 text with its zone');
}

const isString = (value: unknown): value is string => typeof value === 'string';

const aPath: OptionRule<string> = { accepts: isString, expected: 'a path' };
const aProgram: OptionRule<string> = { accepts: isString, expected: 'the text of a program' };
const aMode: OptionRule<FileMode> = {
  accepts: (value): value is FileMode => fileModes.some((mode) => mode === value),
  expected: `one of ${fileModes.join(', ')}`,
};
const aSwitch: OptionRule<boolean> = {
  accepts: (value): value is boolean => typeof value === 'boolean',
  expected: 'true or false',
};
const anObject: OptionRule<object> = {
  accepts: (value): value is object => typeof value === 'object' && value !== null,
  expected: 'an object of functions',
};
const aListOfPaths: OptionRule<readonly string[]> = {
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isString),
  expected: 'a list of paths',
};
const aLanguage: OptionRule<'js' | 'ts'> = {
  accepts: (value): value is 'js' | 'ts' => value === 'js' || value === 'ts',
  expected: '"js" or "ts"',
};
// Stack frames are read by this name: it must not look like anything else in one.
const aFileName: OptionRule<string> = {
  accepts: (value): value is string => typeof value === 'string' && /^(?!porthole$)[^\p{Cc}():]+$/u.test(value),
  expected: 'a name without brackets, colons and control characters',
};
const aSeed: OptionRule<number | bigint> = {
  accepts: (value): value is number | bigint => typeof value === 'bigint' || Number.isSafeInteger(value),
  expected: 'a whole number or bigint',
};
const aSignal: OptionRule<AbortSignal> = {
  accepts: (value): value is AbortSignal => value instanceof AbortSignal,
  expected: 'an AbortSignal',
};

function aCount(least: number, most: number): OptionRule<number> {
  return {
    accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    expected: `a whole number from ${least} to ${most}`,
  };
}
