import type { PortholeError } from '../contract/errors.ts';
import { renderPageLine } from '../text/shown-line.ts';
import { encodeUtf8 } from '../text/utf8.ts';
import { renderBytes } from './edit-diff.ts';
import type { EditFacts, EditResult, NowRead } from './edit-result.ts';
import { maxShownLines } from './now-reads.ts';

/** The one line of text that tells what an edit did, made from the structured result alone. */
export function renderEditResult(result: EditResult): string {
  const told = [
    ...result.edits.flatMap((edit, index) => renderNotes(edit, result.edits.length > 1 ? ` (edit ${index + 1})` : '')),
    `${result.dryRun ? 'would have ' : ''}${renderDeed(result)}`,
    `now ${renderBytes(result.bytesAfter)}`,
    ...(result.splitFromLinks === undefined ? [] : [`no longer one of ${result.splitFromLinks} hard links`]),
    ...(result.nowReads.length > 0 ? [renderNowReads(result.nowReads)] : []),
  ];
  return `${result.dryRun ? 'dry run: ' : ''}${told.join('; ')}`;
}

/** The text of a refusal; `path` as the caller wrote it. */
export function renderEditError(error: PortholeError, path: string): string {
  const shown = renderPath(path);
  if (error.code === 'PATH_OUTSIDE_ROOT') return `error: cannot write ${shown}: outside the writable directories`;
  const { answer, reason } = error.details;
  if (error.code === 'PATH_PROTECTED' && typeof reason === 'string') return `error: cannot write ${shown}: ${reason}`;
  const isUnapproved = error.code === 'APPROVAL_DENIED' || error.code === 'APPROVAL_NEEDED';
  if (isUnapproved) return `error: edit not approved: ${typeof answer === 'string' ? answer : error.message}`;
  return `error: ${error.message}`;
}

/** What was not done to the letter, and why that was right. */
function renderNotes(edit: EditFacts, which: string): readonly string[] {
  const notes: string[] = [];
  if (edit.lineAsText !== undefined)
    notes.push(`line "${edit.lineAsText}" taken as ${edit.movedFrom ?? edit.line}${which}`);
  if (edit.movedFrom === undefined) return notes;
  const missed = `line ${edit.movedFrom} did not contain ${edit.found ?? 'the text'}`;
  return [...notes, which === '' ? missed : `${missed}, line ${edit.line} is the one line that does${which}`];
}

function renderDeed(result: EditResult): string {
  const { mode, dryRun, edits, nowReads } = result;
  const path = renderPath(result.path);
  if (mode !== 'replace' && result.created) return `created ${path}`;
  if (mode === 'write') return `${dryRun ? 'written' : 'wrote'} ${path}`;
  if (mode === 'append') return `appended to ${path}${result.continuedLastLine ? ' (it had no final line break)' : ''}`;
  const [only, ...others] = edits;
  if (only?.movedFrom !== undefined && others.length === 0) {
    return `replaced line ${only.line} of ${path}, the one line that does${renderKept(edits)}`;
  }
  return `replaced at ${renderRanges(nowReads)} of ${path}${renderKept(edits)}`;
}

function renderKept(edits: readonly EditFacts[]): string {
  const kept = edits.flatMap(({ line, keptIndentation }) =>
    keptIndentation === undefined ? [] : [{ line, blanks: renderBlanks(keptIndentation) }],
  );
  const [only] = kept;
  if (only === undefined) return '';
  if (edits.length === 1) return `, keeping the line's indentation (${only.blanks})`;
  return `, keeping the indentation of ${kept.map(({ line, blanks }) => `line ${line} (${blanks})`).join(', ')}`;
}

/** Blanks in words, as they stand: `4 spaces`, `1 tab and 2 spaces`. */
function renderBlanks(blanks: string): string {
  const runs = (blanks.match(/ +|\t+/g) ?? []).map((run) => {
    const name = run.startsWith(' ') ? 'space' : 'tab';
    return `${run.length} ${name}${run.length === 1 ? '' : 's'}`;
  });
  return runs.join(' and ');
}

// A result stays one readable line, also for a list of hundreds of edits.
const maxShownRanges = 20;

function renderRanges(reads: readonly NowRead[]): string {
  const shown = reads.slice(0, maxShownRanges).map(({ firstLine, lastLine }) => {
    return firstLine === lastLine ? `${firstLine}` : `${firstLine}-${lastLine}`;
  });
  const isOneLine = reads.length === 1 && reads[0]?.firstLine === reads[0]?.lastLine;
  const more = reads.length > maxShownRanges ? ` and ${reads.length - maxShownRanges} more places` : '';
  return `${isOneLine ? 'line' : 'lines'} ${shown.join(', ')}${more}`;
}

function renderNowReads(reads: readonly NowRead[]): string {
  const lines = reads.flatMap((read) => (read.lines.length > 0 ? read.lines : ['(end of file)']));
  const total = reads.reduce((sum, { firstLine, lastLine }) => sum + 1 + lastLine - firstLine, 0);
  const shown = lines.slice(0, maxShownLines);
  const more = total > shown.length ? ` (and ${total - shown.length} more)` : '';
  return `${renderRanges(reads)} now: ${shown.join(', ')}${more}`;
}

/** A path on one line, with nothing in it that acts on a terminal. */
function renderPath(path: string): string {
  return renderPageLine(encodeUtf8(path)).text;
}
