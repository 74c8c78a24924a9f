import { type ErrorCode, errorCodes, PortholeError } from '../contract/errors.ts';
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
  const reason = reasonFor(error, code, log.keepsContent).toWellFormed();
  // Nothing happened, so nothing hangs on this event: the refusal itself must not be hidden by a failing log.
  log.recordAfter('file.refused', { action: call.name, path: renderPath(call.path), code, reason }, call.id);
}

// What the caller is told may quote the file, the find or the content. A log without content gets the code's own
// sentence, unless the message of the code is known to speak of paths, rules and sizes alone.
function reasonFor(error: unknown, code: ErrorCode, keepsContent: boolean): string {
  if (error instanceof PortholeError && (keepsContent || quotesNothing.has(code))) return error.message;
  if (keepsContent) return error instanceof Error ? error.message : String(error);
  return errorCodes[code].meaning;
}

const quotesNothing: ReadonlySet<ErrorCode> = new Set([
  'PATH_INVALID',
  'PATH_TRAVERSAL',
  'PATH_HOME',
  'PATH_OUTSIDE_ROOT',
  'PATH_PROTECTED',
  'LINK_DANGLING',
  'LINK_LOOP',
  'LINK_COUNT',
  'NOT_A_REGULAR_FILE',
  'READ_ONLY',
  'NOT_FOUND',
  'PARENT_NOT_FOUND',
  'IS_A_DIRECTORY',
  'NOT_A_DIRECTORY',
  'PERMISSION_DENIED',
  'NO_SPACE',
  'IO_FAILED',
  'WRITE_NOT_DURABLE',
  'UNSAFE_FLAG_MISSING',
  'MODE_SAFE',
  'POLICY_DENIED',
  'APPROVAL_NEEDED',
  'APPROVAL_DENIED',
  'AUDIT_UNAVAILABLE',
  'RUNTIME_CLOSED',
]);

function renderPath(path: unknown): string {
  return typeof path === 'string' ? path.slice(0, maxPathLength).toWellFormed() : `(${typeof path})`;
}
