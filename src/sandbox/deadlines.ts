/** Something that is to happen at an instant, unless it is cancelled before. */
export interface Deadline {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly onDue: () => void;
}

/**
 * Deadlines that one timer serves. A timer of its own for every run would cost more than a small run does; here a run
 * that ends in time costs two set operations, since its deadline lies behind the one the timer already waits for.
 */
export class Deadlines {
  readonly #monotonicMs: () => number;
  readonly #pending = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  add(deadline: Deadline): void {
    this.#pending.add(deadline);
    if (deadline.atMs < this.#timerAtMs) this.#wake(deadline.atMs);
  }

  cancel(deadline: Deadline): void {
    this.#pending.delete(deadline);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#pending.clear();
    clearTimeout(this.#timer);
    this.#timerAtMs = Number.POSITIVE_INFINITY;
  }

  // The timer keeps no process alive: the thread of the run does.
  #wake(atMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, Math.ceil(atMs - this.#monotonicMs()))).unref();
  }

  #fire(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#monotonicMs();
    for (const deadline of [...this.#pending]) {
      if (deadline.atMs > nowMs) continue;
      this.#pending.delete(deadline);
      deadline.onDue();
    }
    const next = Math.min(...[...this.#pending].map(({ atMs }) => atMs));
    if (next < this.#timerAtMs) this.#wake(next);
  }
}
