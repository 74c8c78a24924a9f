import type { LineChange } from './line-change.ts';

// Memory for one gap grows with the square of this number: 400 steps keep 640 KB. A gap with more is replaced whole.
const maxSteps = 400;

/** Both texts, each line as a number, and how many comparisons may still be made. */
export interface NamedLines {
  readonly oldLines: Int32Array;
  readonly newLines: Int32Array;
  readonly effort: { left: number };
}

/**
 * The fewest single-line insertions and deletions that turn the old lines of the gap into its new lines (Myers'
 * greedy algorithm); the whole gap as one change when that takes too many steps or comparisons.
 */
export function shortestChanges({ oldLines, newLines, effort }: NamedLines, gap: LineChange): readonly LineChange[] {
  const oldCount = gap.oldEnd - gap.oldStart;
  const newCount = gap.newEnd - gap.newStart;
  const rows: Int32Array[] = [];
  // At `middle + d` stands the furthest old line reached on diagonal d = old line - new line.
  const middle = maxSteps + 1;
  const furthest = new Int32Array(2 * middle + 1);
  for (let steps = 0; steps <= maxSteps && effort.left > 0; steps++) {
    rows.push(furthest.slice(middle - steps, middle + steps + 1));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const start = startOf(furthest, middle, { diagonal, steps });
      let x = start;
      while (
        x < oldCount &&
        x - diagonal < newCount &&
        oldLines[gap.oldStart + x] === newLines[gap.newStart + x - diagonal]
      ) {
        x++;
      }
      effort.left -= 1 + x - start;
      furthest[middle + diagonal] = x;
      if (x >= oldCount && x - diagonal >= newCount) return traceBack(rows, gap);
    }
  }
  return [gap];
}

interface Step {
  readonly diagonal: number;
  readonly steps: number;
}

/** Where a path of that many steps enters the diagonal: by an insertion from above it, or a deletion from below. */
function startOf(furthest: Int32Array, middle: number, step: Step): number {
  if (step.steps === 0) return 0;
  return isInsertion(furthest, middle, step)
    ? (furthest[middle + step.diagonal + 1] ?? 0)
    : (furthest[middle + step.diagonal - 1] ?? 0) + 1;
}

function isInsertion(furthest: Int32Array, middle: number, { diagonal, steps }: Step): boolean {
  if (diagonal === -steps || diagonal === steps) return diagonal === -steps;
  return (furthest[middle + diagonal - 1] ?? 0) < (furthest[middle + diagonal + 1] ?? 0);
}

function traceBack(rows: readonly Int32Array[], gap: LineChange): readonly LineChange[] {
  const changes: LineChange[] = [];
  let x = gap.oldEnd - gap.oldStart;
  let y = gap.newEnd - gap.newStart;
  for (let steps = rows.length - 1; steps > 0; steps--) {
    // The row was saved before its steps were made, cut so that diagonal 0 is at index `steps`.
    const row = rows[steps] ?? new Int32Array();
    const diagonal = x - y;
    const insertion = isInsertion(row, steps, { diagonal, steps });
    const from = insertion ? diagonal + 1 : diagonal - 1;
    x = row[steps + from] ?? 0;
    y = x - from;
    const oldStart = gap.oldStart + x;
    const newStart = gap.newStart + y;
    const oldEnd = insertion ? oldStart : oldStart + 1;
    changes.push({ oldStart, oldEnd, newStart, newEnd: insertion ? newStart + 1 : newStart });
  }
  return changes.reverse();
}
