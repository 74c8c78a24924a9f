/**
 * The known name that was probably meant, or nothing where none is close. Names may come from anybody: what comparing
 * them costs has an end, so long names are not compared, nor names behind many others.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  if (given.length > maxLength) return undefined;
  const wanted = given.toLowerCase();
  // A third of the letters may be wrong: enough for typing errors, too few for another word.
  let best = { name: undefined as string | undefined, distance: Math.max(2, Math.floor(given.length / 3)) + 1 };
  let compared = 0;
  for (const name of known) {
    if (++compared > maxCompared) break;
    // Each letter more or less is an error of its own.
    if (Math.abs(name.length - given.length) >= best.distance) continue;
    const distance = editDistance(wanted, name.toLowerCase(), best.distance);
    if (distance < best.distance) best = { name, distance };
  }
  return best.name;
}

// More than people mistype, and enough to help.
const maxLength = 64;
const maxCompared = 200;

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), as far as it is below a bound.
function editDistance(one: string, other: string, bound: number): number {
  const width = other.length + 1;
  // Row by row, each behind the one before.
  const distances = new Uint8Array((one.length + 1) * width);
  for (let column = 0; column < width; column++) distances[column] = column;
  let least = 0;
  for (let row = 1; row <= one.length; row++) {
    const leastBefore = least;
    least = row;
    const start = row * width;
    distances[start] = row;
    for (let column = 1; column < width; column++) {
      const here = start + column;
      const isSame = one.charCodeAt(row - 1) === other.charCodeAt(column - 1);
      let distance = Math.min(at(distances, here - width), at(distances, here - 1)) + 1;
      distance = Math.min(distance, at(distances, here - width - 1) + (isSame ? 0 : 1));
      const isSwap =
        row > 1 &&
        column > 1 &&
        one.charCodeAt(row - 1) === other.charCodeAt(column - 2) &&
        one.charCodeAt(row - 2) === other.charCodeAt(column - 1);
      if (isSwap) distance = Math.min(distance, at(distances, here - 2 * width - 2) + 1);
      distances[here] = distance;
      if (distance < least) least = distance;
    }
    // A swap looks two rows back.
    if (Math.min(least, leastBefore) >= bound) return bound;
  }
  return at(distances, one.length * width + other.length);
}

function at(distances: Uint8Array, index: number): number {
  return distances[index] ?? 0;
}
