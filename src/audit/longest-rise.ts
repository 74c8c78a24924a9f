/** Indexes of a longest strictly rising subsequence. */
export function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  // For each length, the index of the smallest number a rise of that length can end with.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, number] of numbers.entries()) {
    const length = firstNotBelow(ends, number, numbers);
    previous.push(ends[length - 1] ?? -1);
    ends[length] = index;
  }
  const rise = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) rise.add(index);
  return rise;
}

function firstNotBelow(ends: readonly number[], number: number, numbers: readonly number[]): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
