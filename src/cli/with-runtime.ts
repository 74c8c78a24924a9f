import { type Internals, type Runtime, wireRuntime } from '../runtime/runtime.ts';
import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { World } from './world.ts';

/** What a command's runtime is made from. */
export interface RuntimeOfCommand {
  readonly options: RuntimeOptions;
  readonly internals: Internals;
}

/**
 * Does a command's work with a runtime that is closed whatever comes. Ctrl-C raises the signal; work that rejects for it
 * was interrupted.
 */
export async function withRuntime(
  world: World,
  { options, internals }: RuntimeOfCommand,
  work: (runtime: Runtime, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const stopListening = world.onInterrupt(() => interruption.abort(new Error('interrupted')));
  try {
    const runtime = await wireRuntime(options, internals);
    try {
      return await work(runtime, signal);
    } finally {
      await runtime.close();
    }
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw error;
  } finally {
    stopListening();
  }
}
