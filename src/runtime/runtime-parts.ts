import { PortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import type { FileMode } from '../contract/mode.ts';
import type { SandboxPool } from '../sandbox/pool.ts';
import type { ParsedSharedRunOptions } from './run-options.ts';
import type { SharedRun } from './shared-run.ts';

/** What a workflow takes of a runtime, beyond what its surface offers. */
export interface RuntimeParts {
  readonly mode: FileMode;
  /** Those of a run that sets none itself. */
  readonly limits: Limits;
  readonly pool: () => SandboxPool;
  readonly monotonicMs: () => number;
  /** @throws PortholeError `RUNTIME_CLOSED`, `ARGUMENT_INVALID` for limits wider than the policy, `AUDIT_UNAVAILABLE` */
  readonly openSharedRun: (text: string, options: ParsedSharedRunOptions) => Promise<SharedRun>;
}

const partsOfRuntimes = new WeakMap<object, RuntimeParts>();

/** Makes a runtime usable for workflows. */
export function registerRuntime(runtime: object, parts: RuntimeParts): void {
  partsOfRuntimes.set(runtime, parts);
}

/** The parts of a runtime. @throws PortholeError `ARGUMENT_INVALID` for an object that only looks like one */
export function partsOf(runtime: object): RuntimeParts {
  const parts = partsOfRuntimes.get(runtime);
  if (parts !== undefined) return parts;
  throw new PortholeError('ARGUMENT_INVALID', 'Cannot run a workflow: this is no runtime of createRuntime()');
}
