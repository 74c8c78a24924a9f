/** Orders texts as their UTF-8 bytes are ordered, which is by code point; `sort()` alone goes by UTF-16. */
export function compareByBytes(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let index = 0; index < shorter; index++) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

// Surrogates stand for what is above U+FFFF, so they come after the units U+E000 to U+FFFF that are numbered above them.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
