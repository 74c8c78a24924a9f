/** What is told when a run's clock stops and goes on. */
export interface ClockListener {
  readonly onPause: () => void;
  readonly onResume: () => void;
}

/** The clock of one run as its host sees it: it stands while a person is asked, since their time is not the program's. */
export class RunClock {
  #listener: ClockListener | undefined;
  #waits = 0;

  /** Stops the clock; the function returned lets it go on, and may be called again. */
  readonly pause = (): (() => void) => {
    if (this.#waits++ === 0) this.#listener?.onPause();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#waits === 0) this.#listener?.onResume();
    };
  };

  /** Connects the program that runs by it. */
  attach(listener: ClockListener): void {
    this.#listener = listener;
  }
}
