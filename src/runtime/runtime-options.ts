import { PortholeError } from '../contract/errors.ts';
import { defaultLimits, type Limits, parseLimits } from '../contract/limits.ts';
import { type FileMode, fileModes } from '../contract/mode.ts';
import type { Powers } from '../contract/powers.ts';
import { isString, type OptionRule, readAs, refuseUnknownKeys } from './option-checks.ts';

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

const aPath: OptionRule<string> = { accepts: isString, expected: 'a path' };
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
function aCount(least: number, most: number): OptionRule<number> {
  return {
    accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    expected: `a whole number from ${least} to ${most}`,
  };
}
