import { fileError } from '../fs/file-error.ts';
import type { Permission } from '../policy/approval.ts';
import { type CallContext, type CallFacts, renderArguments } from './call-context.ts';
import { describeWrite, renderContent } from './describe-write.ts';
import type { Admit, PlannedWrite } from './planned-call.ts';
import { withRefusalRecorded } from './record-refusal.ts';

/** Writes once the gate allows it and the intent is on record. Whatever is refused is recorded and thrown. */
export function judgeWrite<Result>(
  context: CallContext,
  call: CallFacts,
  makePlan: (admit: Admit) => PlannedWrite<Result>,
): Promise<Result> {
  return withRefusalRecorded(context, call, async () => {
    for (;;) {
      refuseWhenOver(context, call);
      // What no answer could allow is refused before the file's content is looked at.
      const plan = makePlan((action) => context.gate.screen(action, call.id));
      try {
        const turn = context.turns.tryTake(plan.lockKey);
        if (turn !== undefined) return await permitAndLand(context, call, plan).finally(turn.release);
      } finally {
        plan.close();
      }
      // Somebody else writes there, or is being asked whether they may. The plan is made anew on what they leave.
      const goOn = context.pauseClock();
      await context.turns.whenFree(plan.lockKey, context.life.signal).finally(goOn);
    }
  });
}

/** Asks the gate once for a set of planned writes; the permission counts for each of them once. */
export function permitWrites(
  context: CallContext,
  call: CallFacts,
  plans: readonly [PlannedWrite<unknown>, ...PlannedWrite<unknown>[]],
): Promise<Permission> {
  const [first, ...others] = plans;
  return context.gate.permit({
    actions: [first.action, ...others.map(({ action }) => action)],
    call: call.id,
    arguments: () => renderArguments(call),
    describe: () => plans.map((plan) => describeWrite(context, call, plan)),
  });
}

/** Lands one planned write: permission spent, intent recorded, file replaced, outcome recorded. */
export function landWrite<Result>(
  context: CallContext,
  call: CallFacts,
  { plan, permission }: { readonly plan: PlannedWrite<Result>; readonly permission: Permission },
): Result {
  const { log } = context;
  refuseWhenOver(context, call);
  if (permission.wasAsked) {
    // A person may have taken minutes: what they saw must still be what is there.
    permission.use(describeWrite(context, call, { ...plan, digestBefore: plan.digestNow }).shown);
  }
  const { path } = plan.action;
  const mode = plan.writeMode;
  const content = log.keepsContent ? { content: renderContent(plan.content()) } : {};
  const digests = { digestBefore: plan.digestBefore(), digestPlanned: plan.digestPlanned() };
  log.record('file.write.intent', { path, mode, ...digests, ...content }, call.id);
  const { result, created, bytesBefore, bytesAfter, digestAfter } = plan.commit();
  const kind = plan.action.name === 'writeback' ? 'writeback.file' : 'file.write';
  // The file is written: a log that fails now cannot undo it, and the next intent will find it failing.
  log.recordAfter(kind, { path, mode, created, bytesBefore, bytesAfter, digestAfter }, call.id);
  return result;
}

async function permitAndLand<Result>(
  context: CallContext,
  call: CallFacts,
  plan: PlannedWrite<Result>,
): Promise<Result> {
  const permission = await permitWrites(context, call, [plan]);
  return landWrite(context, call, { plan, permission });
}

// A run that was aborted or killed while it waited is answered by nobody, and must not write behind its own end.
function refuseWhenOver({ life }: CallContext, { path }: CallFacts): void {
  if (!life.isOver()) return;
  const answer = 'the run was aborted';
  throw fileError('APPROVAL_DENIED', { verb: 'write', written: path }, answer, { details: { answer } });
}
