import { type Runtime, wireRuntime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

/**
 * Wires a runtime: one root, one mode, limits, and threads that run programs. Threads start with the first runs and
 * keep no process alive; close the runtime to end them, or declare it with `await using`.
 *
 * @param options - See {@link RuntimeOptions}; an unknown key is refused, naming the nearest known one.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` for an option of the wrong shape or wider than the policy,
 * `LIMIT_INVALID` for a limit out of its range, `ROOT_INVALID` if the root is no directory or unsafe mode has none,
 * `POLICY_INVALID` for a policy that cannot be used, `AUDIT_UNAVAILABLE` if the log cannot be opened,
 * `CONTAINMENT_UNAVAILABLE` if `requireRaceFree` asks for what this machine does not offer
 *
 * @example
 * ```ts
 * import { mkdtempSync, writeFileSync } from 'node:fs';
 * import { createRuntime } from 'porthole';
 *
 * const root = mkdtempSync('notes-');
 * writeFileSync(`${root}/a.txt`, 'one two three');
 *
 * const runtime = await createRuntime({ root, mode: 'unsafe' });
 * const outcome = await runtime.run({
 *   source: 'return read_file(input_data).split(" ").length',
 *   input: 'a.txt',
 *   limits: { timeMs: 2000 },
 * });
 * console.log(outcome.status === 'completed' ? outcome.value : outcome.status);
 * await runtime.close();
 * ```
 */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return wireRuntime(options);
}
