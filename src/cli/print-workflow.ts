import { errorCodes } from '../contract/errors.ts';
import { reportedLimits } from '../contract/outcome.ts';
import { expressionLimits } from '../sandbox/expression.ts';
import type { AgentFile } from '../workflow/agent-file.ts';
import { mostHeldBytes } from '../workflow/held-values.ts';
import type { WorkflowOutcome } from '../workflow/workflow-outcome.ts';
import { disarm, paint, writeJson } from './output.ts';
import { printOutcome } from './print-outcome.ts';
import type { TextSink, World } from './world.ts';

/** What printing needs to know besides the outcome. */
export interface WorkflowPrintOptions {
  readonly file: AgentFile;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Where what the programs say goes. Default: standard output. */
  readonly out?: TextSink;
}

/** Prints the outcome of a workflow: that of a run, with the place in the agent file where it ended early. */
export function printWorkflowOutcome(world: World, outcome: WorkflowOutcome, options: WorkflowPrintOptions): void {
  const { file, isJson, isQuiet, out = world.out } = options;
  if (isJson) {
    writeJson(world, outcome);
    return;
  }
  const limitHint = hintAboutLimit(file, outcome);
  printOutcome(world, withoutFrame(outcome), { program: programOf(file, outcome), isJson, isQuiet, out, limitHint });
  if (outcome.status === 'denied') world.err.write(`  ${errorCodes[outcome.code].next}\n`);
  // These two say nothing about where.
  if ((outcome.status === 'limited' || outcome.status === 'crashed') && outcome.at !== undefined) {
    const { agent, bridge, line, column } = outcome.at;
    const what = bridge === undefined ? `agent "${agent}"` : `bridge ${bridge}`;
    world.err.write(`  ${paint(world, 'dim', disarm(`in ${what}, ${file.file}:${line}:${column}`))}\n`);
  }
}

// No flag raises what is fixed, or what the agent file itself narrows.
function hintAboutLimit(file: AgentFile, outcome: WorkflowOutcome): string | undefined {
  if (outcome.status !== 'limited' || outcome.at === undefined) return undefined;
  const { limit, ceiling, at } = outcome;
  const name = reportedLimits[limit];
  if (name === 'memoryBytes' && ceiling === mostHeldBytes) {
    return 'All values that a workflow holds may take no more together: hand on less, or fewer at a time.';
  }
  if (at.bridge !== undefined) {
    const isFixed = (name === 'timeMs' || name === 'memoryBytes') && ceiling === expressionLimits[name];
    return isFixed ? 'The limits of an expression are fixed: do the work in an agent.' : undefined;
  }
  const agent = file.agents.get(at.agent);
  const isOwn = agent?.kind === 'code' && agent.limits[name] === ceiling;
  return isOwn ? `The agent file sets it: raise limits.${name} of agent "${at.agent}".` : undefined;
}

// The frame shows a line of the program; where there is none, the message alone says where.
function programOf(file: AgentFile, { at }: WorkflowOutcome): { readonly source: string; readonly file: string } {
  const agent = at?.bridge === undefined ? file.agents.get(at?.agent ?? '') : undefined;
  return agent?.kind === 'code'
    ? { source: agent.body.source, file: agent.body.frameFile }
    : { source: '', file: file.file };
}

// An expression is one line of the agent file, which the message names already.
function withoutFrame(outcome: WorkflowOutcome): WorkflowOutcome {
  if (outcome.status !== 'failed' || outcome.at?.bridge === undefined) return outcome;
  const { line: _line, column: _column, ...error } = outcome.error;
  return { ...outcome, error };
}
