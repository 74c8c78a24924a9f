import { PortholeError } from '../contract/errors.ts';
import { once } from '../cores/once.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { AgentFile } from './agent-file.ts';
import type { WorkflowPlan } from './plan.ts';
import type { WorkflowOptions } from './run-workflow.ts';
import type { WorkflowOutcome } from './workflow-outcome.ts';

// YAML and schemas are loaded by the first call, not by whoever imports the package. Asking Node again for what it has
// loaded already would cost a small workflow a tenth.
const loadRunner = once(() => import('./run-workflow.ts'));

/**
 * Reads an agent file, YAML or JSON by its name, with the programs it names beside itself.
 *
 * @param path - The file. Programs in it are named relative to its directory, and lie below that.
 * @throws {@link PortholeError} `AGENT_FILE_INVALID` naming line and column; `details.problems` holds every problem
 */
export async function loadAgentFile(path: string): Promise<AgentFile> {
  const { loadAgentFile: load } = await import('./load-agent-file.ts');
  return load(path);
}

/**
 * Takes an agent file from a text, without any file beside it.
 *
 * @param text - YAML 1.2, or JSON, which is a part of it.
 * @param file - How messages name it. Default: `agents.yaml`.
 * @throws {@link PortholeError} `AGENT_FILE_INVALID`
 */
export async function parseAgentFile(text: string, file = 'agents.yaml'): Promise<AgentFile> {
  const { parseAgentFile: parse } = await import('./parse-agent-file.ts');
  return parse({ text, file, isJson: file.endsWith('.json') });
}

/**
 * Compiles every program and expression of an agent file and runs none; what reading it could find, it found before.
 *
 * @throws {@link PortholeError} `AGENT_FILE_INVALID`
 */
export async function checkAgentFile(runtime: Runtime, file: AgentFile): Promise<void> {
  const [{ checkCode }, { partsOf }] = await Promise.all([
    import('./check-code.ts'),
    import('../runtime/runtime-parts.ts'),
  ]);
  await checkCode(agentFileOf('checkAgentFile()', file), partsOf(runtime));
}

/**
 * Says what a workflow would read, run and write, without running it.
 */
export async function planWorkflow(file: AgentFile): Promise<WorkflowPlan> {
  const [{ planAgentFile }, { digestText }] = await Promise.all([
    import('./plan.ts'),
    import('../runtime/node-judging-powers.ts'),
  ]);
  return planAgentFile(agentFileOf('planWorkflow()', file), { digestText });
}

/**
 * Runs a workflow as one run: one id, one gate, one receipt for all of its agents. Resolves for every way it can end;
 * rejects only where nothing ran.
 *
 * @param runtime - Made by {@link createRuntime}: its mode, root and policy hold for every agent.
 * @param file - A path, or what {@link loadAgentFile} or {@link parseAgentFile} gave.
 * @throws {@link PortholeError} `AGENT_FILE_INVALID`, `ARGUMENT_INVALID`, `LIMIT_INVALID`, `INPUT_NOT_SERIALIZABLE`,
 * `AUDIT_UNAVAILABLE`, `QUEUE_FULL`, `RUNTIME_CLOSED`, `RUNTIME_UNAVAILABLE`
 *
 * @example
 * ```ts
 * import { createRuntime, parseAgentFile, runWorkflow } from 'porthole';
 *
 * const file = await parseAgentFile(`
 *   porthole: 1
 *   agents:
 *     count: { type: tool, code: 'return input_data.split(" ").length' }
 *     tell:  { type: tool, code: 'return input_data + " words"' }
 *   bridges: [{ from: count, to: tell, when: 'input_data > 1' }]
 *   start: count
 * `);
 * await using runtime = await createRuntime();
 * const outcome = await runWorkflow(runtime, file, { input: 'one two three' });
 * console.log(outcome.status === 'completed' ? outcome.value : outcome.at);
 * ```
 */
export async function runWorkflow(
  runtime: Runtime,
  file: AgentFile | string,
  options: WorkflowOptions = {},
): Promise<WorkflowOutcome> {
  const { runAgentFile } = await loadRunner();
  const loaded = typeof file === 'string' ? await loadAgentFile(file) : agentFileOf('runWorkflow()', file);
  return runAgentFile(runtime, loaded, options);
}

// Above all for callers without types: an `await` before loading is easily forgotten.
function agentFileOf(call: string, file: AgentFile): AgentFile {
  const given: unknown = file;
  if (typeof given === 'object' && given !== null && 'agents' in given && given.agents instanceof Map) return file;
  const what = given instanceof Promise ? 'a promise' : describeKind(given);
  throw new PortholeError('ARGUMENT_INVALID', `Cannot use the file of ${call}: expected an agent file, not ${what}`, {
    hint: 'Await loadAgentFile() or parseAgentFile() first.',
  });
}

function describeKind(given: unknown): string {
  return given === undefined || given === null ? 'nothing' : `something of type ${typeof given}`;
}
