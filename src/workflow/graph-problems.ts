import type { DocumentProblem, FilePosition } from '../runtime/strict-document.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { Agent, Bridge } from './agent-file.ts';

/** The shape of a workflow. */
export interface Graph {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly bridges: readonly Bridge[];
  readonly start: string;
  readonly startAt: FilePosition;
}

/** What is wrong with the shape: unknown names, agents nothing leads to, cycles that nothing bounds. */
export function findGraphProblems(graph: Graph): readonly DocumentProblem[] {
  const unknown = findUnknownNames(graph);
  // Without the names there is no graph to judge.
  return unknown.length > 0 ? unknown : [...findUnreachable(graph), ...findFreeCycles(graph)];
}

function findUnknownNames({ agents, bridges, start, startAt }: Graph): readonly DocumentProblem[] {
  const judge = (name: string, what: string, at: FilePosition): DocumentProblem[] => {
    if (agents.has(name)) return [];
    const near = nearestName(name, agents.keys());
    const known = [...agents.keys()].slice(0, 20).join(', ');
    const hint = near === undefined ? `The agents are ${known || 'none'}.` : `Did you mean "${near}"?`;
    return [{ message: `${what} names no agent: ${JSON.stringify(name)}`, hint, ...at }];
  };
  return [
    ...judge(start, 'start', startAt),
    ...bridges.flatMap(({ from, to, at }) => [...judge(from, 'from', at), ...judge(to, 'to', at)]),
  ];
}

function findUnreachable({ agents, bridges, start }: Graph): readonly DocumentProblem[] {
  const targets = targetsOf(bridges);
  const reached = new Set([start]);
  // A set is walked to its end, however it grows meanwhile.
  for (const name of reached) for (const { to } of targets.get(name) ?? []) reached.add(to);
  return [...agents.values()]
    .filter(({ name }) => !reached.has(name))
    .map(({ name, at }) => ({ message: `no bridge leads from ${start} to agent "${name}"`, ...at }));
}

// Takes away what nothing leads to, again and again; what is left and bounded nowhere goes round for ever.
function findFreeCycles({ agents, bridges }: Graph): readonly DocumentProblem[] {
  const isFree = (name: string): boolean => agents.get(name)?.maxVisits === undefined;
  const free = bridges.filter(({ from, to }) => isFree(from) && isFree(to));
  const targets = targetsOf(free);
  const arriving = new Map<string, number>();
  for (const { to } of free) arriving.set(to, (arriving.get(to) ?? 0) + 1);
  const open = [...agents.keys()].filter((name) => (arriving.get(name) ?? 0) === 0);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const { to } of targets.get(name) ?? []) {
      const left = (arriving.get(to) ?? 0) - 1;
      arriving.set(to, left);
      if (left === 0) open.push(to);
    }
  }
  const onCycle = (name: string): boolean => (arriving.get(name) ?? 0) > 0;
  const closing = free.find(({ from, to }) => onCycle(from) && onCycle(to));
  if (closing === undefined) return [];
  const cycle = followCycle(closing, targets, onCycle);
  const message = `the cycle ${cycle.map(({ from }) => from).join(' → ')} → ${cycle[0]?.from} has no end in sight`;
  const hint = 'Give one of its agents maxVisits.';
  return [{ message, hint, ...(cycle.at(-1) ?? closing).at }];
}

// What is left may also hang behind a cycle: walked backwards, every way ends in one.
function followCycle(
  closing: Bridge,
  targets: ReadonlyMap<string, readonly Bridge[]>,
  onCycle: (name: string) => boolean,
): readonly Bridge[] {
  const sources = new Map<string, Bridge>();
  for (const bridges of targets.values()) {
    for (const bridge of bridges) if (onCycle(bridge.from) && onCycle(bridge.to)) sources.set(bridge.to, bridge);
  }
  const way: Bridge[] = [];
  const seen = new Map<string, number>();
  for (let name = closing.from; ; ) {
    const before = seen.get(name);
    if (before !== undefined) return way.slice(before).reverse();
    seen.set(name, way.length);
    const bridge = sources.get(name);
    if (bridge === undefined) return [closing];
    way.push(bridge);
    name = bridge.from;
  }
}

/** The bridges that leave each agent, in the order of the file. */
export function targetsOf(bridges: readonly Bridge[]): ReadonlyMap<string, readonly Bridge[]> {
  const targets = new Map<string, Bridge[]>();
  for (const bridge of bridges) {
    const known = targets.get(bridge.from);
    if (known === undefined) targets.set(bridge.from, [bridge]);
    else known.push(bridge);
  }
  return targets;
}
