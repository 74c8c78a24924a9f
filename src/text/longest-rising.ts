/** One line of the old text and the equal line of the new text, counted from 0. */
export interface Pair {
  readonly oldLine: number;
  readonly newLine: number;
}

interface Link {
  readonly pair: Pair;
  readonly before: Link | undefined;
}

/** The longest chain of pairs, given in the order of `oldLine`, in which `newLine` rises too (patience sorting). */
export function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const piles: Link[] = [];
  for (const pair of pairs) {
    const pile = firstPileFrom(piles, pair.newLine);
    piles[pile] = { pair, before: piles[pile - 1] };
  }
  const chain: Pair[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) chain.push(link.pair);
  return chain.reverse();
}

function firstPileFrom(piles: readonly Link[], newLine: number): number {
  let low = 0;
  let high = piles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((piles[middle]?.pair.newLine ?? newLine) < newLine) low = middle + 1;
    else high = middle;
  }
  return low;
}
