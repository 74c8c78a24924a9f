import { PortholeError } from '../contract/errors.ts';
import { dominantEnding } from './byte-lines.ts';
import { findNearestLine } from './nearest-line.ts';
import { findOccurrences, maxListedLines, type Occurrences } from './occurrences.ts';
import type { ResolvedEdit } from './resolved-edit.ts';
import { quoteLine, quoteText } from './shown-line.ts';
import { encodeUtf8 } from './utf8.ts';

/** A replacement of a text that occurs exactly once. */
export interface TextEdit {
  readonly find: string;
  readonly content: string;
}

/**
 * Finds the place of the edit. A line break in `content` takes the ending most lines of the file have.
 * @throws {@link PortholeError} `FIND_EMPTY`, `FIND_NOT_FOUND`, `FIND_NOT_UNIQUE`
 */
export function resolveTextEdit(bytes: Uint8Array, edit: TextEdit): ResolvedEdit {
  if (edit.find === '') throw new PortholeError('FIND_EMPTY', 'find is empty: nothing names the text to replace');
  const find = encodeUtf8(edit.find);
  const { count, first, lines, lineCount } = findOccurrences(bytes, find);
  if (first === undefined) throw notFound(bytes, edit.find);
  if (count > 1) {
    const places = `${count} times (${renderLineNumbers({ lines, lineCount })})`;
    const message = `text to replace occurs ${places}, include more surrounding text: ${quoteText(edit.find)}`;
    throw new PortholeError('FIND_NOT_UNIQUE', message, { details: { count, lines } });
  }
  const content = encodeUtf8(withEndingsOf(bytes, edit.content));
  return { splice: { ...first, bytes: content }, line: lines[0] ?? 1 };
}

function withEndingsOf(bytes: Uint8Array, content: string): string {
  return /[\r\n]/.test(content) ? content.replaceAll(/\r\n|\r|\n/g, dominantEnding(bytes)) : content;
}

/** The lines of occurrences in words: `line 3`, `lines 3, 9`; an ellipsis stands for those that are not listed. */
export function renderLineNumbers({ lines, lineCount }: Pick<Occurrences, 'lines' | 'lineCount'>): string {
  return `${lineCount === 1 ? 'line' : 'lines'} ${lines.join(', ')}${lineCount > maxListedLines ? ', …' : ''}`;
}

/** The line that may have been meant, as the end of a sentence; empty without one. */
export function renderNearestLine(bytes: Uint8Array, find: string): string {
  const nearest = findNearestLine(bytes, encodeUtf8(find));
  if (nearest === undefined) return '';
  return `; the nearest is line ${nearest.line}: ${quoteLine(nearest.text, { escapeInvisible: true })}`;
}

function notFound(bytes: Uint8Array, find: string): PortholeError {
  const shown = quoteText(find, { escapeInvisible: true });
  return new PortholeError('FIND_NOT_FOUND', `text to replace not found: ${shown}${renderNearestLine(bytes, find)}`);
}
