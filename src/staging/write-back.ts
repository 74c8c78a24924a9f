import type { CallContext, CallFacts } from '../calls/call-context.ts';
import { landWrite, permitWrites } from '../calls/judged-write.ts';
import type { PlannedWrite } from '../calls/planned-call.ts';
import { recordRefusal } from '../calls/record-refusal.ts';
import type { Change } from '../contract/change-set.ts';
import { isPortholeError, type PortholeError } from '../contract/errors.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { Powers } from '../contract/powers.ts';
import type { WriteBackEnd, WriteBackReport } from '../contract/write-back.ts';
import type { DiskRoot } from '../fs/disk-root.ts';
import { fileError } from '../fs/file-error.ts';
import type { Permission } from '../policy/approval.ts';
import { createInputRoots } from './input-roots.ts';
import { type Landing, toPlannedWrite, writeBackAction } from './planned-write-back.ts';
import type { StagedFiles } from './render-patch.ts';
import { endOf, isAboutTheSet } from './write-back-end.ts';
import { type PlannedFile, planWriteBack, type WriteBackPlan } from './write-back-plan.ts';

/** A staged run that is over, and what is to become of its changes. */
export interface WriteBackRequest {
  /** How the run ended: only what a completed one left is ever written. */
  readonly status: RunOutcome['status'];
  readonly changes: readonly Change[];
  readonly staged: StagedFiles;
  /** Plan and report alone: nobody is asked, nothing is written. */
  readonly dryRun: boolean;
}

/** Through what a write-back is judged, recorded and written. */
export interface WriteBackWorld extends Pick<Powers, 'digest' | 'newId'> {
  /** The run's own gate and log; `life` is that of the write-back, since the run's is over. */
  readonly context: CallContext;
  /** Real path of the runtime's root. */
  readonly root: string;
  /** Opens a directory of the host for writing: protected places known, missing directories made. */
  readonly openRoot: (hostDirectory: string) => DiskRoot;
}

/**
 * Lands the change set of a completed run on the host; null after any other end. Everything is planned, judged and
 * compared with its pin before the first byte is written, and the gate is asked once. Then each file lands by itself:
 * what fails on the way ends it, and what landed before stays. Whatever is refused is in the report, not thrown.
 */
export async function writeBack(request: WriteBackRequest, world: WriteBackWorld): Promise<WriteBackReport | null> {
  const { status, changes, staged, dryRun } = request;
  if (status !== 'completed') return null;
  const plan = planWriteBack(changes, staged);
  using roots = createInputRoots(world.openRoot);
  const { context, root, digest } = world;
  const work: Work = { context, plan, dryRun, callId: world.newId(), landing: { roots, root, digest } };
  try {
    return createReport(work, await landSet(work));
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    const [first] = plan.files;
    if (first !== undefined) recordFailure(work, first, error);
    return createReport(work, [], error);
  }
}

interface Work {
  readonly context: CallContext;
  readonly plan: WriteBackPlan;
  readonly dryRun: boolean;
  /** The whole set is one call. */
  readonly callId: string;
  readonly landing: Landing;
}

// The ends of the files in order, as far as something became of them. Throws what refuses the set as a whole.
async function landSet(work: Work): Promise<readonly WriteBackEnd[]> {
  const { plan, context, dryRun } = work;
  for (const file of plan.files) context.gate.screen(writeBackAction(file, work.landing.root), work.callId);
  const checked = plan.files.map((file) => check(work, file));
  const ends = checked.map(({ end }) => end);
  if (dryRun || ends.some(({ kind }) => kind !== 'planned')) return ends;
  const writes = checked.map(({ file, isExecutable }) => ({
    file,
    plan: toPlannedWrite(file, isExecutable, work.landing),
  }));
  const [first, ...others] = writes.map(({ plan }) => plan);
  if (first === undefined) return ends;
  recordPlan(work);
  const permission = await permitWrites(context, factsOf(work), [first, ...others]);
  // Whoever was asked may have taken minutes: what went wrong meanwhile shall not leave half a set.
  const again = permission.wasAsked ? plan.files.map((file) => check(work, file).end) : ends;
  return again.some(({ kind }) => kind !== 'planned') ? again : landEach(work, writes, permission);
}

interface Checked {
  readonly file: PlannedFile;
  readonly end: WriteBackEnd;
  readonly isExecutable: boolean;
}

function check(work: Work, file: PlannedFile): Checked {
  try {
    refuseRival(file);
    const { isExecutable } = work.landing.roots.check(file);
    return { file, end: { kind: 'planned' }, isExecutable };
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    recordFailure(work, file, error);
    return { file, end: endOf(error, file), isExecutable: false };
  }
}

// Whichever landed second would undo the other.
function refuseRival({ hostPath, alsoAt }: PlannedFile): void {
  if (alsoAt === null) return;
  const reason = `the run changed it in two places of the tree, here and at /${alsoAt}`;
  throw fileError('ARGUMENT_INVALID', { verb: 'write back', written: hostPath }, reason);
}

interface Write {
  readonly file: PlannedFile;
  readonly plan: PlannedWrite<void>;
}

function landEach(work: Work, writes: readonly Write[], permission: Permission): readonly WriteBackEnd[] {
  const ends: WriteBackEnd[] = [];
  for (const { file, plan } of writes) {
    try {
      landWrite(work.context, factsOf(work, file), { plan, permission });
      ends.push({ kind: 'written' });
    } catch (error) {
      if (!isPortholeError(error) || (ends.length === 0 && isAboutTheSet(error))) throw error;
      recordFailure(work, file, error);
      ends.push(endOf(error, file));
      break;
    }
  }
  return ends;
}

// What a log needs of the paths; a change set may have thousands, and each has its own events.
const maxRecordedPaths = 64;

function recordPlan({ plan, context, callId, landing }: Work): void {
  const paths = plan.files.slice(0, maxRecordedPaths).map((file) => writeBackAction(file, landing.root).path);
  context.log.record('writeback.plan', { files: plan.files.length, skipped: plan.skipped.length, paths }, callId);
}

// A dry run leaves no trace of writes it never meant to make.
function recordFailure(work: Work, file: PlannedFile, error: PortholeError): void {
  if (!work.dryRun) recordRefusal(work.context, factsOf(work, file), error);
}

function factsOf({ callId, plan, landing }: Work, file = plan.files[0]): CallFacts {
  return {
    id: callId,
    tool: 'write-back',
    name: 'writeback',
    arguments: { files: plan.files.length },
    path: file === undefined ? undefined : writeBackAction(file, landing.root).path,
  };
}

function createReport(work: Work, ends: readonly WriteBackEnd[], refusal?: PortholeError): WriteBackReport {
  const { plan, dryRun } = work;
  return {
    dryRun,
    files: plan.files.map(({ path, hostPath }, index) => ({ path, hostPath, end: ends[index] ?? { kind: 'planned' } })),
    skipped: plan.skipped,
    refusal: refusal === undefined ? null : { code: refusal.code, message: refusal.message },
  };
}
