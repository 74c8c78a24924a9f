/** Waits for something unless the signal is raised; then nobody waits any more, and the reason to stop is thrown. */
export function orAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  reason: () => Error,
): Promise<Result> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(reason());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    work.then(resolve, reject).finally(stopListening);
  });
}
