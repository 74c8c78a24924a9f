import { isPortholeError, PortholeError } from '../contract/errors.ts';
import type { ProgramEnd } from '../contract/outcome.ts';
import { crashed } from '../sandbox/sandbox-run.ts';

/** How a run ends that was aborted, or whose runtime was closed. */
export function endOfLife(signal: AbortSignal | undefined): ProgramEnd {
  if (signal?.aborted) return { status: 'aborted', reason: signal.reason };
  return { status: 'aborted', reason: new PortholeError('RUNTIME_CLOSED', 'Cannot go on: the runtime was closed') };
}

/** How a run ends that the gate refused to start; a question may have ended because the run did. */
export function endOfRefusal(error: unknown, isOver: boolean, signal: AbortSignal | undefined): ProgramEnd {
  if (isOver || signal?.aborted) return endOfLife(signal);
  if (!isPortholeError(error)) return crashed(error);
  return { status: 'denied', code: error.code, decision: error.message };
}
