import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Limits } from '../contract/limits.ts';
import type { FileMode } from '../contract/mode.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { RunOptions } from './run-options.ts';
import { wireRuntime } from './runtime.ts';

interface ProgramCase {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly language?: 'js' | 'ts';
  readonly mode?: FileMode;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: { readonly TZ: string };
  readonly want: Want | { readonly anyOf: readonly Want[] };
  readonly endsWithinMs?: number;
  readonly rssGrowthBelowMiB?: number;
  /** What must be true of the root afterwards: always that a file does not exist. */
  readonly after?: string;
}

interface Want {
  readonly status: RunOutcome['status'];
  readonly limit?: string;
  readonly value?: unknown;
  /** Own keys of the value, in order. */
  readonly keys?: readonly string[];
  /** Each item of the value as text; `-0` apart from `0`. */
  readonly is?: readonly string[];
  /** Bigint fields of the value, as text. */
  readonly bigint?: Readonly<Record<string, string>>;
  /** Constructors of the value's items. */
  readonly types?: readonly string[];
  readonly warnings?: readonly string[];
  readonly error?: Readonly<Record<string, unknown>> & { readonly says?: string };
}

const { cases } = JSON.parse(readFileSync(new URL('cases/programs.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly ProgramCase[]; // our own file
};

// Each program runs with its root as the current directory, as a user's command would.
const startedIn = process.cwd();
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-programs-')));
  process.chdir(root);
});

afterEach(() => {
  process.chdir(startedIn);
  rmSync(root, { recursive: true, force: true });
});

describe('programs', () => {
  it.each(cases.map((row) => [row.id, row.title, row] as const))('%s %s', async (_, __, row) => {
    for (const [name, text] of Object.entries(row.files ?? {})) writeFileSync(join(root, name), text);
    await using runtime = await wireRuntime({ root, mode: row.mode ?? 'safe', workers: 1 });
    // A first program, so that what is measured is the row's own and not the start of a thread.
    await runtime.run({ source: 'return 1' });
    const { outcome, ms, rssGrowthMiB } = await measured(row, () => runtime.run(optionsOf(row)));
    expectOutcome(outcome, row.want);
    if (row.endsWithinMs !== undefined) expect(ms).toBeLessThan(row.endsWithinMs);
    if (row.rssGrowthBelowMiB !== undefined) expect(rssGrowthMiB).toBeLessThan(row.rssGrowthBelowMiB);
    if (row.after !== undefined) expect(existsSync(join(root, row.after.split(' ', 1).join('')))).toBe(false);
    // Whatever the row did: the next run is well.
    expect(await runtime.run({ source: 'return 1 + 1' })).toMatchObject({ status: 'completed', value: 2 });
  });

  it('S73 random is the same for the same seed, and differs between seeds and between runs without one', async () => {
    await using runtime = await wireRuntime({ workers: 1 });
    const random = async (seed?: number): Promise<unknown> => {
      const outcome = await runtime.run({ source: 'return Math.random()', ...(seed === undefined ? {} : { seed }) });
      return outcome.status === 'completed' ? outcome.value : outcome;
    };
    expect(await random()).not.toBe(await random());
    expect(await random(7)).toBe(await random(7));
    expect(await random(7)).not.toBe(await random(8));
    expect(await random(0)).not.toBe(await random(1));
  });

  it('S67 an error that only looks like a limit has simply failed, with the name the guest gave it', async () => {
    await using runtime = await wireRuntime({ workers: 1 });
    const row = cases.find(({ id }) => id === 'S67');
    const outcome = await runtime.run({ source: row?.source ?? '' });
    expect(outcome).toMatchObject({ status: 'failed', error: { kind: 'thrown', name: 'InternalError' } });
    expect(outcome).not.toHaveProperty('limit');
  });

  it('S92 a policy file that exists is protected like one that does not', async () => {
    // JSON is YAML, too; it allows all writes, and still not this one.
    const policy = '{ "porthole": 1, "mode": "unsafe", "permissions": { "allow": ["write(**)", "run(**)"] } }';
    for (const name of ['porthole.policy.yaml', 'porthole.policy.yml', 'porthole.policy.json']) {
      writeFileSync(join(root, name), policy);
      await using runtime = await wireRuntime({ root, mode: 'unsafe', workers: 1 });
      const source = 'try { write_file(input_data, "porthole: 1") } catch (error) { return error.code }';
      const outcome = await runtime.run({ source, input: name, context: { _unsafe_mode: true } });
      expect(outcome).toMatchObject({ status: 'completed', value: 'PATH_PROTECTED' });
      expect(readFileSync(join(root, name), 'utf8')).toBe(policy);
      rmSync(join(root, name));
    }
  });
});

function optionsOf({ source, language, context, limits }: ProgramCase): RunOptions {
  return {
    source,
    ...(language === undefined ? {} : { language }),
    ...(context === undefined ? {} : { context }),
    ...(limits === undefined ? {} : { limits }),
  };
}

interface Measured {
  readonly outcome: RunOutcome;
  readonly ms: number;
  readonly rssGrowthMiB: number;
}

async function measured({ env }: ProgramCase, run: () => Promise<RunOutcome>): Promise<Measured> {
  const zoneBefore = process.env['TZ'];
  if (env !== undefined) {
    process.env['TZ'] = env.TZ;
    // The host does live in that zone now; otherwise the row would show nothing.
    expect(new Date(0).getTimezoneOffset()).toBe(300);
  }
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  const startedAt = performance.now();
  try {
    const outcome = await run();
    peak = Math.max(peak, process.memoryUsage.rss());
    return { outcome, ms: performance.now() - startedAt, rssGrowthMiB: (peak - before) / 1024 / 1024 };
  } finally {
    clearInterval(sampling);
    if (zoneBefore === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zoneBefore;
  }
}

function expectOutcome(outcome: RunOutcome, want: ProgramCase['want']): void {
  if (!('anyOf' in want)) return expectWanted(outcome, want);
  const failures = want.anyOf.map((one) => {
    try {
      expectWanted(outcome, one);
      return undefined;
    } catch (error) {
      return error;
    }
  });
  if (!failures.includes(undefined)) throw failures[0];
}

function expectWanted(outcome: RunOutcome, want: Want): void {
  expect(outcome.status).toBe(want.status);
  if (want.limit !== undefined) expect(outcome).toHaveProperty('limit', want.limit);
  const value: unknown = outcome.status === 'completed' ? outcome.value : undefined;
  if ('value' in want) expect(value).toStrictEqual(want.value);
  if (want.keys !== undefined) expect(Object.keys(Object(value))).toEqual(want.keys);
  if (want.is !== undefined) expect(itemsOf(value).map(nameNumber)).toEqual(want.is);
  if (want.types !== undefined) expect(itemsOf(value).map((item) => Object(item).constructor.name)).toEqual(want.types);
  if (want.bigint !== undefined) {
    expect(value).toStrictEqual(Object.fromEntries(Object.entries(want.bigint).map(([k, text]) => [k, BigInt(text)])));
  }
  if (want.warnings !== undefined) expect(outcome.warnings.map(({ code }) => code)).toEqual(want.warnings);
  if (want.error !== undefined) {
    const { says, ...fields } = want.error;
    const error = outcome.status === 'failed' ? outcome.error : undefined;
    expect(error).toMatchObject(fields);
    if (says !== undefined) expect(error?.message).toContain(says);
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  expect(Array.isArray(value)).toBe(true);
  return Array.isArray(value) ? value : [];
}

function nameNumber(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
