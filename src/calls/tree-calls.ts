import { renderEditDiff } from '../cores/edit-diff.ts';
import { type ListInput, type Listing, listFiles } from '../cores/list-files.ts';
import { once } from '../cores/once.ts';
import { planRemove, type RemovePlan } from '../cores/remove-file.ts';
import type { PrivateTree } from '../fs/port.ts';
import { encodeUtf8 } from '../text/utf8.ts';
import { actionOn, factsOf, type JudgedCaller, type JudgedFileCall, type JudgedTarget } from './judged-target.ts';
import { judgeWrite } from './judged-write.ts';
import type { PlannedWrite } from './planned-call.ts';

/** The tree of a staged run, and what its cores need. */
export interface JudgedTree extends JudgedTarget {
  readonly fs: PrivateTree;
}

/** Lists files. Names of a tree that was given to the run are no secret, so nobody judges it. */
export function listTree(target: JudgedTree, caller: JudgedCaller, input: ListInput): JudgedFileCall<Listing> {
  const result = listFiles(target.fs, input);
  const settle = () => {
    const bytes = encodeUtf8(result.paths.join('\n'));
    const { name, recordEffect } = caller;
    recordEffect?.({
      helper: name,
      path: result.shownPath,
      bytes: bytes.length,
      digest: target.powers.digest(bytes),
    });
  };
  return { result, settle };
}

/** Removes a file of a private tree; judged as a write. */
export async function judgedRemoveFile(
  target: JudgedTree,
  caller: JudgedCaller,
  input: { readonly path?: unknown },
): Promise<JudgedFileCall<RemovePlan>> {
  const facts = factsOf(caller, 'file_write', input);
  const result = await judgeWrite(caller.context, facts, (admit) => {
    const plan = planRemove(target.fs, input, (_path, place) => admit(actionOn('file_write', place, 'remove')));
    return toPlannedWrite(target, plan);
  });
  const { shownPath: path, before } = result;
  const settle = () =>
    caller.recordEffect?.({
      helper: caller.name,
      path,
      bytes: before.length,
      digest: target.powers.digest(before),
    });
  return { result, settle };
}

const nothing = new Uint8Array();

// To a log and a reader, a removal is a write after which nothing is left.
function toPlannedWrite({ powers }: JudgedTree, plan: RemovePlan): PlannedWrite<RemovePlan> {
  const { shownPath, before } = plan;
  const digest = once(() => powers.digest(before));
  const digestOfNothing = once(() => powers.digest(nothing));
  return {
    action: actionOn('file_write', plan, 'remove'),
    writeMode: 'remove',
    lockKey: plan.lockKey,
    creates: false,
    isExecutable: false,
    bytesBefore: before.length,
    bytesPlanned: 0,
    digestBefore: digest,
    digestPlanned: digestOfNothing,
    diff: once(() => renderEditDiff(shownPath, before, nothing)),
    content: () => nothing,
    // What was planned for is compared by the tree itself when it is removed.
    digestNow: digest,
    commit: () => {
      plan.commit();
      return {
        result: plan,
        created: false,
        bytesBefore: before.length,
        bytesAfter: 0,
        digestAfter: digestOfNothing(),
      };
    },
    close: () => undefined,
  };
}
