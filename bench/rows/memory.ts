import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

/** What a runtime holds, and whether it grows. */
export const memoryRows: readonly Row[] = [
  {
    name: 'many-runs',
    what: '100,000 runs on one runtime, after 20,000',
    notShown: 'All runs are the same small program; one worker; minutes, not days.',
    measure: measureManyRuns,
  },
  {
    name: 'idle-memory',
    what: 'idle runtime after 1,000 runs, resident memory',
    notShown:
      'Read from the process itself a second after its last run, without a forced collection. Programs that used more of their guest memory leave more behind. Pages shared with other processes count in full on both sides.',
    measure: measureIdleMemory,
  },
];

interface ManyRuns {
  readonly grownMiB: number;
  readonly grownLateMiB: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

function measureManyRuns(): Promise<readonly Comparison[]> {
  const { grownMiB, grownLateMiB, firstMs, lastMs } = runProgram('many-runs') as ManyRuns; // what that file prints
  return Promise.resolve([
    { figure: 'growth of resident memory', unit: 'MiB', porthole: grownMiB, bar: { kind: 'adds', atMost: 16 } },
    { figure: 'in the last 50,000', unit: 'MiB', porthole: grownLateMiB, bar: { kind: 'adds', atMost: 6 } },
    {
      figure: 'median of the last 1,000',
      unit: 'ms',
      porthole: lastMs,
      baseline: { name: 'median of the first 1,000 counted', value: firstMs },
      bar: { kind: 'costs', atMost: 1.15 },
    },
  ]);
}

function measureIdleMemory(): Promise<readonly Comparison[]> {
  const samples = Array.from({ length: 3 }, () => [0, 1, 2, 4].map((workers) => idleMiB(workers)));
  const [bare = Number.NaN, one = Number.NaN, two = Number.NaN, four = Number.NaN] = [0, 1, 2, 3].map((index) =>
    median(samples.map((sample) => sample[index] ?? Number.NaN)),
  );
  return Promise.resolve([
    {
      figure: 'one warm worker',
      unit: 'MiB',
      porthole: one,
      baseline: { name: 'bare Node', value: bare },
      bar: { kind: 'adds', atMost: 50 },
    },
    {
      figure: 'a second warm worker',
      unit: 'MiB',
      porthole: two,
      baseline: { name: 'one worker', value: one },
      bar: { kind: 'adds', atMost: 12 },
    },
    {
      figure: 'each of three further ones',
      unit: 'MiB',
      porthole: (four - one) / 3,
      bar: { kind: 'adds', atMost: 12 },
    },
  ]);
}

function idleMiB(workers: number): number {
  return runProgram('idle-memory', String(workers)) as number; // what that file prints
}

// In plain Node: what loads TypeScript into this process takes memory of its own.
function runProgram(name: string, ...args: string[]): unknown {
  const path = fileURLToPath(new URL(`../programs/${name}.mjs`, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [path, ...args], { encoding: 'utf8' }));
}
