import { type Limits, parseLimits } from '../contract/limits.ts';
import { type FileMode, fileModes } from '../contract/mode.ts';
import type { Powers } from '../contract/powers.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import type { ApprovalCallback } from '../policy/approver.ts';
import type { Classifier } from '../policy/classify.ts';
import type { PolicyInput } from '../policy/policy-schema.ts';
import { isString, type OptionRule, readAs, refuseUnknownKeys, refuseValue } from './option-checks.ts';
import { parseStagedOptions } from './staged-options.ts';

/** What decides how a runtime behaves. Every key is optional; an unknown one is refused. */
export interface RuntimeOptions {
  /** The sandbox root: an existing directory. Without one there are no files, and only safe mode. Default: none. */
  readonly root?: string;
  /** What the files of a run are. Default: `staged` where that option is given, else `safe`. */
  readonly mode?: FileMode;
  /** What staged runs work on copies of; a run may say otherwise. Default: nothing, which is an empty tree. */
  readonly staged?: StagedOptions;
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
  /**
   * The policy: a file, or what one would say. Default: `porthole.policy.yaml`, `.yml` or `.json` in the current
   * directory where there is one. Options can only narrow it.
   */
  readonly policy?: string | PolicyInput;
  /** Is asked about what needs approval, and sees exactly what will land. Default: nobody is asked, which refuses. */
  readonly approve?: ApprovalCallback;
  /** May raise the level of a write, an edit or a run, never lower it. Default: the built-in rules alone. */
  readonly classify?: Classifier;
  /** Where the audit log goes. Default: what the policy says, else memory, which keeps no event beyond its run. */
  readonly audit?: AuditOptions | 'memory';
  /** Clocks, ids, randomness and digest, to repeat a run exactly. Default: the real ones. */
  readonly powers?: Partial<Powers>;
}

/** Where and how the audit log is kept. */
export interface AuditOptions {
  /** The log file; one writer at a time. Default: what the policy says, else none. */
  readonly path?: string;
  /** Whether contents and arguments are recorded beside their digests. Default: false. */
  readonly content?: boolean;
  /** Whether intents wait for the disk, to survive a power cut. Default: false. */
  readonly fsync?: boolean;
}

/** {@link RuntimeOptions} after every check that needs no disk. */
export interface ParsedRuntimeOptions {
  readonly root: string | undefined;
  readonly mode: FileMode;
  readonly staged: StagedOptions | undefined;
  /** Those that were given. */
  readonly limits: Partial<Limits>;
  readonly workers: number | undefined;
  readonly maxQueue: number;
  readonly requireRaceFree: boolean;
  readonly protectedPaths: readonly string[];
  readonly policy: string | object | undefined;
  readonly approve: ApprovalCallback | undefined;
  readonly classify: Classifier | undefined;
  readonly audit: ParsedAuditOptions;
  readonly powers: Partial<Powers>;
}

/** {@link AuditOptions} with every default filled in. */
export interface ParsedAuditOptions {
  readonly path: string | undefined;
  readonly content: boolean;
  readonly fsync: boolean;
  /** Memory was asked for, and is not only what is left. */
  readonly isMemory: boolean;
}

// A caller that queues more than this has lost sight of what it waits for.
const defaultMaxQueue = 1000;
// More threads than any machine has cores are a typing error.
const mostWorkers = 1024;
const mostQueued = 1_000_000;

const runtimeKeys: Readonly<Record<keyof RuntimeOptions, true>> = {
  root: true,
  mode: true,
  staged: true,
  limits: true,
  workers: true,
  maxQueue: true,
  requireRaceFree: true,
  protectedPaths: true,
  policy: true,
  approve: true,
  classify: true,
  audit: true,
  powers: true,
};

const auditKeys: Readonly<Record<keyof AuditOptions, true>> = { path: true, content: true, fsync: true };

const powerKeys: Readonly<Record<keyof Powers, true>> = {
  now: true,
  monotonicMs: true,
  newId: true,
  randomSeed: true,
  digest: true,
};

/** @throws PortholeError `ARGUMENT_INVALID`, `LIMIT_INVALID` */
export function parseRuntimeOptions(given: unknown): ParsedRuntimeOptions {
  const what = 'createRuntime()';
  const options = refuseUnknownKeys(what, given, Object.keys(runtimeKeys));
  const root = readAs(what, options, 'root', aPath);
  const powers = readAs(what, options, 'powers', anObject) ?? {};
  const staged = parseStagedOptions(what, options);
  refuseUnknownKeys(`${what} powers`, powers, Object.keys(powerKeys));
  return {
    root,
    mode: parseMode(what, options, staged),
    staged,
    limits: parseGivenLimits(options['limits']),
    workers: readAs(what, options, 'workers', aCount(1, mostWorkers)),
    maxQueue: readAs(what, options, 'maxQueue', aCount(0, mostQueued)) ?? defaultMaxQueue,
    requireRaceFree: readAs(what, options, 'requireRaceFree', aSwitch) ?? false,
    protectedPaths: readAs(what, options, 'protectedPaths', aListOfPaths) ?? [],
    policy: readAs(what, options, 'policy', aPolicy),
    approve: readAs(what, options, 'approve', aCallback) as ApprovalCallback | undefined, // its answers are checked
    classify: readAs(what, options, 'classify', aCallback) as Classifier | undefined, // its answers are checked
    audit: parseAudit(what, options),
    powers: powers as Partial<Powers>, // functions the operator wrote; their keys were checked
  };
}

function parseMode(
  what: string,
  options: Readonly<Record<string, unknown>>,
  staged: StagedOptions | undefined,
): FileMode {
  const mode = readAs(what, options, 'mode', aMode);
  if (staged === undefined) return mode ?? 'safe';
  if (mode === undefined || mode === 'staged') return 'staged';
  throw refuseValue(what, 'mode', mode, '"staged", since the option staged is given');
}

function parseGivenLimits(given: unknown): Partial<Limits> {
  parseLimits(given);
  return (given ?? {}) as Partial<Limits>; // just checked
}

function parseAudit(what: string, options: Readonly<Record<string, unknown>>): ParsedAuditOptions {
  const given = options['audit'];
  if (given === undefined || given === 'memory') {
    return { path: undefined, content: false, fsync: false, isMemory: given === 'memory' };
  }
  const audit = refuseUnknownKeys(`${what} audit`, given, Object.keys(auditKeys));
  return {
    path: readAs(what, audit, 'path', aPath),
    content: readAs(what, audit, 'content', aSwitch) ?? false,
    fsync: readAs(what, audit, 'fsync', aSwitch) ?? false,
    isMemory: false,
  };
}

const aPath: OptionRule<string> = { accepts: isString, expected: 'a path' };
const aMode: OptionRule<FileMode> = {
  accepts: (value): value is FileMode => fileModes.some((mode) => mode === value),
  expected: `one of ${fileModes.join(', ')}`,
};
const aPolicy: OptionRule<string | object> = {
  accepts: (value): value is string | object => isString(value) || (typeof value === 'object' && value !== null),
  expected: 'a path, or a policy as an object',
};
const aCallback: OptionRule<(...args: never) => unknown> = {
  accepts: (value): value is (...args: never) => unknown => typeof value === 'function',
  expected: 'a function',
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
