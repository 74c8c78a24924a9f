import type { RunLife } from '../calls/call-context.ts';

/**
 * The life of a run that is over when one of the signals is raised, or when it is ended. Few runs ever wait for anything,
 * so the signal is made when it is first looked at.
 */
export class OwnedRunLife implements RunLife {
  readonly #sources: readonly (AbortSignal | undefined)[];
  #controller: AbortController | undefined;
  #isEnded = false;
  #onAbort: (() => void) | undefined;

  constructor(sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources;
  }

  isOver(): boolean {
    return this.#isEnded || this.#sources.some((source) => source?.aborted === true);
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    if (this.isOver()) controller.abort();
    else this.#watch();
    return controller.signal;
  }

  /** Whatever the run still waits for is given up. May be called again. */
  end(): void {
    this.#isEnded = true;
    if (this.#controller === undefined) return;
    for (const source of this.#sources) if (this.#onAbort) source?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  #watch(): void {
    this.#onAbort = () => this.end();
    for (const source of this.#sources) source?.addEventListener('abort', this.#onAbort);
  }
}
