import { byteOrderMarkSize, CR, countLineBreaks, findLineEnd, findTextEnd, LF, passLines } from '../text/byte-lines.ts';
import { quoteLine } from '../text/shown-line.ts';
import { compareSplices, type Splice } from '../text/splices.ts';
import type { NowRead } from './edit-result.ts';

/** How many lines of the new text are shown; the rest is counted. */
export const maxShownLines = 3;

/** The lines of the new file that hold what the splices put there, in order, each line once. */
export function readNow(after: Uint8Array, splices: readonly Splice[]): readonly NowRead[] {
  return readLines(after, mergeRanges(findRanges(after, splices.toSorted(compareSplices))));
}

interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

function findRanges(after: Uint8Array, splices: readonly Splice[]): readonly LineRange[] {
  let counted = 0;
  let line = 1;
  let shift = 0;
  return splices.map(({ start, end, bytes }) => {
    const newStart = start + shift;
    line += countLineBreaks(after, counted, newStart);
    counted = newStart;
    shift += bytes.length - (end - start);
    const last = bytes.at(-1);
    // The ending that ends the new text belongs to the line it ends.
    const breaks = countLineBreaks(bytes) - (last === LF || last === CR ? 1 : 0);
    return { firstLine: line, lastLine: line + breaks };
  });
}

function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last === undefined || range.firstLine > last.lastLine) merged.push(range);
    else merged[merged.length - 1] = { ...last, lastLine: Math.max(last.lastLine, range.lastLine) };
  }
  return merged;
}

function readLines(after: Uint8Array, ranges: readonly LineRange[]): readonly NowRead[] {
  let start = byteOrderMarkSize(after);
  let line = 1;
  return ranges.map(({ firstLine, lastLine }) => {
    const lines: string[] = [];
    start = passLines(after, start, firstLine - line);
    line = firstLine;
    for (; line <= lastLine && start < after.length && lines.length < maxShownLines; line++) {
      const textEnd = findTextEnd(after, start);
      lines.push(quoteLine(after.subarray(start, textEnd)));
      start = findLineEnd(after, textEnd);
    }
    return { firstLine, lastLine, lines };
  });
}
