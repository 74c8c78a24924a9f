import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { batchMs, expressionFile, expressionHeadLength, expressionLimits, expressionParameters } from './expression.ts';
import type { ProgramText } from './guest-errors.ts';
import type { HostedWork } from './hosted-work.ts';
import type { BatchResult, BatchTask, HelperReply, WorkerMessage } from './messages.ts';
import { SandboxRun } from './sandbox-run.ts';

/** Tasks over one value, each in a pristine image: bridges, or texts to be compiled. */
export interface SandboxBatch {
  readonly tasks: readonly BatchTask[];
  readonly input: unknown;
  readonly context: unknown;
  /** Of each task. */
  readonly limits: Limits;
  readonly seed: bigint;
  readonly now: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** How a task ended, and which part of it was the last; `undefined` where the thread was ended within it. */
export interface TaskEnd {
  readonly part: BatchResult['part'] | undefined;
  readonly end: ProgramEnd;
}

/** The longest that one message with tasks may take: an answer is due after `batchMs`, and one task has two parts. */
export function batchTimeMs({ timeMs }: Limits): number {
  return batchMs + 2 * timeMs;
}

/** The ceilings of an expression in a run with those. */
export function limitsOfExpressions(limits: Limits): Limits {
  return { ...limits, ...expressionLimits, timeMs: Math.min(limits.timeMs, expressionLimits.timeMs) };
}

/** What a thread made of a message with tasks: the ends of the first ones, or why there is none. */
export type BatchOutcome = { readonly ends: readonly TaskEnd[] } | { readonly ended: ProgramEnd };

/** The host's side of one message with tasks. */
export class BatchRun implements HostedWork<BatchOutcome> {
  readonly #tasks: readonly BatchTask[];
  readonly #limits: Limits;
  readonly #helperNames: readonly string[];
  #latched: ProgramEnd | undefined;

  constructor(tasks: readonly BatchTask[], limits: Limits, helperNames: readonly string[]) {
    this.#tasks = tasks;
    this.#limits = limits;
    this.#helperNames = helperNames;
  }

  take(
    received: Exclude<WorkerMessage, { kind: 'ready' }>,
    respond: (reply: HelperReply) => void,
  ): BatchOutcome | undefined {
    // Nothing here has a helper, and nothing prints.
    if (received.kind === 'call') respond({ kind: 'stop' });
    if (received.kind !== 'batched') return undefined;
    if (this.#latched !== undefined) return { ended: this.#latched };
    return { ends: received.results.map((result, index) => this.#endOf(result, this.#tasks[index])) };
  }

  latch(end: ProgramEnd): void {
    this.#latched ??= end;
  }

  timedOut(): ProgramEnd {
    return { status: 'limited', limit: 'time', ceiling: this.#limits.timeMs };
  }

  finishKilled(end: ProgramEnd): BatchOutcome {
    return { ended: this.#latched ?? end };
  }

  #endOf({ part, end }: BatchResult, task: BatchTask | undefined): TaskEnd {
    const run = new SandboxRun(this.#limits, this.#textOf(task, part), []);
    const done = { kind: 'done', end, pendingWork: false, memoryBytes: 0, wallMs: 0 } as const;
    return { part, end: run.finish(done).end };
  }

  #textOf(task: BatchTask | undefined, part: BatchResult['part']): ProgramText {
    if (task?.kind === 'program') {
      const helpers = task.helpers.map((id) => this.#helperNames[id] ?? '');
      return textOf(task.source, { file: task.file, parameters: [...expressionParameters, ...helpers] });
    }
    const source = task?.kind === 'bridge' ? task[part === 'when' ? 'when' : 'transform'] : task?.source;
    const headColumns = expressionHeadLength;
    return textOf(source ?? '', { file: expressionFile, parameters: expressionParameters, headColumns });
  }
}

function textOf(source: string, text: Omit<ProgramText, 'source' | 'lineCount'>): ProgramText {
  return { ...text, source, lineCount: source.split('\n').length };
}

/**
 * Does the tasks of a batch, in as many messages as that takes. Ends early with `ended`, which is about the task behind
 * the last one that has an end.
 */
export async function runBatch(
  tasks: readonly BatchTask[],
  send: (tasks: readonly BatchTask[]) => Promise<BatchOutcome>,
): Promise<{ readonly ends: readonly TaskEnd[]; readonly ended?: ProgramEnd }> {
  const ends: TaskEnd[] = [];
  let most = tasks.length;
  while (ends.length < tasks.length) {
    const next = tasks.slice(ends.length, ends.length + most);
    const outcome = await send(next);
    if ('ends' in outcome) ends.push(...outcome.ends);
    // The thread was killed, and nobody knows within which of them: one by one it will turn out.
    else if (outcome.ended.status === 'limited' && next.length > 1) most = 1;
    else return { ends, ended: outcome.ended };
  }
  return { ends };
}
