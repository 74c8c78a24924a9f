import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import type { CallContext } from '../calls/call-context.ts';
import type { JudgedTree } from '../calls/tree-calls.ts';
import type { Change } from '../contract/change-set.ts';
import type { Limits } from '../contract/limits.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import type { WriteBackReport } from '../contract/write-back.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';
import { findChanges } from '../staging/changes.ts';
import { copyIn } from '../staging/copy-in.ts';
import { flagLabels, optionLabels, parseInputs } from '../staging/inputs.ts';
import { renderPatch, type StagedFiles } from '../staging/render-patch.ts';
import { writeBack } from '../staging/write-back.ts';
import { callPowers, openHostDirectory } from './open-target.ts';
import type { Wiring } from './wiring.ts';

/** A staged run that may start: its inputs are copied. */
export interface StagedRun {
  /** What helpers, and tools of the run, act on. */
  readonly target: JudgedTree;
  /** What the run left, as it is now. */
  readonly end: () => StagedEnd;
}

/** What a staged run left. */
export interface StagedEnd {
  readonly changes: readonly Change[];
  readonly staged: StagedFiles;
}

/** What a run is staged from. */
export interface RunToStage {
  readonly id: string;
  readonly inputs: StagedOptions;
  readonly limits: Limits;
  readonly life: CallContext['life'];
}

/** Copies the inputs of a run into a tree of its own. @throws PortholeError what copying throws */
export async function stageRun(run: RunToStage, { settings, powers, staging }: Wiring): Promise<StagedRun> {
  const { digest } = powers;
  const requested = parseInputs(run.inputs, staging.isCommand ? flagLabels : optionLabels);
  const tree = createMemoryTree({ id: run.id, quota: run.limits });
  const breathe = async (): Promise<void> => {
    await setImmediate();
    run.life.signal.throwIfAborted();
  };
  const copy = { digest, quota: run.limits, breathe, onProgress: staging.onProgress };
  const baseline = await copyIn(requested, tree, copy);
  return {
    target: { fs: tree, powers: callPowers(settings, digest) },
    end: () => {
      const staged = { baseline, files: tree.files() };
      return { changes: findChanges(baseline, staged.files, { digest }), staged };
    },
  };
}

/** The change set as a patch for `git apply`. */
export function renderStagedDiff({ changes, staged }: StagedEnd): string {
  return renderPatch(changes, staged, { deflate: (bytes) => deflateSync(bytes), sha1Hex });
}

function sha1Hex(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** What a write-back works with. */
export interface WriteBackParts {
  readonly status: RunOutcome['status'];
  readonly end: StagedEnd;
  readonly context: CallContext;
  readonly dryRun: boolean;
}

/** Writes back what a run left; see {@link writeBack}. */
export function writeStagedBack(parts: WriteBackParts, wiring: Wiring): Promise<WriteBackReport | null> {
  const { status, end, context, dryRun } = parts;
  const { settings, powers, target, staging } = wiring;
  return writeBack(
    { status, changes: end.changes, staged: end.staged, dryRun },
    {
      context,
      digest: powers.digest,
      newId: powers.newId,
      root: target?.root.rootPath ?? settings.directory,
      openRoot: (directory) => openHostDirectory(directory, settings, staging.syscalls),
    },
  );
}
