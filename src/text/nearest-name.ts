/** The known name that was probably meant, or nothing where none is close. */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  // A third of the letters may be wrong: enough for typing errors, too few for another word.
  let best = { name: undefined as string | undefined, distance: Math.max(2, Math.floor(given.length / 3)) + 1 };
  for (const name of known) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < best.distance) best = { name, distance };
  }
  return best.name;
}

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const choices = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      current.push(Math.min(...choices));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
