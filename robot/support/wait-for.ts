// Far above what anything waited for takes, also on a busy machine.
const ceilingMs = 30_000;
const pollMs = 2;

/** Waits until something can be seen. @throws Error when it does not come */
export async function waitFor(what: string, isThere: () => boolean): Promise<void> {
  const end = performance.now() + ceilingMs;
  while (!isThere()) {
    if (performance.now() > end) throw new Error(`waited ${ceilingMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
