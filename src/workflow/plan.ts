import type { Agent, AgentFile, Bridge, CodeAgent, ToolAgent } from './agent-file.ts';

/** What a workflow would do, told without running any of it. */
export interface WorkflowPlan {
  readonly workflow: string;
  readonly file: string;
  readonly start: string;
  readonly agents: readonly PlannedAgent[];
  readonly bridges: readonly PlannedBridge[];
}

/** What one agent would do each time a value arrives. */
export interface PlannedAgent {
  readonly name: string;
  readonly line: number;
  /** In words: the tool with its path, or the size of the program. */
  readonly does: string;
  /** Paths that a tool reads or writes; what a program reaches is known when it runs. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Digest of the program. */
  readonly runs?: string;
  /** Helpers in the program's scope in this mode. */
  readonly helpers?: readonly string[];
  /** What the gate would say to it, where that was asked for. */
  readonly decision?: PlannedDecision;
  readonly maxVisits?: number;
  /** Nothing leads on from it. */
  readonly isEnd: boolean;
}

/** What the gate would say, as far as that is known before the run. */
export interface PlannedDecision {
  readonly kind: 'allow' | 'ask' | 'deny';
  readonly reason: string;
  readonly code?: string;
}

/** A bridge with its expressions. */
export interface PlannedBridge {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly onError: boolean;
  readonly when?: string;
  readonly transform?: string;
}

/** An action that the gate would judge. */
export interface PlannedAction {
  readonly name: 'file_read' | 'file_write' | 'edit_file' | 'run';
  /** The path as written; for `run` the digest of the program. */
  readonly path: string;
}

/** What a plan takes from outside. */
export interface PlanPowers {
  readonly digestText: (text: string) => string;
  /** What the gate would say. Default: decisions are left out. */
  readonly decide?: (action: PlannedAction) => PlannedDecision;
  readonly helpers?: readonly string[];
}

/** Makes the plan of a workflow. */
export function planAgentFile(file: AgentFile, powers: PlanPowers): WorkflowPlan {
  const leaving = new Set(file.bridges.map(({ from }) => from));
  return {
    workflow: file.name,
    file: file.file,
    start: file.start,
    agents: [...file.agents.values()].map((agent) => ({
      ...planAgent(agent, powers),
      isEnd: !leaving.has(agent.name),
    })),
    bridges: file.bridges.map(planBridge),
  };
}

function planAgent(agent: Agent, powers: PlanPowers): Omit<PlannedAgent, 'isEnd'> {
  const { name, at, maxVisits } = agent;
  const visits = maxVisits === undefined ? {} : { maxVisits };
  return {
    name,
    line: at.line,
    ...(agent.kind === 'tool' ? planTool(agent, powers) : planCode(agent, powers)),
    ...visits,
  };
}

type Doing = Pick<PlannedAgent, 'does' | 'reads' | 'writes' | 'runs' | 'helpers' | 'decision'>;

function planTool({ tool, with: args }: ToolAgent, { decide }: PlanPowers): Doing {
  const path = String(args['path']);
  const isDry = args['dry_run'] === true;
  const reads = tool === 'file_write' ? [] : [path];
  const writes = tool === 'file_read' || isDry ? [] : [path];
  const name = tool as PlannedAction['name']; // the schema knows these three
  const decision = decide?.({ name, path });
  const how = typeof args['mode'] === 'string' ? ` ${args['mode']}` : '';
  return { does: `${tool}${how} ${path}`, reads, writes, ...(decision === undefined ? {} : { decision }) };
}

function planCode({ body, language }: CodeAgent, { digestText, decide, helpers = [] }: PlanPowers): Doing {
  const runs = digestText(body.source);
  const lines = body.source.replace(/\n$/, '').split('\n').length;
  const decision = decide?.({ name: 'run', path: runs });
  const what = body.file ?? `${lines} ${lines === 1 ? 'line' : 'lines'} of ${language}`;
  return {
    does: `runs ${what}`,
    reads: [],
    writes: [],
    runs,
    helpers,
    ...(decision === undefined ? {} : { decision }),
  };
}

function planBridge({ from, to, at, onError, when, transform }: Bridge): PlannedBridge {
  return {
    from,
    to,
    line: at.line,
    onError,
    ...(when === undefined ? {} : { when: when.source }),
    ...(transform === undefined ? {} : { transform: transform.source }),
  };
}
