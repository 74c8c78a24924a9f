import { type ErrorCode, PortholeError } from '../contract/errors.ts';
import { type Action, isWriting } from './action.ts';
import type { Answer } from './approver.ts';
import type { Decision } from './decide.ts';

/** The refusal of a decision that denies. */
export function decisionError(
  action: Action,
  words: string,
  decision: Extract<Decision, { kind: 'deny' }>,
): PortholeError {
  const reason = decision.isOwnFile ? 'it belongs to porthole itself, which edits never change' : decision.reason;
  return refusal(decision.code, { action, words, reason });
}

/** The refusal of an answer that is no yes: nobody there, or a no. */
export function answerError(
  action: Action,
  words: string,
  answer: Exclude<Answer, { decision: 'yes' }>,
): PortholeError {
  if (answer.decision === 'unavailable') {
    const reason = `it needs approval and ${answer.reason}`;
    return refusal('APPROVAL_NEEDED', { action, words, reason, answer: reason });
  }
  const said = answer.reason ?? 'the answer was no';
  return refusal('APPROVAL_DENIED', { action, words, reason: `not approved (${said})`, answer: said });
}

interface Refused {
  readonly action: Action;
  readonly words: string;
  readonly reason: string;
  /** What came of the question, where one was needed. */
  readonly answer?: string;
}

// Worded as the file layer words its own; `details.reason` is the reason alone, for surfaces that begin the sentence.
function refusal(code: ErrorCode, { action, words, reason, answer }: Refused): PortholeError {
  const details = { reason, ...(answer === undefined ? {} : { answer }) };
  if (action.name === 'run') return new PortholeError(code, `Cannot ${words}: ${reason}`, { details });
  const path = action.writtenAs ?? action.path;
  const verb = isWriting(action) ? 'write' : 'read';
  return new PortholeError(code, `Cannot ${verb} ${JSON.stringify(path)}: ${reason}`, { path, details });
}
