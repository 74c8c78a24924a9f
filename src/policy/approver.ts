import { type ActionName, type GrantScope, grantScopes, type Level } from '../contract/action.ts';

/** One file of a question. */
export interface QuestionFile {
  readonly path: string;
  /** `create` where nothing stands there yet. */
  readonly change: 'create' | 'modify';
  readonly executable: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The change that will land, as a unified diff. */
  readonly diff: string;
}

/** What a person is asked. It shows exactly what will land. */
export interface Question {
  readonly id: string;
  readonly run: string;
  /** The action in words. */
  readonly action: string;
  readonly name: ActionName;
  readonly level: Level;
  /** Why it is asked. */
  readonly reason: string;
  readonly root: string;
  /** The arguments of the call, canonical JSON; of a run its `file` and `source`. */
  readonly arguments: string | undefined;
  /** The files that change; none for reads and runs. */
  readonly files: readonly QuestionFile[];
  /** The scopes a yes can have here. */
  readonly scopes: readonly GrantScope[];
}

/** What an approver says; `unavailable` when it has nobody to ask. */
export type Answer =
  | { readonly decision: 'yes'; readonly scope: GrantScope; readonly by?: string }
  | { readonly decision: 'no'; readonly reason?: string; readonly by?: string }
  | { readonly decision: 'unavailable'; readonly reason: string };

/** Asks somebody. The signal is raised when the answer no longer counts. */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** A library's answer: `true` is a yes for once, a scope a yes of that scope, anything else a no. */
export type ApprovalCallback = (question: Question, signal: AbortSignal) => Promise<boolean | GrantScope>;

/** Starts a timer and returns what stops it. */
export type StartTimer = (callback: () => void, ms: number) => () => void;

/** How long, and until when, an answer is waited for. */
export interface AskOptions {
  readonly timeoutMs: number;
  readonly startTimer: StartTimer;
  readonly signal?: AbortSignal;
}

/** The approver made of a library's callback. */
export function createCallbackApprover(callback: ApprovalCallback): Approver {
  return async (question, signal) => {
    const said = await callback(question, signal);
    if (said === true) return { decision: 'yes', scope: 'once', by: 'callback' };
    const scope = grantScopes.find((known) => known === said);
    return scope === undefined ? { decision: 'no', by: 'callback' } : { decision: 'yes', scope, by: 'callback' };
  };
}

/** Asks, and turns silence, failure and nonsense into a no: only a clear yes is one. */
export function askApprover(approver: Approver, question: Question, options: AskOptions): Promise<Answer> {
  const { timeoutMs, startTimer, signal } = options;
  const ended = new AbortController();
  return new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      stopTimer();
      signal?.removeEventListener('abort', onAbort);
      ended.abort();
      resolve(answer);
    };
    const onAbort = (): void => settle({ decision: 'no', reason: 'the run was aborted' });
    const stopTimer = startTimer(() => settle({ decision: 'no', reason: 'timed out' }), timeoutMs);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) return onAbort();
    answerOf(approver, question, ended.signal).then(settle, (error: unknown) =>
      settle({
        decision: 'no',
        reason: `the approver failed: ${error instanceof Error ? error.message : String(error)}`,
      }),
    );
  });
}

async function answerOf(approver: Approver, question: Question, signal: AbortSignal): Promise<Answer> {
  const answer: Answer | undefined = await approver(question, signal);
  // Approvers come from outside: what the types promise is checked where a yes hangs on it.
  if (answer?.decision === 'no' || answer?.decision === 'unavailable') return answer;
  if (answer?.decision === 'yes' && grantScopes.includes(answer.scope)) return answer;
  return { decision: 'no', reason: 'the approver gave no clear answer' };
}
