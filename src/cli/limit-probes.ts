import { type LimitName, type Limits, limitTable } from '../contract/limits.ts';
import { type RunOutcome, reportedLimits } from '../contract/outcome.ts';
import type { RunOptions } from '../runtime/run-options.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** What firing one limit showed. */
export interface LimitReport {
  readonly limit: LimitName;
  /** What the program tried. */
  readonly attempt: string;
  readonly ceiling: number;
  readonly unit: string;
  /** What ended the program, or that nothing did. */
  readonly stoppedBy: string;
  /** From the call to the outcome. */
  readonly ms: number;
  readonly isHeld: boolean;
}

interface Probe {
  readonly limit: LimitName;
  readonly attempt: string;
  readonly ceiling: number;
  readonly program: Pick<RunOptions, 'source' | 'input'>;
  /** Run on a tree of its own. Default: in unsafe mode. */
  readonly isStaged?: boolean;
  /** Most milliseconds until the outcome. */
  readonly withinMs?: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
// The thread is ended 50 ms after the deadline; the rest is for a machine that is busy with other things.
const lateMs = 1000;
// What no deadline guards must still end by its own limit, long before the 10 seconds of the default one.
const promptMs = 5000;

// One program for each limit, two where two mechanisms hold it.
const limitProbes: readonly Probe[] = [
  {
    limit: 'timeMs',
    attempt: 'a loop without end',
    ceiling: 200,
    program: { source: 'for (;;) {}' },
    withinMs: 200 + lateMs,
  },
  {
    limit: 'timeMs',
    // The interpreter is asked to stop; this never asks back, and is ended with its thread.
    attempt: 'one native call without end',
    ceiling: 200,
    program: { source: "return new Array(1e9).join('x')" },
    withinMs: 200 + lateMs,
  },
  {
    limit: 'memoryBytes',
    attempt: 'arrays without end',
    ceiling: 32 * MiB,
    program: { source: 'const all = []; for (;;) all.push(new Array(1e5).fill(1))' },
  },
  {
    limit: 'memoryBytes',
    attempt: 'one huge string, caught',
    ceiling: 32 * MiB,
    program: { source: "try { 'x'.repeat(2 ** 28) } catch {} return 'survived'" },
  },
  {
    limit: 'stackBytes',
    attempt: 'recursion without end',
    ceiling: 256 * KiB,
    program: { source: '(function again() { again() })()' },
  },
  {
    limit: 'sourceBytes',
    attempt: 'a long program',
    ceiling: KiB,
    program: { source: `return 1 // ${'x'.repeat(KiB)}` },
  },
  {
    limit: 'inputBytes',
    attempt: 'a large input',
    ceiling: KiB,
    program: { source: 'return 1', input: 'x'.repeat(2 * KiB) },
  },
  {
    limit: 'resultBytes',
    attempt: 'a large result',
    ceiling: KiB,
    program: { source: "return 'x'.repeat(2048)" },
  },
  {
    limit: 'consoleBytes',
    attempt: 'much output',
    ceiling: KiB,
    program: { source: "for (let line = 0; line < 1000; line++) console.log('a line of output')" },
  },
  {
    limit: 'helperCalls',
    attempt: 'helper calls without end',
    ceiling: 10,
    program: { source: "for (;;) try { read_file('') } catch {}" },
  },
  {
    limit: 'helperBytes',
    // No path, no flag: nothing could be written even if the limit failed.
    attempt: 'much content for a helper',
    ceiling: KiB,
    program: { source: "try { write_file('', 'x'.repeat(2048)) } catch {} return 'survived'" },
  },
  {
    limit: 'treeBytes',
    attempt: 'a file larger than its tree',
    ceiling: KiB,
    isStaged: true,
    program: { source: "write_file('large', 'x'.repeat(2048))" },
  },
  {
    limit: 'treeNodes',
    attempt: 'files without end',
    ceiling: 100,
    isStaged: true,
    program: { source: 'for (let file = 0; ; file++) write_file(String(file), "")' },
  },
];

/** The runtimes that probes are run in. */
export interface ProbedRuntimes {
  /** Of unsafe mode. */
  readonly live: Pick<Runtime, 'run'>;
  /** Of staged mode. */
  readonly staged: Pick<Runtime, 'run'>;
}

/** Runs every probe, one after the other, with a context that holds no flag. */
export async function fireLimits(runtimes: ProbedRuntimes): Promise<readonly LimitReport[]> {
  const reports: LimitReport[] = [];
  for (const one of limitProbes) reports.push(await fire(one, runtimes));
  return reports;
}

async function fire(
  { limit, attempt, ceiling, program, isStaged = false, withinMs = promptMs }: Probe,
  { live, staged }: ProbedRuntimes,
): Promise<LimitReport> {
  const limits: Partial<Limits> = { [limit]: ceiling };
  const startedAt = performance.now();
  const outcome = await (isStaged ? staged : live).run({ ...program, limits });
  const ms = Math.round(performance.now() - startedAt);
  const { unit } = limitTable[limit];
  const isHeld = isStopped(outcome, limit) && ms <= withinMs;
  return { limit, attempt, ceiling, unit, stoppedBy: describeStop(outcome), ms, isHeld };
}

function isStopped(outcome: RunOutcome, limit: LimitName): boolean {
  if (limit === 'consoleBytes') return outcome.console.truncated;
  if (limit === 'treeBytes' || limit === 'treeNodes') return isTreeFull(outcome);
  return outcome.status === 'limited' && reportedLimits[outcome.limit] === limit;
}

// A program may catch that and go on; the tree has not grown.
function isTreeFull(outcome: RunOutcome): boolean {
  return outcome.status === 'failed' && outcome.error.code === 'TREE_FULL';
}

function describeStop(outcome: RunOutcome): string {
  if (outcome.status === 'limited') return `limit ${outcome.limit}`;
  if (isTreeFull(outcome)) return 'refusal TREE_FULL';
  if (outcome.console.truncated) return 'console cut, the program went on';
  return `nothing: it ended ${outcome.status}`;
}
