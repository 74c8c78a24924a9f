import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { isPortholeError } from '../contract/errors.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import { type AttemptCap, type AttemptReport, checkAttempts, renderAttempts, takeAttempt } from './attempts.ts';
import { type FileDiff, landSet } from './land-set.ts';
import type { OpenFiles } from './open-files.ts';
import type { PathRules } from './path-rules.ts';
import { type AlreadyEdit, type AppliedEdit, type EditPlan, planEdits, type RejectedEdit } from './plan-edits.ts';
import { settleVerdict } from './settle-verdict.ts';
import type { Verdict } from './verdict.ts';

/** What became of a proposal. */
export interface ApplyReport {
  /**
   * `applied`: every edit is in its file. `already`: every value was there. `planned`: a dry run that would apply.
   * `rejected`: at least one edit was refused, so no file changed. `escalate`, `no_action`: there was nothing to apply.
   */
  readonly outcome: 'applied' | 'already' | 'planned' | 'rejected' | 'escalate' | 'no_action';
  /** The verdict as it stands after the checks: one whose edits were all refused escalates. */
  readonly verdict: Verdict;
  readonly applied: readonly AppliedEdit[];
  readonly already: readonly AlreadyEdit[];
  readonly rejected: readonly RejectedEdit[];
  readonly diffs: readonly FileDiff[];
  readonly attempts: AttemptReport;
}

/** What applying a verdict takes. */
export interface ApplyRequest {
  readonly target: JudgedTarget;
  readonly caller: JudgedCaller;
  readonly verdict: Verdict;
  readonly rules: PathRules;
  readonly evidence: readonly string[];
  readonly attempts: AttemptCap | undefined;
  readonly dryRun: boolean;
}

/**
 * Applies a verdict: all of its edits or none. What the checks refuse is an answer; what the gate refuses is thrown.
 * @throws PortholeError `ATTEMPTS_SPENT`, `POLICY_DENIED`, `APPROVAL_NEEDED`, `APPROVAL_DENIED`, `CHANGED_SINCE_READ`
 */
export async function applyProposal(request: ApplyRequest): Promise<ApplyReport> {
  const { caller, verdict } = request;
  const { log } = caller.context;
  recordReceived(request);
  let attempts = await checkAttempts(request.attempts).catch((error: unknown) => {
    if (isPortholeError(error))
      log.recordAfter('proposal.rejected', { code: error.code, attempts: error.message }, caller.callId);
    throw error;
  });
  if (verdict.classification !== 'mechanical')
    return { ...nothing, outcome: verdict.classification, verdict, attempts };
  const landed = await landSet({
    target: request.target,
    caller,
    call: callOf(request),
    judge: async (files) => {
      const report = await planQuietly(request, files);
      return { changes: report.files, report };
    },
    dryRun: request.dryRun,
    beforeFirstWrite: async () => {
      attempts = await takeAttempt(request.attempts);
    },
  });
  const report = reportOf(request, landed, attempts);
  recordEnd(report, { log, callId: caller.callId, dryRun: request.dryRun });
  return report;
}

const nothing = { applied: [], already: [], rejected: [], diffs: [] } as const;

/** Judges a verdict's edits; a refusal does not quote what reading would need a yes for. */
export async function planQuietly(
  { verdict, rules, evidence }: Pick<ApplyRequest, 'verdict' | 'rules' | 'evidence'>,
  files: OpenFiles,
): Promise<EditPlan> {
  const plan = await planEdits(verdict.edits, { rules, evidence, open: async (path) => files.open(path) });
  const rejected = plan.rejected.map((one) => {
    const judged = rules(one.path);
    if (judged.kind === 'refused' || files.mayQuote(judged.path)) return one;
    return { ...one, message: 'the file does not hold what the edit names', hint: 'Reading this file needs approval.' };
  });
  return { ...plan, rejected };
}

function callOf({ caller, verdict, dryRun }: ApplyRequest) {
  return {
    id: caller.callId,
    tool: caller.name,
    name: 'apply' as const,
    arguments: { edits: verdict.edits, ...(dryRun ? { dryRun } : {}) },
    path: [...new Set(verdict.edits.map(({ path }) => path))].join(', '),
  };
}

function reportOf(
  { verdict, dryRun }: ApplyRequest,
  { report: plan, diffs }: { report: EditPlan; diffs: readonly FileDiff[] },
  attempts: AttemptReport,
): ApplyReport {
  const { applied, already, rejected } = plan;
  const done = applied.length === 0 ? 'already' : dryRun ? 'planned' : 'applied';
  const outcome = rejected.length > 0 ? 'rejected' : done;
  return { outcome, verdict: settleVerdict(verdict, plan), applied, already, rejected, diffs, attempts };
}

// The log names the verdict by its digest; its free text is the model's and stays out.
function recordReceived({ caller: { context, callId }, verdict }: ApplyRequest): void {
  const text = canonicalJsonOfAnyText(verdict);
  const content = context.log.keepsContent ? { content: text.toWellFormed() } : {};
  const { classification, edits } = verdict;
  const digest = context.digestText(text);
  context.log.record('proposal.received', { classification, edits: edits.length, digest, ...content }, callId);
}

// As many as a person reads; the report has them all.
const maxRecorded = 20;

function recordEnd(
  report: ApplyReport,
  { log, callId, dryRun }: { log: JudgedCaller['context']['log']; callId: string; dryRun: boolean },
): void {
  const { outcome, applied, already, rejected } = report;
  if (outcome === 'rejected') {
    const refusals = rejected.slice(0, maxRecorded).map(({ edit, path, key, message }) => ({
      edit,
      path: path.toWellFormed(),
      key: key.toWellFormed(),
      message: message.toWellFormed(),
    }));
    log.recordAfter(
      'proposal.rejected',
      { edits: rejected.length, refusals, attempts: renderAttempts(report.attempts) },
      callId,
    );
  } else if (!dryRun) {
    const attempts = renderAttempts(report.attempts);
    log.recordAfter('proposal.applied', { applied: applied.length, already: already.length, attempts }, callId);
  }
}
