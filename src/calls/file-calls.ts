import { renderEditDiff } from '../cores/edit-diff.ts';
import { once } from '../cores/once.ts';
import { type ReadInput, type ReadResult, readFile } from '../cores/read-file.ts';
import { type LinesInput, type LinesPage, readLines } from '../cores/read-lines.ts';
import { planWrite, type WritePlan, type WriteResult } from '../cores/write-file.ts';
import type { WriteInput } from '../cores/write-request.ts';
import { andThen } from './and-then.ts';
import { judgeRead } from './judged-read.ts';
import {
  actionOn,
  digestNow,
  factsOf,
  type JudgedCaller,
  type JudgedFileCall,
  type JudgedTarget,
} from './judged-target.ts';
import { judgeWrite } from './judged-write.ts';
import type { PlannedWrite } from './planned-call.ts';

/** Reads a window of a file: at once, unless somebody has to be asked. */
export function judgedReadFile(
  target: JudgedTarget,
  caller: JudgedCaller,
  input: ReadInput,
): JudgedFileCall<ReadResult> | Promise<JudgedFileCall<ReadResult>> {
  const read = judgeRead(caller.context, factsOf(caller, 'file_read', input), (admit) => {
    const window = readFile(target.fs, input, target.powers, (_path, place) => admit(actionOn('file_read', place)));
    const digest = once(() => target.powers.digest(window.bytes));
    return { result: { window, digest }, bytes: window.bytes.length, digest };
  });
  return andThen(read, ({ result: { window, digest }, settle }) => {
    const { shownPath: path, bytes } = window;
    const settleBoth = () => {
      caller.recordEffect?.({ helper: caller.name, path, bytes: bytes.length, digest: digest() });
      settle();
    };
    return { result: window, settle: settleBoth };
  });
}

/** Reads a page of numbered lines. */
export function judgedReadLines(
  target: JudgedTarget,
  caller: JudgedCaller,
  input: LinesInput,
): JudgedFileCall<LinesPage> | Promise<JudgedFileCall<LinesPage>> {
  return judgeRead(caller.context, factsOf(caller, 'file_read', input), (admit) => {
    const result = readLines(target.fs, input, target.powers, (_path, place) => admit(actionOn('file_read', place)));
    const bytes = result.lines.reduce((sum, line) => sum + encoder.encode(line).length, 0);
    return { result, bytes };
  });
}

const encoder = new TextEncoder();

/** Writes a file. One order of checks for helpers and tools: arguments, containment, gate, and then the content. */
export async function judgedWriteFile(
  target: JudgedTarget,
  caller: JudgedCaller,
  input: WriteInput,
): Promise<JudgedFileCall<WriteResult>> {
  const result = await judgeWrite(caller.context, factsOf(caller, 'file_write', input), (admit) => {
    const plan = planWrite(target.fs, input, target.powers, (_path, place) => admit(actionOn('file_write', place)));
    return toPlannedWrite(target, plan, input.path);
  });
  const { shownPath: path, bytesAfter: bytes, created } = result;
  const settle = () => caller.recordEffect?.({ helper: caller.name, path, bytes, digest: result.digest(), created });
  return { result, settle };
}

function toPlannedWrite(target: JudgedTarget, plan: WritePlan, written: unknown): PlannedWrite<WriteResult> {
  const { shownPath, before, after, mode, creates } = plan;
  return {
    action: actionOn('file_write', plan, mode),
    writeMode: mode,
    lockKey: plan.lockKey,
    creates,
    isExecutable: plan.isExecutable,
    bytesBefore: plan.bytesBefore,
    bytesPlanned: plan.bytesAfter,
    digestBefore: plan.digestBefore,
    digestPlanned: plan.digest,
    diff: once(() => renderEditDiff(shownPath, before, after)),
    content: () => after,
    // A file that was not read for the plan is told apart by its identity when it is replaced.
    digestNow: () => (before === null && !creates ? null : digestNow(target, written, 'write')),
    commit: () => {
      const result = plan.commit();
      const { created, bytesBefore, bytesAfter } = result;
      return { result, created, bytesBefore, bytesAfter, digestAfter: result.digest() };
    },
    close: plan.close,
  };
}
