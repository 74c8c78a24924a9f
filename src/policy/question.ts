import { type GrantScope, grantScopes, type Level } from '../contract/action.ts';
import { renderAction } from './action.ts';
import { type Answer, askApprover, type Question } from './approver.ts';
import type { DescribedFile, GateOptions, GateRequest, GateRun } from './gate-port.ts';

/** What a question is made of. */
export interface QuestionParts {
  readonly options: GateOptions;
  readonly run: GateRun;
  readonly request: GateRequest;
  readonly described: readonly DescribedFile[];
  readonly level: Level;
  readonly reason: string;
}

/** The question about a request. */
export function createQuestion({ options, run, request, described, level, reason }: QuestionParts): Question {
  const [first] = request.actions;
  const count = request.actions.length;
  return {
    id: options.powers.newId(),
    run: run.id,
    action: count === 1 ? renderAction(first, run.mode) : `${first.name} of ${count} files`,
    name: first.name,
    level,
    reason,
    root: options.root,
    arguments: request.arguments?.(),
    files: described.map(({ file }) => file),
    scopes: grantScopes.filter((scope) => isOffered(scope, level, run)),
  };
}

// What is dangerous is never kept beyond the run, and the run of a tool call ends with it.
function isOffered(scope: GrantScope, level: Level, { asksOnce = false }: GateRun): boolean {
  if (scope === 'once') return true;
  return scope === 'run' ? !asksOnce : level !== 'dangerous';
}

/** The approver's answer, or that there is nobody. */
export function answerTo(options: GateOptions, question: Question, signal: AbortSignal | undefined): Promise<Answer> {
  const { approver, timeoutMs, powers } = options;
  if (approver === undefined) return Promise.resolve({ decision: 'unavailable', reason: 'there is nobody to ask' });
  const { startTimer } = powers;
  return askApprover(approver, question, { timeoutMs, startTimer, ...(signal === undefined ? {} : { signal }) });
}
