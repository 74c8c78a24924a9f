import { readFileSync } from 'node:fs';
import type { Furnishing } from './world.ts';

/** One row of the containment table. */
export interface ContainmentCase {
  readonly id: string;
  readonly title: string;
  readonly setup: readonly Furnishing[];
  readonly op: Operation;
  readonly want: Expectation;
  /** Further paths with the same result. */
  readonly alsoFor?: readonly string[];
  /** Further things that are no paths. */
  readonly alsoForJson?: readonly unknown[];
  /** Further window arguments. */
  readonly alsoForArgs?: readonly { readonly offset?: unknown; readonly max_chars?: unknown }[];
  readonly alsoOp?: 'write';
  /** A further target for the link of the setup. */
  readonly alsoLink?: string;
  readonly withinMs?: number;
}

/** What is done; exactly one of the verbs is there. */
export interface Operation {
  readonly read?: string;
  readonly write?: string;
  readonly content?: string;
  readonly mode?: string;
  readonly offset?: number;
  readonly root?: string;
  readonly rootThroughLink?: boolean;
  readonly copyThroughHelpers?: string;
  readonly readWindows?: string;
  readonly sizes?: readonly number[];
  readonly concurrently?: readonly { readonly write: string; readonly content: string; readonly mode: string }[];
  readonly writeToOwn?: readonly string[];
  readonly guestCatches?: string;
  readonly guest?: string;
  readonly umask?: string;
  readonly afterClose?: string;
  readonly rounds?: number;
  readonly writesAtMost?: number;
}

/** What an outsider sees afterwards. */
export interface Expectation {
  readonly refused?: string;
  readonly text?: string;
  readonly file?: string;
  readonly hex?: string;
  readonly mode?: string;
  readonly stillLink?: string;
  readonly says?: string;
  readonly treeIsExactly?: readonly string[];
  readonly linesInAnyOrder?: readonly string[];
  readonly noneOf?: readonly string[];
  readonly bytes?: number;
}

/** The table. */
export function loadContainmentCases(): readonly ContainmentCase[] {
  const text = readFileSync(new URL('../cases/containment.json', import.meta.url), 'utf8');
  const table = JSON.parse(text) as { readonly cases: readonly ContainmentCase[] }; // our own file
  return table.cases;
}
