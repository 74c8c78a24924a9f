import type { ErrorCode, PortholeError } from '../contract/errors.ts';
import type { WriteBackEnd } from '../contract/write-back.ts';
import type { PlannedFile } from './write-back-plan.ts';

/** What an error makes of a planned file: a broken pin, a link, or a failure of its own. */
export function endOf(error: PortholeError, { copied, changesKind }: PlannedFile): WriteBackEnd {
  const { code, details } = error;
  if (linkCodes.has(code)) return { kind: 'link' };
  if (brokenPinCodes.has(code)) return { kind: 'replaced' };
  // Where a file was copied from, or where nothing was, something else stands now.
  if (otherKindCodes.has(code) && (copied !== null || !changesKind)) return { kind: 'replaced' };
  const reason = typeof details['reason'] === 'string' ? details['reason'] : error.message;
  return { kind: 'failed', code, reason };
}

/** True for refusals that are about the write-back and no file of it: the gate, its answer, the log. */
export function isAboutTheSet({ code }: PortholeError): boolean {
  return setCodes.has(code);
}

const linkCodes: ReadonlySet<ErrorCode> = new Set(['PATH_OUTSIDE_ROOT', 'LINK_DANGLING', 'LINK_LOOP']);
const brokenPinCodes: ReadonlySet<ErrorCode> = new Set(['CHANGED_SINCE_READ', 'ROOT_INVALID', 'NOT_FOUND']);
const otherKindCodes: ReadonlySet<ErrorCode> = new Set(['IS_A_DIRECTORY', 'NOT_A_DIRECTORY', 'NOT_A_REGULAR_FILE']);
const setCodes: ReadonlySet<ErrorCode> = new Set([
  'APPROVAL_DENIED',
  'APPROVAL_NEEDED',
  'POLICY_DENIED',
  'AUDIT_UNAVAILABLE',
]);
