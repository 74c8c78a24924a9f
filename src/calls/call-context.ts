import type { RunLog } from '../audit/log.ts';
import type { ActionName } from '../contract/action.ts';
import type { PauseClock, RunGate } from '../policy/gate-port.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import type { Turns } from './turns.ts';

/** Whether a run still goes on: what it asked for and nobody waits for any more must not happen later. */
export interface RunLife {
  readonly isOver: () => boolean;
  /** Raised when it is over. */
  readonly signal: AbortSignal;
}

/** What every judged call of a run works with. */
export interface CallContext {
  readonly gate: RunGate;
  readonly log: RunLog;
  /** Shared by all runs on the root. */
  readonly turns: Turns;
  /** SHA-256 of a text's UTF-8 as `sha256:<hex>`. */
  readonly digestText: (text: string) => string;
  readonly monotonicMs: () => number;
  /** Stops the clock of the run while it waits for somebody who is being asked. */
  readonly pauseClock: PauseClock;
  readonly life: RunLife;
}

/** Which call of which tool or helper this is. */
export interface CallFacts {
  /** Identifies the call within its run, in every event it causes. */
  readonly id: string;
  /** The tool, helper or command, by its own name. */
  readonly tool: string;
  /** What it is judged as. */
  readonly name: ActionName;
  readonly arguments: unknown;
  /** The path as the caller wrote it, whatever it is; refusals name it. */
  readonly path: unknown;
}

/** The arguments of a call as one text: equal texts, equal arguments. */
export function renderArguments(call: Pick<CallFacts, 'arguments'>): string {
  try {
    return canonicalJsonOfAnyText(call.arguments ?? null);
  } catch {
    // What JSON cannot hold, or is endless: the call is refused for it, and recorded like any other.
    return '"(arguments that JSON cannot hold)"';
  }
}
