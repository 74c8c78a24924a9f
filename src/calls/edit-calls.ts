import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { type FileEditPlan, planFileEdit } from '../cores/edit-file.ts';
import type { EditResult } from '../cores/edit-result.ts';
import { fileError } from '../fs/file-error.ts';
import type { ProvenPlace } from '../fs/port.ts';
import { actionOn, digestNow, factsOf, type JudgedCaller, type JudgedTarget } from './judged-target.ts';
import { judgeWrite } from './judged-write.ts';
import type { Admit, PlannedWrite } from './planned-call.ts';
import { withRefusalRecorded } from './record-refusal.ts';

/** What a caller of the edit tool sends; the core judges all of it. */
export type EditInput = Readonly<Record<string, unknown>>;

/**
 * Edits a file, or says what an edit would do. The order of checks is that of every write: arguments, containment, mode
 * and flag, what the file holds, the gate.
 */
export function judgedEditFile(target: JudgedTarget, caller: JudgedCaller, input: EditInput): Promise<EditResult> {
  const { context } = caller;
  const call = factsOf(caller, 'edit_file', input);
  if (input['dry_run'] === true) {
    return withRefusalRecorded(context, call, async () => planDryRun(target, caller, input));
  }
  return judgeWrite(context, call, (admit) => {
    const plan = planWithSecrecy(target, caller, { input, admit });
    return toPlannedWrite(target, plan, input['path']);
  });
}

// The same steps, nobody asked and nothing written. It shows what the file holds, so where reading that would need a
// yes, a dry run does as well.
function planDryRun(target: JudgedTarget, caller: JudgedCaller, input: EditInput): EditResult {
  const { gate } = caller.context;
  const plan = planFileEdit(target.fs, input, target.powers, (path, place, mode) => {
    gate.screen(actionOn('edit_file', place, mode), caller.callId);
    if (mayShow(caller, place)) return;
    throw fileError('APPROVAL_NEEDED', path, 'a dry run asks nobody, and reading this file needs approval');
  });
  plan.close();
  return plan.result;
}

interface PlanParts {
  readonly input: EditInput;
  readonly admit: Admit;
}

// A refusal may quote the file. Where a reader would have to be approved first, it must not.
function planWithSecrecy(target: JudgedTarget, caller: JudgedCaller, { input, admit }: PlanParts): FileEditPlan {
  let isSecret = false;
  try {
    return planFileEdit(target.fs, input, target.powers, (_path, place, mode) => {
      admit(actionOn('edit_file', place, mode));
      isSecret = !mayShow(caller, place);
    });
  } catch (error) {
    if (!isSecret || !isPortholeError(error) || !quotesFile.has(error.code)) throw error;
    throw new PortholeError(error.code, 'the file does not hold what the edit names; reading it needs approval');
  }
}

const quotesFile: ReadonlySet<string> = new Set(['FIND_NOT_FOUND', 'LINE_MISMATCH']);

function mayShow({ context, callId }: JudgedCaller, place: ProvenPlace): boolean {
  try {
    return context.gate.screen(actionOn('file_read', place), callId);
  } catch (error) {
    if (isPortholeError(error)) return false;
    throw error;
  }
}

function toPlannedWrite(target: JudgedTarget, plan: FileEditPlan, written: unknown): PlannedWrite<EditResult> {
  const { result, before, after } = plan;
  const { path: shownPath, mode, created, bytesBefore, bytesAfter, digestBefore, digestAfter } = result;
  return {
    action: actionOn('edit_file', { shownPath, resolvedPath: plan.resolvedPath }, mode),
    writeMode: mode,
    lockKey: plan.lockKey,
    creates: created,
    isExecutable: plan.isExecutable,
    bytesBefore,
    bytesPlanned: bytesAfter,
    digestBefore: () => digestBefore,
    digestPlanned: () => digestAfter,
    diff: () => result.diff,
    content: () => after,
    // A file that was too large to be read is told apart by its identity when it is replaced.
    digestNow: () => (before === null && !created ? null : digestNow(target, written, 'edit')),
    commit: () => ({ result: plan.commit(), created, bytesBefore, bytesAfter, digestAfter }),
    close: plan.close,
  };
}
