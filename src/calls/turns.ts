/** Keeps calls on one place from overlapping, while calls on different places go on. One per root. */
export interface Turns {
  /** Takes the turn for a place, or nothing when somebody has it. */
  readonly tryTake: (key: string) => Turn | undefined;
  /** Settles once nobody has the turn any more, or the signal is raised; somebody else may take it first. */
  readonly whenFree: (key: string, signal?: AbortSignal) => Promise<void>;
}

/** The right to act on a place until it is released. */
export interface Turn {
  readonly release: () => void;
}

/** Creates the turns of a root. */
export function createTurns(): Turns {
  const taken = new Map<string, (() => void)[]>();
  return {
    tryTake: (key) => {
      if (taken.has(key)) return undefined;
      const waiting: (() => void)[] = [];
      taken.set(key, waiting);
      return {
        release: () => {
          if (taken.get(key) !== waiting) return;
          taken.delete(key);
          // All of them wake in the order they came; the first to run takes the turn and the others wait on.
          for (const wake of waiting) wake();
        },
      };
    },
    whenFree: (key, signal) => {
      const waiting = taken.get(key);
      if (waiting === undefined || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        waiting.push(wake);
        signal?.addEventListener('abort', wake);
      });
    },
  };
}
