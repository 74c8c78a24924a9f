import { type LimitName, type Limits, limitNames } from '../contract/limits.ts';
import { parseSharedRunOptions, type SharedRunOptions } from '../runtime/run-options.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { partsOf, type RuntimeParts } from '../runtime/runtime-parts.ts';
import type { SharedRun } from '../runtime/shared-run.ts';
import type { Agent, AgentFile, Bridge } from './agent-file.ts';
import { AgentReports } from './agent-reports.ts';
import { checkCode } from './check-code.ts';
import { errorValue, type Failure, failedAgent, placeOfAgent, refusedAt } from './early-end.ts';
import { type Arrival, followBridges, full } from './follow-bridges.ts';
import { targetsOf } from './graph-problems.ts';
import { HeldValues, sizeOfValue } from './held-values.ts';
import { agentFileError } from './parse-agent-file.ts';
import { runAgent } from './run-agent.ts';
import type { EarlyEnd, WorkflowOutcome } from './workflow-outcome.ts';
import type { WorkflowProgress } from './workflow-progress.ts';

/** What a workflow is given, and who is told how it goes on. */
export interface WorkflowOptions extends SharedRunOptions {
  /** Called when an agent begins and when it ends; what it throws ends nothing. */
  readonly onProgress?: (progress: WorkflowProgress) => void;
}

// Tools that read answer at once: without a turn for everybody else, nobody could interrupt a long chain of them.
const turnMs = 10;

// A file without a cycle can still double its values at every step.
const mostVisitsTogether = 100_000;

/** Runs a workflow: one run to gate and log. */
export async function runAgentFile(
  runtime: Runtime,
  file: AgentFile,
  { onProgress, ...given }: WorkflowOptions,
): Promise<WorkflowOutcome> {
  const parts = partsOf(runtime);
  const options = parseSharedRunOptions('runWorkflow()', given, parts.limits);
  refuseWiderAgents(file, options.limits);
  await checkCode(file, parts, options.signal);
  const run = await parts.openSharedRun(file.text, options);
  const reports = new AgentReports(file, parts.monotonicMs, onProgress);
  try {
    const early =
      stoppedAtStart(file, run) ??
      (await permitAll(file, run)) ??
      (await visitAll(file, { run, reports, options, breathe: createBreathing(parts) }));
    const end = early?.end ?? { status: 'completed', value: reports.value() };
    const at = early === undefined ? {} : { at: early.at };
    return Object.assign(run.end(end), { workflow: file.name, agents: reports.all(), ...at });
  } catch (error) {
    run.reject(error);
    throw error;
  }
}

function stoppedAtStart(file: AgentFile, { stopped }: SharedRun): EarlyEnd | undefined {
  const first = file.agents.get(file.start);
  return stopped === undefined || first === undefined ? undefined : { end: stopped, at: placeOfAgent(file, first) };
}

// Every program is asked about before the first one begins: a no leaves nothing half done.
async function permitAll(file: AgentFile, run: SharedRun): Promise<EarlyEnd | undefined> {
  for (const agent of file.agents.values()) {
    if (agent.kind !== 'code') continue;
    const about = { workflow: file.name, file: file.file, agent: agent.name };
    const refused = await run.permit({ source: agent.body.source, about });
    if (refused !== undefined) return { end: refused, at: placeOfAgent(file, agent) };
  }
  return undefined;
}

function createBreathing({ monotonicMs }: Pick<RuntimeParts, 'monotonicMs'>): () => Promise<void> | undefined {
  let last = monotonicMs();
  return () => {
    if (monotonicMs() - last < turnMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        last = monotonicMs();
        resolve();
      });
    });
  };
}

interface Running {
  readonly run: SharedRun;
  readonly reports: AgentReports;
  readonly options: { readonly input: unknown; readonly limits: Limits; readonly signal: AbortSignal | undefined };
  readonly breathe: () => Promise<void> | undefined;
}

