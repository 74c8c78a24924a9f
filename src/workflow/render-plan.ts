import { renderVisibleLine } from '../text/visible-text.ts';
import type { PlannedAgent, PlannedBridge, WorkflowPlan } from './plan.ts';

/** A plan as a table of agents and a list of bridges, for people. */
export function renderPlanTable({ workflow, file, start, agents, bridges }: WorkflowPlan): string {
  const head = ['  agent', 'does', 'reads', 'runs', 'writes', 'gate', 'line'];
  const rows = agents.map((agent) => [
    `${agent.name === start ? '> ' : '  '}${agent.name}${agent.maxVisits === undefined ? '' : ` (≤ ${agent.maxVisits} visits)`}`,
    agent.does,
    list(agent.reads, agent, 'read_file'),
    agent.runs === undefined ? '–' : agent.runs.slice(0, 'sha256:'.length + 12),
    list(agent.writes, agent, 'write_file'),
    renderDecision(agent),
    String(agent.line),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => renderVisibleLine(cell).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const ways = bridges.map(renderBridge);
  return [
    `${renderVisibleLine(workflow)} (${renderVisibleLine(file)})`,
    '',
    line(head),
    ...rows.map(line),
    ...(ways.length === 0 ? [] : ['', 'bridges', ...ways]),
    '',
  ].join('\n');
}

// A program's paths are known when it asks for them.
function list(paths: readonly string[], { helpers }: PlannedAgent, helper: string): string {
  if (helpers?.includes(helper)) return 'what it asks for';
  return paths.length === 0 ? '–' : paths.join(', ');
}

function renderDecision({ decision }: PlannedAgent): string {
  if (decision === undefined) return '–';
  return decision.code === undefined ? decision.kind : `${decision.kind} ${decision.code}`;
}

function renderBridge({ from, to, onError, when, transform }: PlannedBridge): string {
  const parts = [
    `  ${from} → ${to}`,
    onError ? 'on error' : '',
    when === undefined ? '' : `when ${short(when)}`,
    transform === undefined ? '' : `as ${short(transform)}`,
  ];
  return renderVisibleLine(parts.filter((part) => part !== '').join('  '));
}

/** A plan as a Mermaid flow chart. */
export function renderMermaid({ start, agents, bridges }: WorkflowPlan): string {
  const ids = new Map(agents.map(({ name }, index) => [name, `a${index}`]));
  const id = (name: string): string => ids.get(name) ?? name;
  return [
    'flowchart TD',
    '  input([input])',
    ...agents.map((agent) => `  ${id(agent.name)}${renderNode(agent)}`),
    `  input --> ${id(start)}`,
    ...bridges.map((bridge) => `  ${id(bridge.from)} ${renderArrow(bridge)} ${id(bridge.to)}`),
    ...classLines(agents, id),
    '',
  ].join('\n');
}

function renderNode(agent: PlannedAgent): string {
  const visits = agent.maxVisits === undefined ? '' : `<br/>at most ${agent.maxVisits} visits`;
  const gate = agent.decision === undefined ? '' : `<br/>${renderDecision(agent)}`;
  const label = `"<b>${escapeLabel(agent.name)}</b><br/>${escapeLabel(agent.does)}${visits}${gate}"`;
  return agent.runs === undefined ? `[${label}]` : `[[${label}]]`;
}

function renderArrow({ onError, when, transform }: PlannedBridge): string {
  const arrow = onError ? '-.->' : '-->';
  const parts = [onError ? 'on error' : '', when ?? '', transform === undefined ? '' : `as ${transform}`];
  const label = parts.filter((part) => part !== '').map((part) => escapeLabel(short(part)));
  return label.length === 0 ? arrow : `${arrow}|"${label.join('<br/>')}"|`;
}

function classLines(agents: readonly PlannedAgent[], id: (name: string) => string): readonly string[] {
  const writing = agents.filter(({ writes }) => writes.length > 0).map(({ name }) => id(name));
  const denied = agents.filter(({ decision }) => decision?.kind === 'deny').map(({ name }) => id(name));
  return [
    ...(writing.length === 0 ? [] : ['  classDef writes stroke-width:3px', `  class ${writing.join(',')} writes`]),
    ...(denied.length === 0 ? [] : ['  classDef denied stroke-dasharray:4', `  class ${denied.join(',')} denied`]),
  ];
}

// Mermaid reads entities by number, and its own brackets, quotes and markup nowhere else.
function escapeLabel(text: string): string {
  return renderVisibleLine(text).replace(/[^\p{L}\p{N} _.,/:+*=!?-]/gu, (character) => `#${character.codePointAt(0)};`);
}

// Longer expressions are read in the file.
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
