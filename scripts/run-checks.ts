import type { Check } from './checks.ts';

/** How one check ended. `skipped`: something it needs failed. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  readonly output: string;
}

/** What running checks takes from the world. */
export interface CheckPowers {
  /** Runs the commands of a check. */
  readonly run: (check: Check) => Promise<{ readonly ok: boolean; readonly output: string }>;
  readonly report: (result: CheckResult) => void;
  readonly monotonicMs: () => number;
}

// Two cores are what a contributor's machine and the pipeline surely have.
const atOnce = 2;

/** Runs checks at most two at a time, one that wants to be alone by itself, and nothing whose needs failed. */
export async function runChecks(checks: readonly Check[], powers: CheckPowers): Promise<readonly CheckResult[]> {
  const results = new Map<string, CheckResult>();
  const waiting = [...checks];
  const running = new Map<Check, Promise<void>>();

  while (waiting.length > 0 || running.size > 0) {
    for (const check of waiting.filter((one) => mayStart(one, { results, running, waiting }))) {
      if (!mayStart(check, { results, running, waiting })) continue;
      waiting.splice(waiting.indexOf(check), 1);
      running.set(
        check,
        runOne(check, { results, powers }).finally(() => running.delete(check)),
      );
    }
    await Promise.race(running.values());
  }
  return [...results.values()];
}

interface State {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly running: ReadonlyMap<Check, unknown>;
  readonly waiting: readonly Check[];
}

function mayStart(check: Check, { results, running, waiting }: State): boolean {
  if (running.size >= atOnce) return false;
  if ([...running.keys()].some((other) => other.alone === true)) return false;
  if (check.alone === true && running.size > 0) return false;
  const needs = check.needs ?? [];
  const open = [...running.keys(), ...waiting].map((other) => other.name);
  return needs.every((need) => results.has(need) || !open.includes(need));
}

async function runOne(
  check: Check,
  { results, powers }: { results: Map<string, CheckResult>; powers: CheckPowers },
): Promise<void> {
  const result = await judge(check, { results, powers });
  results.set(check.name, result);
  powers.report(result);
}

async function judge(
  check: Check,
  { results, powers }: { results: ReadonlyMap<string, CheckResult>; powers: CheckPowers },
): Promise<CheckResult> {
  const { name } = check;
  const failed = (check.needs ?? []).find((need) => results.has(need) && results.get(need)?.status !== 'passed');
  if (failed !== undefined) return { name, status: 'skipped', seconds: 0, output: `needs ${failed}\n` };
  const startedAt = powers.monotonicMs();
  const { ok, output } = await powers.run(check);
  return { name, status: ok ? 'passed' : 'failed', seconds: (powers.monotonicMs() - startedAt) / 1000, output };
}
