import type { ProgramEnd } from '../contract/outcome.ts';
import type { TaskEnds } from '../runtime/shared-run.ts';
import type { BatchTask } from '../sandbox/messages.ts';
import type { AgentFile, Bridge } from './agent-file.ts';
import { failedBridge, refusal } from './early-end.ts';
import type { EarlyEnd } from './workflow-outcome.ts';

/** A value on its way to an agent. */
export interface Arrival {
  readonly agent: string;
  readonly value: unknown;
}

/** Which ways a value goes, in the order of the bridges, or why that cannot be said. */
export async function followBridges(
  file: AgentFile,
  bridges: readonly Bridge[],
  value: unknown,
  evaluate: (tasks: readonly BatchTask[], value: unknown) => Promise<TaskEnds>,
): Promise<{ readonly arrivals: readonly Arrival[] } | { readonly early: EarlyEnd }> {
  const judged = bridges.filter(({ when, transform }) => when !== undefined || transform !== undefined);
  // One message for all of them: a message costs as much as an expression.
  const { ends, ended } = judged.length === 0 ? nothingToAsk : await evaluate(judged.map(taskOf), value);
  const arrivals: Arrival[] = [];
  for (const bridge of bridges) {
    const index = judged.indexOf(bridge);
    const verdict = index === -1 ? { taken: true, value } : judge(bridge, ends[index], { file, value, ended });
    if ('early' in verdict) return verdict;
    if (verdict.taken) arrivals.push({ agent: bridge.to, value: verdict.value });
  }
  return { arrivals };
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
