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
];

/** Runs every probe, one after the other, in a runtime of unsafe mode whose context holds no flag. */
export async function fireLimits(runtime: Runtime): Promise<readonly LimitReport[]> {
  const reports: LimitReport[] = [];
  for (const one of limitProbes) reports.push(await fire(one, runtime));
  return reports;
}

async function fire(
  { limit, attempt, ceiling, program, withinMs = promptMs }: Probe,
  runtime: Runtime,
): Promise<LimitReport> {
  const limits: Partial<Limits> = { [limit]: ceiling };
  const startedAt = performance.now();
  const outcome = await runtime.run({ ...program, limits });
  const ms = Math.round(performance.now() - startedAt);
  const { unit } = limitTable[limit];
  const isHeld = isStopped(outcome, limit) && ms <= withinMs;
  return { limit, attempt, ceiling, unit, stoppedBy: describeStop(outcome), ms, isHeld };
}

function isStopped(outcome: RunOutcome, limit: LimitName): boolean {
  if (limit === 'consoleBytes') return outcome.console.truncated;
  return outcome.status === 'limited' && reportedLimits[outcome.limit] === limit;
}

function describeStop(outcome: RunOutcome): string {
  if (outcome.status === 'limited') return `limit ${outcome.limit}`;
  if (outcome.console.truncated) return 'console cut, the program went on';
  return `nothing: it ended ${outcome.status}`;
}
