import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestRise } from './longest-rise.ts';

describe('longestRise()', () => {
  it('finds a rise as long as the longest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 10 }), (numbers) => {
        const rise = [...longestRise(numbers)].sort((one, other) => one - other).map((index) => numbers[index] ?? -1);
        expect(rise.every((number, index) => index === 0 || (rise[index - 1] ?? 0) < number)).toBe(true);
        expect(rise.length).toBe(bestLength(numbers));
      }),
    );
  });
});

function bestLength(numbers: readonly number[], above = -1): number {
  const [first, ...rest] = numbers;
  if (first === undefined) return 0;
  const without = bestLength(rest, above);
  return first > above ? Math.max(without, 1 + bestLength(rest, first)) : without;
}
