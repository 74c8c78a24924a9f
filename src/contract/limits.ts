import { PortholeError } from './errors.ts';
import { shortSize } from './render-size.ts';

/** What is known about a limit: the source of options, help and reference page. */
export interface LimitFacts {
  readonly default: number;
  readonly unit: 'ms' | 'bytes' | 'calls' | 'nodes';
  /** The largest value that makes sense, or that the engine can keep. */
  readonly maximum: number;
  readonly minimum: number;
  /** What it protects, in one sentence. */
  readonly protects: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;

/** Every ceiling of a run, finite by default. */
export const limitTable = {
  timeMs: {
    default: 10_000,
    unit: 'ms',
    minimum: 1,
    // setTimeout fires at once beyond 2^31 - 1 ms; a day stays far below and no run needs more.
    maximum: 24 * 60 * 60 * 1000,
    protects: 'the host from a program that does not end: parsing, running, jobs, helper calls and reading the result.',
  },
  memoryBytes: {
    default: 64 * MiB,
    unit: 'bytes',
    // The engine starts with 16 MiB of linear memory, of which about 5 MiB are its own.
    minimum: 16 * MiB,
    maximum: 2 * GiB,
    protects: "the host's memory: the size of the guest's linear memory, the engine's 5 MiB included.",
  },
  stackBytes: {
    default: 256 * KiB,
    unit: 'bytes',
    minimum: 16 * KiB,
    // Half of what 18 probes survived on the worker's 16 MiB thread stack.
    maximum: 512 * KiB,
    protects: "the host's stack from deep recursion of the guest.",
  },
  sourceBytes: {
    default: 1 * MiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 64 * MiB,
    protects: 'the parser: the UTF-8 size of the program, judged before it is compiled.',
  },
  inputBytes: {
    default: 16 * MiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 512 * MiB,
    protects: 'the guest from input larger than it can hold: the encoded size of input_data and context.',
  },
  resultBytes: {
    default: 4 * MiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 512 * MiB,
    protects: 'the host from a flood: the encoded size of the returned value.',
  },
  consoleBytes: {
    default: 64 * KiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 64 * MiB,
    protects: 'logs from a flood: console output beyond it is cut and flagged; the run goes on.',
  },
  helperCalls: {
    default: 10_000,
    unit: 'calls',
    minimum: 1,
    maximum: 1_000_000_000,
    protects: 'the disk from a loop: helper calls in one run.',
  },
  helperBytes: {
    default: 64 * MiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 64 * GiB,
    protects: 'the disk from a flood: bytes that cross through helpers in one run, both ways.',
  },
  treeBytes: {
    default: 64 * MiB,
    unit: 'bytes',
    minimum: 1,
    maximum: 2 * GiB,
    protects: "the host's memory from a large tree: the bytes of all files of a staged run, copied in or written.",
  },
  treeNodes: {
    default: 16_384,
    unit: 'nodes',
    minimum: 1,
    maximum: 1_000_000,
    protects: "the host's memory from many small files: files and directories of a staged run's tree.",
  },
} as const satisfies Record<string, LimitFacts>;

/** The name of a limit. */
export type LimitName = keyof typeof limitTable;

/** A value for every limit, in the unit its name ends with. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The names in the order of the table. */
export const limitNames = Object.keys(limitTable) as readonly LimitName[]; // keys of a literal are its names

/** The limits of a run that says nothing. */
export const defaultLimits: Limits = Object.freeze(
  Object.fromEntries(limitNames.map((name) => [name, limitTable[name].default])) as Record<LimitName, number>, // built from every name
);

/**
 * Lays given limits over a base.
 * @throws {@link PortholeError} `LIMIT_INVALID` for an unknown name or a value that is no whole number in range.
 */
export function parseLimits(given: unknown, base: Limits = defaultLimits): Limits {
  if (given === undefined) return base;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new PortholeError('LIMIT_INVALID', 'Cannot use limits: expected an object of numbers by limit name');
  }
  const result: Record<LimitName, number> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) result[parseLimitName(name)] = parseLimitValue(parseLimitName(name), value);
  }
  return Object.freeze(result);
}

/** The limit of that name; `LIMIT_INVALID` names all of them otherwise. */
export function parseLimitName(name: string): LimitName {
  if (Object.hasOwn(limitTable, name)) return name as LimitName; // just checked
  throw new PortholeError('LIMIT_INVALID', `Cannot use limit "${name}": there is no such limit`, {
    hint: `The limits are ${limitNames.join(', ')}.`,
  });
}

function parseLimitValue(name: LimitName, value: unknown): number {
  const { minimum, maximum, unit } = limitTable[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
  throw new PortholeError(
    'LIMIT_INVALID',
    `Cannot set limit ${name} to ${shown}: expected a whole number of ${unit} from ${withUnits(name, minimum)} to ${withUnits(name, maximum)}`,
  );
}

/** The value of a limit as messages show it: sizes with what people read beside the bytes. */
export function withUnits(name: LimitName, value: number): string {
  const short = limitTable[name].unit === 'bytes' ? shortSize(value) : undefined;
  return short === undefined ? String(value) : `${value} (${short})`;
}
