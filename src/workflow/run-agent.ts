import { type ErrorCode, isPortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import type { SharedRun } from '../runtime/shared-run.ts';
import type { ToolAnswer } from '../tools/tool.ts';
import type { Agent, CodeAgent, ToolAgent } from './agent-file.ts';
import { type Failure, refusal } from './early-end.ts';

/** What an agent works with. */
export interface Visit {
  readonly run: SharedRun;
  /** Those of the run. */
  readonly limits: Limits;
  readonly value: unknown;
  /** From 1. */
  readonly number: number;
}

/** Runs one agent on one value. */
export function runAgent(agent: Agent, visit: Visit): Promise<ProgramEnd> {
  return agent.kind === 'tool' ? callTool(agent, visit) : runCode(agent, visit);
}

function runCode({ name, body, language, limits: own }: CodeAgent, visit: Visit): Promise<ProgramEnd> {
  const { run, value: input, number } = visit;
  const limits = { ...visit.limits, ...own };
  const { source, frameFile: file } = body;
  return run.runProgram({ part: `${name}#${number}`, source, language, file, input, limits });
}

async function callTool({ name, tool, with: args }: ToolAgent, { run, value, number }: Visit): Promise<ProgramEnd> {
  const needsContent = tool !== 'file_read' && (args['content'] ?? args['edits'] ?? null) === null;
  if (needsContent && typeof value !== 'string') {
    const message = `${tool} writes a text, and ${describeType(value)} arrived`;
    const hint =
      'Give the bridge a transform, such as { fn: "JSON.stringify(input_data, null, 2)" }, or with a content.';
    return { status: 'failed', error: refusal('AGENT_FAILED', message, hint) };
  }
  const given = needsContent ? { ...args, content: value } : args;
  try {
    return endOf(await run.callTool(tool, given, `${name}#${number}`));
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    return { status: 'failed', error: refusal(error.code, error.message, error.hint) };
  }
}

// What a model would be told around the result is left out: the next agent wants the text that was read.
function endOf(answer: ToolAnswer): ProgramEnd {
  if (answer.ok) {
    const { result } = answer;
    return { status: 'completed', value: result['view'] === 'text' ? result['text'] : result };
  }
  return failureOf(answer.error);
}

// What policy, mode or a person refused has its own status, as for a program that may not run.
const denials: ReadonlySet<ErrorCode> = new Set([
  'MODE_SAFE',
  'UNSAFE_FLAG_MISSING',
  'POLICY_DENIED',
  'APPROVAL_NEEDED',
  'APPROVAL_DENIED',
]);

function failureOf({ code, message, hint, path }: Extract<ToolAnswer, { ok: false }>['error']): Failure {
  if (denials.has(code)) return { status: 'denied', code, decision: message };
  const error = refusal(code, message, hint);
  return { status: 'failed', error: path === undefined ? error : { ...error, path } };
}

function describeType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
