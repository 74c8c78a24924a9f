import type { ProgramEnd, RunOutcome } from '../contract/outcome.ts';

/** How a workflow ended: one outcome, with one receipt, for all of its agents. Switch on `status`. */
export type WorkflowOutcome = RunOutcome & WorkflowFacts;

/** What a workflow's outcome carries beside that of a run. */
export interface WorkflowFacts {
  /** Its name. */
  readonly workflow: string;
  /** By name, in the order of the file; also those that were never reached. */
  readonly agents: Readonly<Record<string, AgentReport>>;
  /** Where it ended before its time. */
  readonly at?: WorkflowPlace;
}

/** What became of one agent. */
export interface AgentReport {
  /** How its last visit ended; `not_reached` without one. */
  readonly status: ProgramEnd['status'] | 'not_reached';
  /** What its last visit gave. */
  readonly value?: unknown;
  /** Of all visits together, milliseconds. */
  readonly ms: number;
  readonly visits: number;
}

/** A place in an agent file. */
export interface WorkflowPlace {
  /** The agent that failed, or that the bridge leaves. */
  readonly agent: string;
  /** The bridge whose expression failed, as `from → to`. */
  readonly bridge?: string;
  /** The agent file, as given. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The same place in the program or expression itself, from 1; with the file it was read from, if it has one. */
  readonly text?: { readonly line: number; readonly column?: number; readonly file?: string };
}

/** The end of a workflow that was not completed. */
export interface EarlyEnd {
  readonly end: ProgramEnd;
  readonly at: WorkflowPlace;
}

/** A place in words, for a message. */
export function renderPlace({ file, line, column }: WorkflowPlace): string {
  return `${file}:${line}:${column}`;
}
