import { PortholeError } from '../contract/errors.ts';
import { type ByteLine, byteOrderMarkSize, countLines, lineAt } from './byte-lines.ts';
import { findOccurrences } from './occurrences.ts';
import type { ResolvedEdit } from './resolved-edit.ts';
import { quoteLine, quoteText } from './shown-line.ts';
import { renderLineNumbers, renderNearestLine } from './text-edit.ts';
import { concatBytes, encodeUtf8, equalBytes } from './utf8.ts';

/** A replacement of one line's text; the line keeps its ending. */
export interface LineEdit {
  /** From 1. */
  readonly line: number;
  /** Text the line must hold; empty checks nothing. Holds no line break besides one at its end, which is ignored. */
  readonly find: string;
  readonly content: string;
}

/**
 * Finds the place of the edit. When the numbered line does not hold `find` and exactly one line does, that one is it.
 * The old line's indentation is kept where the new text has none and is more than a dedent.
 * @throws {@link PortholeError} `CONTENT_NOT_ONE_LINE`, `LINE_PAST_END`, `LINE_MISMATCH`
 */
export function resolveLineEdit(bytes: Uint8Array, edit: LineEdit): ResolvedEdit {
  const given = dropOneEnding(edit.content);
  if (/[\r\n]/.test(given)) {
    throw new PortholeError('CONTENT_NOT_ONE_LINE', `content for line ${edit.line} must be one line; nothing changed`);
  }
  const numbered = lineAt(bytes, edit.line);
  if (numbered === undefined) throw pastEnd(bytes, edit.line);
  const { line, place } = reconcile(bytes, edit, numbered);
  const content = encodeUtf8(line === 1 ? dropDoubleMark(bytes, given) : given);
  const indentation = keptIndentation(bytes.subarray(place.start, place.textEnd), content);
  return {
    splice: { start: place.start, end: place.textEnd, bytes: concatBytes([indentation, content]) },
    line,
    ...(line !== edit.line && { movedFrom: edit.line }),
    ...(indentation.length > 0 && { keptIndentation: new TextDecoder().decode(indentation) }),
  };
}

/** The text without its last line break, if it ends with one. */
export function dropOneEnding(text: string): string {
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

/** The numbered line, or the one line that holds `find`. */
function reconcile(bytes: Uint8Array, edit: LineEdit, numbered: ByteLine): { line: number; place: ByteLine } {
  const find = dropOneEnding(edit.find);
  const pattern = encodeUtf8(find);
  const text = bytes.subarray(numbered.start, numbered.textEnd);
  if (find === '' || findOccurrences(text, pattern).count > 0) return { line: edit.line, place: numbered };
  // A byte order mark is no part of line 1, so nothing is looked for in it.
  const elsewhere = findOccurrences(bytes.subarray(byteOrderMarkSize(bytes)), pattern);
  const line = elsewhere.lines[0];
  const place = line === undefined ? undefined : lineAt(bytes, line);
  if (line !== undefined && place !== undefined && elsewhere.lineCount === 1) return { line, place };
  const others =
    elsewhere.lineCount === 0
      ? renderNearestLine(bytes, find)
      : `; ${elsewhere.lineCount} other lines do (${renderLineNumbers(elsewhere)})`;
  const message = `line ${edit.line} does not contain ${quoteText(find)}; it is: ${quoteLine(text)}${others}`;
  throw new PortholeError('LINE_MISMATCH', message, { details: { lines: elsewhere.lines } });
}

/** The old line's leading blanks if they are to stand before the new text; empty otherwise. */
function keptIndentation(oldText: Uint8Array, content: Uint8Array): Uint8Array {
  const none = new Uint8Array();
  if (content.length === 0 || isBlank(content[0])) return none;
  // Texts that differ only in blanks at their ends are an indent, a dedent or trailing blanks on purpose.
  if (equalBytes(stripBlanks(oldText), stripBlanks(content))) return none;
  const end = oldText.findIndex((byte) => !isBlank(byte));
  return oldText.subarray(0, end === -1 ? oldText.length : end);
}

function stripBlanks(text: Uint8Array): Uint8Array {
  const start = text.findIndex((byte) => !isBlank(byte));
  return start === -1 ? text.subarray(0, 0) : text.subarray(start, text.findLastIndex((byte) => !isBlank(byte)) + 1);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09;
}

/** New text for line 1 of a file with a byte order mark may carry the mark; the file keeps its one. */
function dropDoubleMark(bytes: Uint8Array, content: string): string {
  return byteOrderMarkSize(bytes) > 0 && content.startsWith('\ufeff') ? content.slice(1) : content;
}

function pastEnd(bytes: Uint8Array, line: number): PortholeError {
  const count = countLines(bytes);
  const message = `no line ${line}: the file has ${count} ${count === 1 ? 'line' : 'lines'}`;
  return new PortholeError('LINE_PAST_END', message, { details: { lines: count } });
}
