import type { Change } from '../contract/change-set.ts';
import { type PatchPowers, renderBinaryPatch } from '../text/binary-patch.ts';
import { type FileChange, renderUnifiedDiff } from '../text/unified-diff.ts';
import { decodeUtf8, isUtf8Throughout } from '../text/utf8.ts';
import type { Baseline, TreeFiles } from './staged-files.ts';

/** A run's files before and after. */
export interface StagedFiles {
  readonly baseline: Baseline;
  readonly files: TreeFiles;
}

/**
 * The change set as a patch that `git apply` turns the baseline into the result with, byte for byte; empty for no
 * changes. Files with a NUL byte, and those that are not UTF-8, become binary patches: so the whole is a text that
 * survives every way it may go, a JSON string included.
 */
export function renderPatch(changes: readonly Change[], staged: StagedFiles, powers: PatchPowers): string {
  return changes.map(({ path }) => renderFile(contentsOf(path, staged), powers)).join('');
}

function contentsOf(path: string, { baseline, files }: StagedFiles): FileChange {
  return { path, before: baseline.files.get(path)?.bytes ?? null, after: files.get(path) ?? null };
}

function renderFile(change: FileChange, powers: PatchPowers): string {
  const isText = isPatchText(change.before) && isPatchText(change.after);
  return isText ? decodeUtf8(renderUnifiedDiff(change)) : renderBinaryPatch(change, powers);
}

function isPatchText(bytes: Uint8Array | null): boolean {
  return bytes === null || (!bytes.includes(0) && isUtf8Throughout(bytes));
}
