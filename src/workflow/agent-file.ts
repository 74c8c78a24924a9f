import type { Limits } from '../contract/limits.ts';
import type { FilePosition } from '../runtime/strict-document.ts';

/** A workflow that was read and checked as far as that goes without running it. */
export interface AgentFile {
  /** As given, for messages. */
  readonly file: string;
  readonly name: string;
  readonly start: string;
  /** By name, in the order of the file. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** In the order of the file. */
  readonly bridges: readonly Bridge[];
  /** The text as it was read: what the log keeps the digest of. */
  readonly text: string;
}

/** One node of a workflow. */
export type Agent = ToolAgent | CodeAgent;

/** What every agent has. */
export interface AgentFacts {
  readonly name: string;
  /** Where its name stands. */
  readonly at: FilePosition;
  readonly maxVisits: number | undefined;
}

/** Calls a built-in tool. */
export interface ToolAgent extends AgentFacts {
  readonly kind: 'tool';
  readonly tool: string;
  readonly with: Readonly<Record<string, unknown>>;
}

/** Runs a program. */
export interface CodeAgent extends AgentFacts {
  readonly kind: 'code';
  readonly body: Body;
  readonly language: 'js' | 'ts';
  /** Those that were given; they only narrow the limits of the run. */
  readonly limits: Partial<Limits>;
  readonly limitsAt: FilePosition;
}

/** The text of a program, and where it stands. */
export interface Body extends SourceText {
  /** Name in stack frames. */
  readonly frameFile: string;
  /** The file it was read from, as written; undefined for one inside the agent file. */
  readonly file: string | undefined;
}

/** A text of JavaScript within an agent file. */
export interface SourceText {
  readonly source: string;
  /** Where it begins in the agent file. */
  readonly at: FilePosition;
  /** Where a place in the text stands in the agent file, as near as its spelling lets one say. */
  readonly locate: (place: TextPlace) => FilePosition;
}

/** A place in a text; the column is unknown where the engine gives none. */
export interface TextPlace {
  readonly line: number;
  readonly column?: number | undefined;
}

/** A way from one agent to another. */
export interface Bridge {
  readonly from: string;
  readonly to: string;
  readonly at: FilePosition;
  /** Carries the failure of the agent it leaves, instead of its value. */
  readonly onError: boolean;
  readonly when: SourceText | undefined;
  readonly transform: SourceText | undefined;
}

/** A bridge in words. */
export function nameBridge({ from, to }: Pick<Bridge, 'from' | 'to'>): string {
  return `${from} → ${to}`;
}
