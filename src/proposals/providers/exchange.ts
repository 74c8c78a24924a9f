import type { Endpoint } from './endpoint.ts';

/** How one request ended. */
export type Exchange =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Headers; readonly text: string }
  /** No whole answer came; the same request may do better. */
  | { readonly kind: 'broken'; readonly what: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'oversized' };

/** What one request needs. */
export interface ExchangeOptions {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

// A verdict has kilobytes, a document at most some megabytes; whoever sends more sends something else.
const maxAnswerBytes = 16 * 1024 * 1024;

/** Sends one request and takes its whole answer, or tells why not. @throws the signal's reason once it is raised */
export async function exchange(
  { url, headers, redact, hideKey }: Endpoint,
  body: string,
  { fetch, timeoutMs, signal }: ExchangeOptions,
): Promise<Exchange> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    // A redirect would carry the key to wherever it leads.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: stop.signal });
    const text = await readText(response);
    if (text === undefined) return { kind: 'oversized' };
    return { kind: 'answered', status: response.status, headers: response.headers, text: hideKey(text) };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return isLate ? { kind: 'timeout' } : { kind: 'broken', what: redact(reasonOf(error)) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // Ends what is still coming in: nobody reads it.
    stop.abort();
  }
}

async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

// "fetch failed" says nothing; what made it fail does.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return [code, cause.message].filter((part) => part !== '').join(': ') || error.message;
}
