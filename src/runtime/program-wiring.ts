import type { RunOutcome } from '../contract/outcome.ts';
import type { SandboxPool } from '../sandbox/pool.ts';
import type { ParsedRunOptions } from './run-options.ts';
import type { StagedEnd } from './staged-run.ts';
import type { Wiring } from './wiring.ts';

/** A wired runtime with its threads. */
export interface ProgramWiring extends Wiring {
  readonly pool: SandboxPool;
  /** Keeps what a staged run left for as long as its outcome is kept. */
  readonly keepStaged: (outcome: RunOutcome, end: KeptEnd) => void;
}

/** What a staged run left, and the operator's part of that run. */
export interface KeptEnd extends StagedEnd {
  readonly context: ParsedRunOptions['context'];
}
