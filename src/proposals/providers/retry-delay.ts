/** The longest a server may make a request wait; beyond it, whoever asked decides. */
export const maxRetryAfterMs = 60_000;

const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** How long to wait before the next request: what the server says, else twice as long each time, less a random part. */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  { random }: { readonly random: () => number },
): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const full = Math.min(firstDelayMs * 2 ** attempt, maxDelayMs);
  return Math.round(full * (1 - random() / 4));
}

/** What the headers say about coming back: seconds, a date, or milliseconds. Undefined where they say nothing usable. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return Math.ceil(Number(ms));
  const written = headers.get('retry-after')?.trim();
  if (written === undefined || written === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(written)) return Math.ceil(Number(written) * 1000);
  const date = Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
