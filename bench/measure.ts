/** One side of a comparison. */
export interface Contender {
  readonly name: string;
  /** Does the work and checks what came out of it. */
  readonly work: () => unknown;
  /** Measurements in a row when its turn comes. Default: 1. */
  readonly turn?: number;
  /** How many operations one call of `work` holds; what is reported is the time of one. Default: 1. */
  readonly operations?: number;
}

/** How often the contenders take turns. */
export interface Turns {
  readonly rounds: number;
  /** Rounds before the first that counts: lazy compilation, caches. */
  readonly warmUp: number;
}

/**
 * Lets the contenders take turns, so that whatever else the machine does meets all of them alike.
 * Returns the median time of one operation of each, milliseconds, in their order.
 */
export async function alternate(contenders: readonly Contender[], { rounds, warmUp }: Turns): Promise<number[]> {
  const times = contenders.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [index, { work, turn = 1, operations = 1 }] of contenders.entries()) {
      for (let count = 0; count < turn; count += 1) {
        const took = await timeOf(work);
        if (round >= 0) times[index]?.push(took / operations);
      }
    }
  }
  return times.map(median);
}

/** Milliseconds that `work` takes, what it returns awaited. */
export async function timeOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  const result = work();
  // Not awaiting what is no promise keeps a microtask out of synchronous work.
  if (result instanceof Promise) await result;
  return performance.now() - startedAt;
}

/** The middle of the values; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** A benchmark of something that does not work measures nothing. */
export function mustEqual(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) {
    throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)?.slice(0, 400)}`);
  }
}
