/** A range of the original file, and the bytes that take its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The file with every splice done; all count in the original file, none overlaps another, any order. */
export function applySplices(before: Uint8Array, splices: readonly Splice[]): Uint8Array {
  const growth = splices.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0);
  const after = new Uint8Array(before.length + growth);
  let read = 0;
  let written = 0;
  for (const { start, end, bytes } of splices.toSorted(compareSplices)) {
    after.set(before.subarray(read, start), written);
    written += start - read;
    after.set(bytes, written);
    written += bytes.length;
    read = end;
  }
  after.set(before.subarray(read), written);
  return after;
}

/** Orders splices by their place; an empty one comes before what starts at the same place. */
export function compareSplices(one: Splice, other: Splice): number {
  return one.start - other.start || one.end - other.end;
}

/** Whether two splices claim a byte both, or both the same empty place; touching is no overlap. */
export function isOverlap(one: Splice, other: Splice): boolean {
  const isSamePlace = one.start === other.start && one.end === other.end;
  return isSamePlace || (one.start < other.end && other.start < one.end);
}
