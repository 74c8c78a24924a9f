import type { FileMode } from '../contract/mode.ts';
import type { Action } from '../policy/action.ts';
import type { CallContext } from './call-context.ts';

/** What is in force for a run. */
export interface RunFacts {
  readonly mode: FileMode;
  /** Those of a program; a tool call has none. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Absolute; undefined where there are no files. */
  readonly root: string | undefined;
  readonly policyDigest: string;
}

/** A program that wants to run. */
export interface ProgramFacts extends RunFacts {
  /** Digest of its source, `sha256:<hex>`; asked for where the log keeps it, or somebody has to know. */
  readonly digest: () => string;
  /** What whoever is asked about it sees: canonical JSON. */
  readonly shown: () => string;
}

/** Asks whether a program may run and records that it starts; throws the refusal. Waits only where somebody is asked. */
export function judgeRun(context: CallContext, program: ProgramFacts): void | Promise<void> {
  const { gate, log } = context;
  const { digest, shown } = program;
  recordStart(context, program, log.isKept ? digest() : undefined);
  const action = new RunAction(digest);
  return gate.screen(action) ? undefined : gate.permit({ actions: [action], arguments: shown }).then(() => undefined);
}

// Most programs run under no rule that looks at their digest, and making one costs a tenth of a small run.
class RunAction implements Action {
  readonly name = 'run';
  readonly #digest: () => string;

  constructor(digest: () => string) {
    this.#digest = digest;
  }

  get path(): string {
    return this.#digest();
  }
}

/** Records that a run starts; for a tool call, there is no program. */
export function recordStart({ log }: CallContext, facts: RunFacts, program?: string): void {
  const { mode, limits, root, policyDigest: policy } = facts;
  // What is undefined is left out of the line.
  log.record('run.start', { mode, limits, program, root, policy });
}
