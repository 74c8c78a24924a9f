import { fromByteString } from './byte-string.ts';
import { cutToChange, type LineWindow } from './changed-window.ts';
import type { LineChange } from './line-change.ts';
import { diffLines } from './line-diff.ts';
import { renderPatchPath } from './patch-path.ts';

// What every patch tool shows around a change.
const contextLines = 3;

/** A file before and after; `null` where there is none. */
export interface FileChange {
  /** As it is to stand in the patch, with `/`. */
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/**
 * The change as a patch that `git apply` takes, as bytes since files are bytes; empty where nothing changed. Lines are
 * split at LF only, as patch readers do: a CR is part of its line. Not for files with NUL bytes.
 */
export function renderUnifiedDiff(change: FileChange): Uint8Array {
  const before = change.before ?? new Uint8Array();
  const after = change.after ?? new Uint8Array();
  const window = cutToChange(before, after, contextLines);
  const changes = diffLines(window.oldLines, window.newLines);
  if (changes.length === 0 && change.before !== null && change.after !== null) return new Uint8Array();
  const hunks = groupHunks(changes, window.oldLines.length).map((hunk) => renderHunk(hunk, window));
  // Every part is ASCII, or lines of a window.
  return fromByteString(renderPatchHeader(change) + (hunks.length > 0 ? renderFileNames(change) : '') + hunks.join(''));
}

/** The lines that open a file's part of a patch: which file, and whether it is new or deleted. */
export function renderPatchHeader({ path, before, after }: FileChange): string {
  const names = `diff --git ${renderPatchPath('a', path)} ${renderPatchPath('b', path)}\n`;
  if (before === null) return `${names}new file mode 100644\n`;
  return after === null ? `${names}deleted file mode 100644\n` : names;
}

function renderFileNames({ path, before, after }: FileChange): string {
  // A tab ends a name that holds a blank, or old patch readers stop at the blank.
  const end = path.includes(' ') ? '\t\n' : '\n';
  const oldName = before === null ? '--- /dev/null\n' : `--- ${renderPatchPath('a', path)}${end}`;
  return oldName + (after === null ? '+++ /dev/null\n' : `+++ ${renderPatchPath('b', path)}${end}`);
}

/** Changes so near to each other that they share context. */
type Hunk = LineChange & { readonly changes: readonly LineChange[] };

function groupHunks(changes: readonly LineChange[], oldCount: number): readonly Hunk[] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last !== undefined && change.oldStart - last.oldEnd <= 2 * contextLines;
    if (group !== undefined && isNear) group.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => withContext(group, oldCount));
}

function withContext(changes: readonly LineChange[], oldCount: number): Hunk {
  const { oldStart = 0, newStart = 0 } = changes[0] ?? {};
  const { oldEnd = 0, newEnd = 0 } = changes.at(-1) ?? {};
  const lead = Math.min(contextLines, oldStart);
  const trail = Math.min(contextLines, oldCount - oldEnd);
  return {
    changes,
    oldStart: oldStart - lead,
    oldEnd: oldEnd + trail,
    newStart: newStart - lead,
    newEnd: newEnd + trail,
  };
}

function renderHunk(hunk: Hunk, { skippedLines, oldLines, newLines }: LineWindow): string {
  const oldRange = renderRange(skippedLines + hunk.oldStart, hunk.oldEnd - hunk.oldStart);
  const newRange = renderRange(skippedLines + hunk.newStart, hunk.newEnd - hunk.newStart);
  let text = `@@ -${oldRange} +${newRange} @@\n`;
  let context = hunk.oldStart;
  for (const { oldStart, oldEnd, newStart, newEnd } of hunk.changes) {
    text += renderLines(' ', oldLines.slice(context, oldStart));
    text += renderLines('-', oldLines.slice(oldStart, oldEnd));
    text += renderLines('+', newLines.slice(newStart, newEnd));
    context = oldEnd;
  }
  return text + renderLines(' ', oldLines.slice(context, hunk.oldEnd));
}

/** Line numbers count from 1; a range without lines names the line before it. */
function renderRange(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

function renderLines(sign: ' ' | '-' | '+', lines: readonly string[]): string {
  const text = lines.map((line) => `${sign}${line}`).join('');
  return text === '' || text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`;
}
