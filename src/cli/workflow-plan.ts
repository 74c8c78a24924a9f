import { type FileMode, helpersByMode } from '../contract/mode.ts';
import { decide } from '../policy/decide.ts';
import { digestText } from '../runtime/node-judging-powers.ts';
import { wireRuntime } from '../runtime/runtime.ts';
import { partsOf } from '../runtime/runtime-parts.ts';
import type { AgentFile } from '../workflow/agent-file.ts';
import { checkCode } from '../workflow/check-code.ts';
import { loadAgentFile } from '../workflow/load-agent-file.ts';
import { type PlannedAction, type PlannedDecision, planAgentFile } from '../workflow/plan.ts';
import { renderMermaid, renderPlanTable } from '../workflow/render-plan.ts';
import { reportAgentFileProblems } from './agent-file-problems.ts';
import type { ParsedArguments } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { readContext } from './given-values.ts';
import { writeJson } from './output.ts';
import { describeSituation, loadPolicy } from './policy-in-force.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole workflow validate FILE`. */
export function validateWorkflowFile(world: World, args: ParsedArguments, path: string): Promise<number> {
  return reportAgentFileProblems(world, args, async () => {
    const file = await loadChecked(world, path, modeOf(args));
    const { agents, bridges } = file;
    if (args.has('json')) writeJson(world, { ok: true, file: path, agents: agents.size, bridges: bridges.length });
    else world.out.write(`${path}: usable, ${count(agents.size, 'agent')}, ${count(bridges.length, 'bridge')}\n`);
    return exitCodes.done;
  });
}

/** `porthole workflow plan FILE`. */
export function planWorkflowFile(world: World, args: ParsedArguments, path: string): Promise<number> {
  if (args.has('json') && args.has('mermaid')) throw new UsageError('--json and --mermaid are both given');
  return reportAgentFileProblems(world, args, async () => {
    const mode = modeOf(args);
    const file = await loadChecked(world, path, mode);
    const plan = planAgentFile(file, { digestText, decide: decider(args, mode), helpers: helpersByMode[mode] });
    if (args.has('json')) writeJson(world, plan);
    else world.out.write(args.has('mermaid') ? renderMermaid(plan) : renderPlanTable(plan));
    return exitCodes.done;
  });
}

function modeOf(args: ParsedArguments): FileMode {
  return args.has('unsafe') ? 'unsafe' : 'safe';
}

// Compiling needs threads and no files; what a policy allows is no part of the question.
async function loadChecked(world: World, path: string, mode: FileMode): Promise<AgentFile> {
  const file = loadAgentFile(path);
  const sandbox = world.sandbox === undefined ? {} : { sandbox: world.sandbox };
  const runtime = await wireRuntime({ workers: 1, audit: 'memory' }, { ignoresPolicy: true, ...sandbox });
  try {
    await checkCode(file, { ...partsOf(runtime), mode });
    return file;
  } finally {
    await runtime.close();
  }
}

// What the policy in force would decide, with the flags as they are; nobody is asked, and no link is followed.
function decider(args: ParsedArguments, mode: FileMode): (action: PlannedAction) => PlannedDecision {
  const policy = loadPolicy(args, mode);
  const context = readContext(args);
  const unsafeFlag = context['_unsafe_mode'] === true;
  const flags = { unsafe: mode === 'unsafe', allowWrite: unsafeFlag };
  return (action) => {
    const situation = { ...describeSituation(policy, { ...action, mode }), unsafeFlag, flags };
    const decision = decide(policy, situation);
    const { kind, reason } = decision;
    return decision.kind === 'deny' ? { kind, reason, code: decision.code } : { kind, reason };
  };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