// A branch is followed to its end before the next one begins: what lies on top came from the bridge that stands first.
async function visitAll(file: AgentFile, running: Running): Promise<EarlyEnd | undefined> {
  const targets = targetsOf(file.bridges);
  const held = new HeldValues();
  const waiting: Arrival[] = [{ agent: file.start, value: running.options.input, bytes: 0 }];
  for (let arrival = waiting.pop(); arrival !== undefined; arrival = waiting.pop()) {
    const agent = file.agents.get(arrival.agent);
    held.add(-arrival.bytes);
    if (agent === undefined) continue; // parsing has refused a bridge that leads nowhere
    const leaving = targets.get(agent.name) ?? [];
    const early = await visit(file, agent, arrival.value, { ...running, held, leaving });
    if ('early' in early) return early.early;
    await running.breathe();
    for (const next of early.arrivals.toReversed()) {
      held.add(next.bytes);
      waiting.push(next);
    }
  }
  return undefined;
}

interface Visiting extends Running {
  readonly held: HeldValues;
  readonly leaving: readonly Bridge[];
}

async function visit(
  file: AgentFile,
  agent: Agent,
  value: unknown,
  { run, reports, options, held, leaving }: Visiting,
): Promise<{ readonly arrivals: readonly Arrival[] } | { readonly early: EarlyEnd }> {
  const number = reports.visitsOf(agent.name) + 1;
  const early = refuseVisit(file, agent, { number, all: reports.visits + 1 });
  if (early !== undefined) return { early };
  const { limits, signal } = options;
  reports.begin(agent.name, number);
  const end = signal?.aborted
    ? ({ status: 'aborted', reason: signal.reason } as const)
    : await runAgent(agent, { run, limits, value, number });
  reports.end(agent.name, number, end);
  const isFailure = end.status !== 'completed';
  const bridges = leaving.filter(({ onError }) => onError === isFailure);
  if (isFailure && (bridges.length === 0 || isFinal(end))) return { early: failedAgent(file, agent, end) };
  const handedOn = isFailure ? errorValue(end) : end.value;
  const bytes = sizeOfValue(handedOn);
  held.keep(agent.name, bytes);
  if (held.isFull(0)) return { early: failedAgent(file, agent, full(held.bytes)) };
  const departure = { value: handedOn, bytes, isFull: (more: number) => held.isFull(more) };
  const followed = await followBridges(file, bridges, departure, run.evaluate);
  if ('early' in followed) return followed;
  reports.leave(agent.name, followed.arrivals.length);
  // A failure that no bridge wanted is one nobody has dealt with.
  if (isFailure && followed.arrivals.length === 0) return { early: failedAgent(file, agent, end) };
  return followed;
}

// No bridge leads on from a run that is over, or from a fault of Porthole's own.
function isFinal({ status }: Failure): boolean {
  return status === 'aborted' || status === 'crashed';
}

function refuseVisit(
  file: AgentFile,
  agent: Agent,
  { number, all }: { readonly number: number; readonly all: number },
): EarlyEnd | undefined {
  const at = placeOfAgent(file, agent);
  const { name, maxVisits } = agent;
  if (maxVisits !== undefined && number > maxVisits) {
    return refusedAt('VISITS_EXCEEDED', `Cannot visit agent "${name}" again: its maxVisits is ${maxVisits}`, at);
  }
  if (all <= mostVisitsTogether) return undefined;
  return refusedAt('VISITS_EXCEEDED', `Cannot visit agent "${name}": all agents had ${mostVisitsTogether} visits`, at);
}

// An agent's own limits can only narrow those of the run, which are known now.
function refuseWiderAgents(file: AgentFile, limits: Limits): void {
  const problems = [...file.agents.values()].flatMap((agent) => {
    if (agent.kind !== 'code') return [];
    return limitNames.flatMap((name: LimitName) => {
      const own = agent.limits[name];
      if (own === undefined || own <= limits[name]) return [];
      const message = `agent "${agent.name}" has ${name} ${own}, and the run ${limits[name]}`;
      return [{ message, hint: 'Limits of an agent only narrow those of the run.', ...agent.limitsAt }];
    });
  });
  if (problems.length > 0) throw agentFileError(file.file, problems);
}
