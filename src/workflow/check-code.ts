import { type FileMode, helperNames, helpersByMode } from '../contract/mode.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import type { RuntimeParts } from '../runtime/runtime-parts.ts';
import type { DocumentProblem } from '../runtime/strict-document.ts';
import type { BatchTask } from '../sandbox/messages.ts';
import { type AgentFile, type CodeAgent, nameBridge, type SourceText } from './agent-file.ts';
import { agentFileError } from './parse-agent-file.ts';

// A file is checked once for every mode: the names in scope differ.
const checked = new WeakMap<AgentFile, Set<FileMode>>();

/**
 * Compiles every program and every expression of an agent file, and runs none of them.
 * @throws PortholeError `AGENT_FILE_INVALID` with every problem
 */
export async function checkCode(
  file: AgentFile,
  { mode, limits, pool }: RuntimeParts,
  signal?: AbortSignal,
): Promise<void> {
  if (checked.get(file)?.has(mode)) return;
  const texts = [...programsOf(file), ...expressionsOf(file)];
  const problems: DocumentProblem[] = [];
  const tasks: { readonly task: BatchTask; readonly text: CheckedText }[] = [];
  for (const text of texts) {
    const task = await taskOf(text, mode, (source) => pool().eraseTypes(source, { limits, signal }));
    if ('status' in task) problems.push(...problemOf(text, task));
    else tasks.push({ task, text });
  }
  if (tasks.length > 0) {
    const batch = { tasks: tasks.map(({ task }) => task), input: undefined, context: undefined, limits };
    const { ends, ended } = await pool().evaluate({ ...batch, seed: 1n, now: undefined, signal });
    tasks.forEach(({ text }, index) => {
      const end = ends[index]?.end ?? (index === ends.length ? ended : undefined);
      if (end !== undefined) problems.push(...problemOf(text, end));
    });
  }
  if (problems.length > 0) throw agentFileError(file.file, inOrder(problems));
  if (!signal?.aborted) checked.set(file, (checked.get(file) ?? new Set()).add(mode));
}

interface CheckedText extends SourceText {
  /** The text in words. */
  readonly what: string;
  readonly agent?: CodeAgent;
}

function programsOf({ agents }: AgentFile): readonly CheckedText[] {
  return [...agents.values()].flatMap((agent) =>
    agent.kind === 'code' ? [{ ...agent.body, what: `the code of agent "${agent.name}"`, agent }] : [],
  );
}

function expressionsOf({ bridges }: AgentFile): readonly CheckedText[] {
  return bridges.flatMap((bridge) => {
    const name = nameBridge(bridge);
    const when = bridge.when && { ...bridge.when, what: `the predicate of bridge ${name}` };
    const transform = bridge.transform && { ...bridge.transform, what: `the transform of bridge ${name}` };
    return [when, transform].filter((text) => text !== undefined);
  });
}

async function taskOf(
  { source, agent }: CheckedText,
  mode: FileMode,
  eraseTypes: (source: string) => Promise<{ readonly source: string } | ProgramEnd>,
): Promise<BatchTask | ProgramEnd> {
  if (!source.isWellFormed()) {
    const message = 'the source holds a lone surrogate';
    return { status: 'failed', error: { kind: 'syntax', name: 'SyntaxError', message, stack: '' } };
  }
  if (agent === undefined) return { kind: 'expression', source };
  const plain = agent.language === 'ts' ? await eraseTypes(source) : { source };
  if ('status' in plain) return plain;
  const helpers = helpersByMode[mode].map((name) => helperNames.indexOf(name));
  return { kind: 'program', source: plain.source, file: agent.body.frameFile, helpers };
}

function problemOf({ what, agent, at, locate }: CheckedText, end: ProgramEnd): readonly DocumentProblem[] {
  if (end.status === 'completed' || end.status === 'aborted') return [];
  if (end.status !== 'failed') return [{ message: `${what} cannot be checked: ${end.status}`, ...at }];
  const { name, message, line, column } = end.error;
  const hint = end.error.hint ?? (agent === undefined ? oneExpression : undefined);
  const within = line === undefined ? '' : `, ${agent?.body.file ?? 'its'} line ${line}${columnOf(column)}`;
  const place = line === undefined ? at : locate({ line, column });
  return [{ message: `${what}${within}: ${name}: ${message}`, ...(hint === undefined ? {} : { hint }), ...place }];
}

const oneExpression = 'An expression is one value: it holds no statement, and closes only brackets that it opened.';

function columnOf(column: number | undefined): string {
  return column === undefined ? '' : `:${column}`;
}

function inOrder(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  return problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
}
