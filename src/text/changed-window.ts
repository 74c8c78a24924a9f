import { LF } from './byte-lines.ts';
import { toByteString } from './byte-string.ts';
import { createControlByteSearch } from './control-bytes.ts';
import { countSameAtEnd, countSameAtStart } from './same-bytes.ts';

/** The part of two files around what differs, as lines that keep their LF; each character stands for one byte. */
export interface LineWindow {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** How many equal lines stand before the window. */
  readonly skippedLines: number;
}

/** Cuts equal beginnings and ends off two files, up to the given number of lines, so that a small change costs little. */
export function cutToChange(before: Uint8Array, after: Uint8Array, contextLines: number): LineWindow {
  const same = countSameAtStart(before, after);
  const sameAtEnd = countSameAtEnd(before.subarray(same), after.subarray(same));
  const start = stepBackLines(before, same, contextLines);
  // One line more than the context: the first one of the equal end may begin before it.
  const end = stepOnLines(before, before.length - sameAtEnd, contextLines + 1);
  return {
    oldLines: splitAtLineFeeds(before.subarray(start, end)),
    newLines: splitAtLineFeeds(after.subarray(start, after.length - (before.length - end))),
    skippedLines: countLineFeeds(before, start),
  };
}

/** Start of the line that holds the position, and then of that many lines before it. */
function stepBackLines(bytes: Uint8Array, position: number, lines: number): number {
  let index = position;
  for (let left = lines; index > 0; index--) {
    if (bytes[index - 1] === LF && left-- === 0) break;
  }
  return index;
}

/** End of that many lines from the position on, the one that holds it included. */
function stepOnLines(bytes: Uint8Array, position: number, lines: number): number {
  let index = position;
  for (let left = lines; left > 0 && index < bytes.length; index++) if (bytes[index] === LF) left--;
  return index;
}

function countLineFeeds(bytes: Uint8Array, end: number): number {
  const find = createControlByteSearch(bytes);
  let count = 0;
  for (let index = find(0, end); index < end; index = find(index + 1, end)) if (bytes[index] === LF) count++;
  return count;
}

function splitAtLineFeeds(bytes: Uint8Array): readonly string[] {
  const text = toByteString(bytes);
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}
