import type { ProgramEnd } from '../contract/outcome.ts';
import type { TaskEnds } from '../runtime/shared-run.ts';
import type { BatchTask } from '../sandbox/messages.ts';
import type { AgentFile, Bridge } from './agent-file.ts';
import { type Failure, failedBridge, refusal } from './early-end.ts';
import { mostHeldBytes, sizeOfValue } from './held-values.ts';
import type { EarlyEnd } from './workflow-outcome.ts';

/** A value on its way to an agent. */
export interface Arrival {
  readonly agent: string;
  readonly value: unknown;
  /** What it takes of the host's memory; 0 where another one carries the same value further. */
  readonly bytes: number;
}

/** Evaluates expressions over one value. */
export type Evaluate = (tasks: readonly BatchTask[], value: unknown) => Promise<TaskEnds>;

/** A value that leaves an agent. */
export interface Departure {
  readonly value: unknown;
  readonly bytes: number;
  /** Whether so many bytes more are too much for the workflow. */
  readonly isFull: (more: number) => boolean;
}

// As many transforms as may give their largest values at once.
const tasksAtOnce = 16;

/** Which ways a value goes, in the order of the bridges, or why that cannot be said. */
export async function followBridges(
  file: AgentFile,
  bridges: readonly Bridge[],
  { value, bytes, isFull }: Departure,
  evaluate: Evaluate,
): Promise<{ readonly arrivals: readonly Arrival[] } | { readonly early: EarlyEnd }> {
  const arrivals: Arrival[] = [];
  let total = bytes;
  for (let at = 0; at < bridges.length; at += tasksAtOnce) {
    const some = bridges.slice(at, at + tasksAtOnce);
    const judged = some.filter(({ when, transform }) => when !== undefined || transform !== undefined);
    // One message for many: a message costs as much as an expression.
    const { ends, ended } = judged.length === 0 ? nothingToAsk : await evaluate(judged.map(taskOf), value);
    for (const bridge of some) {
      const index = judged.indexOf(bridge);
      const verdict = index === -1 ? { taken: true, value } : judge(bridge, ends[index], { file, value, ended });
      if ('early' in verdict) return verdict;
      if (!verdict.taken) continue;
      const own = verdict.value === value ? 0 : sizeOfValue(verdict.value);
      total += own;
      if (isFull(total)) return { early: failedBridge(file, bridge, 'transform', full(total)) };
      arrivals.push({ agent: bridge.to, value: verdict.value, bytes: own });
    }
  }
  return { arrivals: withShared(arrivals, value, bytes) };
}

// The value itself is held until the last of those who wait for it has come.
function withShared(arrivals: readonly Arrival[], value: unknown, bytes: number): readonly Arrival[] {
  const last = arrivals.findLastIndex((arrival) => arrival.value === value);
  return arrivals.map((arrival, index) => (index === last ? { ...arrival, bytes } : arrival));
}

/** The end of a workflow whose values take more than they may. */
export function full(used: number): Failure {
  return { status: 'limited', limit: 'memory', ceiling: mostHeldBytes, used };
}

const nothingToAsk: TaskEnds = { ends: [] };

function taskOf({ when, transform }: Bridge): BatchTask {
  return { kind: 'bridge', when: when?.source, transform: transform?.source };
}

interface Judging {
  readonly file: AgentFile;
  readonly value: unknown;
  readonly ended: ProgramEnd | undefined;
}

type Verdict = { readonly taken: boolean; readonly value: unknown } | { readonly early: EarlyEnd };

function judge(bridge: Bridge, result: TaskEnds['ends'][number] | undefined, { file, value, ended }: Judging): Verdict {
  const part = result?.part === 'when' || (result === undefined && bridge.when !== undefined) ? 'when' : 'transform';
  const end = result?.end ?? ended ?? missing;
  if (end.status !== 'completed') return { early: failedBridge(file, bridge, part, end) };
  if (part === 'transform') return { taken: true, value: end.value };
  if (typeof end.value === 'boolean') return { taken: end.value, value };
  const error = refusal('PREDICATE_NOT_BOOLEAN', `it gave ${describe(end.value)}, neither true nor false`);
  return { early: failedBridge(file, bridge, 'when', { status: 'failed', error }) };
}

const missing: ProgramEnd = { status: 'crashed', error: { message: 'the sandbox has not answered' } };

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'string') return value.length > 40 ? 'a text' : `the text ${JSON.stringify(value)}`;
  return Array.isArray(value) ? 'an array' : 'an object';
}
