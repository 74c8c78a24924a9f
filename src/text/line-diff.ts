import type { LineChange } from './line-change.ts';
import { longestRising, type Pair } from './longest-rising.ts';
import { shortestChanges } from './shortest-changes.ts';

// Anchors inside anchors get rarer with every level; past this depth they are not worth looking for.
const maxDepth = 24;

// Comparisons allowed for each line of both texts: ordinary diffs take a handful, and none may take minutes.
const effortPerLine = 40;

/**
 * What changed between two lists of lines, in order, with at least one equal line between two changes. Never wrong,
 * usually short: lines that are unique on both sides anchor it (patience diff), the gaps are compared exactly up to a
 * fixed effort, and beyond that a gap counts as replaced whole. So the time stays near linear for any input.
 */
export function diffLines(oldLines: readonly string[], newLines: readonly string[]): readonly LineChange[] {
  const names = new Map<string, number>();
  const oldNames = nameLines(names, oldLines);
  const newNames = nameLines(names, newLines);
  const effort = { left: effortPerLine * (oldLines.length + newLines.length) };
  const changes: LineChange[] = [];
  // A stack with the first gap on top keeps the changes in order without recursion.
  const pending = [{ oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length, depth: 0 }];
  for (let gap = pending.pop(); gap !== undefined; gap = pending.pop()) {
    const rest = trimEqual(oldNames, newNames, gap);
    if (rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd) {
      changes.push(rest);
      continue;
    }
    const anchors = gap.depth < maxDepth ? findAnchors(oldNames, newNames, rest) : [];
    if (anchors.length === 0) {
      changes.push(...shortestChanges({ oldLines: oldNames, newLines: newNames, effort }, rest));
      continue;
    }
    for (const between of gapsBetween(anchors, rest)) pending.push({ ...between, depth: gap.depth + 1 });
  }
  return joinTouching(changes);
}

/** A number for each line, equal for equal lines: cheap to compare many times. */
function nameLines(names: Map<string, number>, lines: readonly string[]): Int32Array {
  return Int32Array.from(lines, (line) => {
    const name = names.get(line) ?? names.size;
    names.set(line, name);
    return name;
  });
}

function trimEqual(oldLines: Int32Array, newLines: Int32Array, gap: LineChange): LineChange {
  let { oldStart, oldEnd, newStart, newEnd } = gap;
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldStart] === newLines[newStart]) {
    oldStart++;
    newStart++;
  }
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

/** Lines that occur once on each side of the gap, as the longest chain that rises on both. */
function findAnchors(oldLines: Int32Array, newLines: Int32Array, gap: LineChange): readonly Pair[] {
  const inOld = uniqueLines(oldLines, gap.oldStart, gap.oldEnd);
  const inNew = uniqueLines(newLines, gap.newStart, gap.newEnd);
  const pairs: Pair[] = [];
  for (const [name, oldLine] of inOld) {
    const newLine = inNew.get(name);
    if (oldLine !== undefined && newLine !== undefined) pairs.push({ oldLine, newLine });
  }
  return longestRising(pairs);
}

/** Each line's place where it occurs once, `undefined` where it is repeated, in the order of the lines. */
function uniqueLines(lines: Int32Array, start: number, end: number): ReadonlyMap<number, number | undefined> {
  const places = new Map<number, number | undefined>();
  for (let index = start; index < end; index++) {
    const name = lines[index] ?? 0;
    places.set(name, places.has(name) ? undefined : index);
  }
  return places;
}

/** The gaps before, between and after the anchors, the last one first. */
function gapsBetween(anchors: readonly Pair[], gap: LineChange): readonly LineChange[] {
  let { oldStart, newStart } = gap;
  const gaps: LineChange[] = [];
  for (const { oldLine, newLine } of anchors) {
    gaps.push({ oldStart, oldEnd: oldLine, newStart, newEnd: newLine });
    oldStart = oldLine + 1;
    newStart = newLine + 1;
  }
  gaps.push({ oldStart, oldEnd: gap.oldEnd, newStart, newEnd: gap.newEnd });
  return gaps.reverse();
}

/** Drops empty changes and makes one of those with no equal line between them. */
function joinTouching(changes: readonly LineChange[]): readonly LineChange[] {
  const joined: LineChange[] = [];
  for (const change of changes) {
    if (change.oldStart === change.oldEnd && change.newStart === change.newEnd) continue;
    const last = joined.at(-1);
    if (last === undefined || last.oldEnd !== change.oldStart || last.newEnd !== change.newStart) joined.push(change);
    else joined[joined.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
  }
  return joined;
}
