import type { CallContext, CallFacts } from '../calls/call-context.ts';
import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { landWrite, permitWrites } from '../calls/judged-write.ts';
import { withRefusalRecorded } from '../calls/record-refusal.ts';
import type { Turn } from '../calls/turns.ts';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { type Permission, unaskedPermission } from '../policy/approval.ts';
import { createOpenFiles, type OpenFiles, type SetWrite } from './open-files.ts';
import type { FileChange } from './plan-edits.ts';

/** A set as it was judged: the changes it would make, and whatever else there is to tell. */
export interface JudgedSet<Report> {
  /** Empty where nothing is to be written. */
  readonly changes: readonly FileChange[];
  readonly report: Report;
}

/** A set that was judged, and landed unless nobody was to. */
export interface LandedSet<Report> {
  readonly report: Report;
  /** One diff for each file; an empty one where reading the file needs a yes, which only the approver is shown. */
  readonly diffs: readonly FileDiff[];
}

/** What happens to one file, to be looked at. */
export interface FileDiff {
  readonly path: string;
  readonly diff: string;
}

/** What landing a set takes. */
export interface LandingParts<Report> {
  readonly target: JudgedTarget;
  readonly caller: JudgedCaller;
  readonly call: CallFacts;
  /** Judges the set against the files as they are now; called anew when somebody else wrote meanwhile. */
  readonly judge: (files: OpenFiles) => Promise<JudgedSet<Report>>;
  readonly dryRun: boolean;
  /** Called after the yes and before the first write; where it throws, nothing is written. */
  readonly beforeFirstWrite: () => Promise<void>;
}

/**
 * Judges a set, asks one question for all of it and writes all of it. Should a write fail, those before it are undone.
 * @throws PortholeError what the gate refuses, `CHANGED_SINCE_READ`, and what writing throws
 */
export function landSet<Report>(parts: LandingParts<Report>): Promise<LandedSet<Report>> {
  const { caller, call, target } = parts;
  return withRefusalRecorded(caller.context, call, async () => {
    for (;;) {
      using files = createOpenFiles(target, caller);
      const { changes, report } = await parts.judge(files);
      const [first, ...others] = files.plansOf(changes);
      if (first === undefined) return { report, diffs: [] };
      const plans = [first, ...others] as const;
      const landed = (): LandedSet<Report> => ({ report, diffs: plans.map((plan) => toDiff(plan, files)) });
      if (parts.dryRun) return landed();
      const taken = takeTurns(caller.context, plans);
      if ('busy' in taken) {
        files.close();
        const goOn = caller.context.pauseClock();
        await caller.context.turns.whenFree(taken.busy, caller.context.life.signal).finally(goOn);
        continue;
      }
      try {
        const permission = await permitWrites(caller.context, call, plans);
        refuseChanged(plans);
        await parts.beforeFirstWrite();
        landAll(parts, plans, permission);
        return landed();
      } finally {
        for (const turn of taken.turns) turn.release();
      }
    }
  });
}

// A diff shows the lines around a change, which the proposal never named.
function toDiff(plan: SetWrite, files: OpenFiles): FileDiff {
  const { path } = plan.action;
  return { path, diff: files.mayQuote(path) ? plan.diff() : '' };
}

// All or none, so that two sets never wait for each other.
function takeTurns(
  { turns }: CallContext,
  plans: readonly SetWrite[],
): { readonly turns: readonly Turn[] } | { readonly busy: string } {
  const taken: Turn[] = [];
  for (const { lockKey } of plans) {
    const turn = turns.tryTake(lockKey);
    if (turn === undefined) {
      for (const earlier of taken) earlier.release();
      return { busy: lockKey };
    }
    taken.push(turn);
  }
  return { turns: taken };
}

// Before the first file is touched: most of what could stop the set half-way is known now.
function refuseChanged(plans: readonly SetWrite[]): void {
  for (const plan of plans) {
    if (plan.digestNow() === plan.digestBefore()) continue;
    const { path } = plan.action;
    const message = `Cannot write "${path}": it changed since it was read; no file of the set was written`;
    throw new PortholeError('CHANGED_SINCE_READ', message, { path });
  }
}

function landAll(parts: LandingParts<unknown>, plans: readonly SetWrite[], permission: Permission): void {
  for (const [index, plan] of plans.entries()) {
    try {
      landWrite(parts.caller.context, parts.call, { plan, permission });
    } catch (error) {
      // What the disk did not confirm is in place all the same.
      const isInPlace = isPortholeError(error, 'WRITE_NOT_DURABLE');
      undo(parts, plans.slice(0, isInPlace ? index + 1 : index), error);
      throw error;
    }
  }
}

// The files go back to what they were, the last one first, each of them on record like any other write.
function undo({ target, caller, call }: LandingParts<unknown>, landed: readonly SetWrite[], why: unknown): void {
  const stuck: string[] = [];
  for (const plan of landed.toReversed()) {
    try {
      using files = createOpenFiles(target, caller);
      const { path } = plan.action;
      const now = files.open(path);
      if (!(now instanceof Uint8Array)) throw new Error('it cannot be opened again');
      if (target.powers.digest(now) !== plan.digestPlanned()) throw new Error('it changed again');
      for (const back of files.plansOf([{ path, before: now, after: plan.before }])) {
        landWrite(caller.context, call, { plan: back, permission: unaskedPermission });
      }
    } catch {
      stuck.push(plan.action.path);
    }
  }
  if (stuck.length === 0) return;
  const reason = why instanceof Error ? why.message : String(why);
  const code = why instanceof PortholeError ? why.code : 'IO_FAILED';
  throw new PortholeError(code, `${reason}; these files of the set stay changed: ${stuck.join(', ')}`, {
    hint: 'Look at them: the other files of the set are as they were.',
    cause: why,
    details: { changed: stuck },
  });
}
