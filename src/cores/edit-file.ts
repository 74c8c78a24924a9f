import { PortholeError } from '../contract/errors.ts';
import type { RootPath } from '../fs/path-rules.ts';
import type { ExistingFile, FileSystem, ProvenPlace, WriteTarget } from '../fs/port.ts';
import { type EditArguments, type EditMode, parseEditArguments } from './edit-arguments.ts';
import type { EditResult } from './edit-result.ts';
import { maxReplaceBytes } from './editable-file.ts';
import { type FileToEdit, type PlanEditOptions, planEdit } from './plan-edit.ts';

/** An edit that was checked and computed, and has not happened. It holds the place until it is closed. */
export interface FileEditPlan extends Disposable {
  /** See {@link WriteTarget.lockKey}. */
  readonly lockKey: string;
  readonly resolvedPath: string;
  readonly isExecutable: boolean;
  /** What the file holds; `null` if there is none, or it was too large to be read. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  /** What will be told, and what somebody who is asked is shown. */
  readonly result: EditResult;
  /** Writes, unless the edit is a dry run. @throws PortholeError `CHANGED_SINCE_READ` */
  readonly commit: () => EditResult;
  /** May be called again. */
  readonly close: () => void;
}

/**
 * Checks an edit and computes what the file will hold; nothing on the disk changes before `commit()`. `admit` may
 * refuse after arguments and path were judged, before anything is learnt from what the file holds.
 * @throws PortholeError `ARGUMENT_INVALID`, what the path rules and opening for writing throw, and what planning throws
 */
export function planFileEdit(
  fs: FileSystem,
  input: unknown,
  options: PlanEditOptions,
  admit: (path: RootPath, place: ProvenPlace, mode: EditMode) => void = () => undefined,
): FileEditPlan {
  const args = parseEditArguments(input);
  const path = fs.parsePath(args.path, 'edit');
  const target = fs.openForWriting(path);
  try {
    admit(path, target, args.mode);
    return createPlan(target, args, options);
  } catch (error) {
    target.close();
    throw error;
  }
}

/** Plans and commits at once. */
export function editFile(fs: FileSystem, input: unknown, options: PlanEditOptions): EditResult {
  const plan = planFileEdit(fs, input, options);
  try {
    return plan.commit();
  } finally {
    plan.close();
  }
}

function createPlan(target: WriteTarget, args: EditArguments, options: PlanEditOptions): FileEditPlan {
  const file = readFileToEdit(target, args, options.maxWriteBytes);
  const { after, result } = planEdit(args, file, options);
  return {
    lockKey: target.lockKey,
    resolvedPath: target.resolvedPath,
    isExecutable: target.existing?.isExecutable ?? false,
    before: file.before,
    after,
    result,
    commit: () => (args.dryRun ? result : commitEdit(target, file, { after, result })),
    close: target.close,
    [Symbol.dispose]: target.close,
  };
}

function commitEdit(target: WriteTarget, file: FileToEdit, plan: Pick<FileEditPlan, 'after' | 'result'>): EditResult {
  const { splitFromLinks } = target.replace(plan.after, file.before ?? undefined);
  return splitFromLinks === null ? plan.result : { ...plan.result, splitFromLinks };
}

function readFileToEdit(target: WriteTarget, args: EditArguments, maxWriteBytes: number): FileToEdit {
  const { shownPath, existing } = target;
  if (existing === null) return { shownPath, before: null };
  const most = maxBytesToRead(args, maxWriteBytes);
  if (existing.size > most && args.mode === 'write' && args.expect === undefined) {
    return { shownPath, before: null, unreadBytes: existing.size };
  }
  return { shownPath, before: readExisting(existing, args, most) };
}

/** A file that is too large to be searched need not be read to be refused, unless its digest is asked for first. */
function maxBytesToRead(args: EditArguments, maxWriteBytes: number): number {
  return args.mode === 'replace' && args.expect === undefined ? maxReplaceBytes : maxWriteBytes;
}

function readExisting(existing: ExistingFile, args: EditArguments, most: number): Uint8Array {
  if (existing.size <= most) return existing.readAll(most);
  const message = `the file has ${existing.size} bytes; mode "${args.mode}" takes files of at most ${most}`;
  throw new PortholeError('FILE_TOO_LARGE', message, { hint: 'Write the whole file instead.' });
}
