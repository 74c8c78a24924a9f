import { PortholeError } from '../contract/errors.ts';
import type { CallContext, CallFacts } from './call-context.ts';

// What a path can be at most; a longer text is refused anyway and must not fill the log.
const maxPathLength = 4096;

/** Does the call; when it is refused or fails, the log tells so before the error goes on. */
export async function withRefusalRecorded<Result>(
  context: CallContext,
  call: CallFacts,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    recordRefusal(context, call, error);
    throw error;
  }
}

/** Tells the log why a call was refused or failed. */
export function recordRefusal({ log }: CallContext, call: CallFacts, error: unknown): void {
  const code = error instanceof PortholeError ? error.code : 'IO_FAILED';
  const reason = (error instanceof Error ? error.message : String(error)).toWellFormed();
  // Nothing happened, so nothing hangs on this event: the refusal itself must not be hidden by a failing log.
  log.recordAfter('file.refused', { action: call.name, path: renderPath(call.path), code, reason }, call.id);
}

function renderPath(path: unknown): string {
  return typeof path === 'string' ? path.slice(0, maxPathLength).toWellFormed() : `(${typeof path})`;
}
