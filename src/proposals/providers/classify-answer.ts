import type { ErrorCode } from '../../contract/errors.ts';
import { renderVisibleLine } from '../../text/visible-text.ts';
import type { Exchange } from './exchange.ts';
import { fieldOf, textField } from './json-fields.ts';
import { readRetryAfter } from './retry-delay.ts';

/** What is to be done about the end of one request. */
export type Classified =
  | { readonly kind: 'body'; readonly body: unknown }
  | ({ readonly kind: 'again'; readonly retryAfterMs: number | undefined } & Failure)
  | ({ readonly kind: 'failed' } & Failure)
  /** The endpoint does not know the way it is held to the schema. */
  | ({ readonly kind: 'unsupported' } & Failure);

/** A failure in words. */
export interface Failure {
  readonly code: ErrorCode;
  readonly what: string;
  readonly hint?: string;
  readonly status?: number;
}

/** Tells a body of the protocol from a failure, and one that may pass from one that will not. */
export function classifyExchange(ended: Exchange, { now, timeoutMs }: { now: number; timeoutMs: number }): Classified {
  switch (ended.kind) {
    case 'broken':
      return { kind: 'again', retryAfterMs: undefined, code: 'PROVIDER_UNREACHABLE', what: ended.what };
    case 'timeout':
      return { kind: 'failed', code: 'PROVIDER_TIMEOUT', what: `no whole answer came within ${timeoutMs} ms` };
    case 'oversized':
      return { kind: 'failed', code: 'PROVIDER_INVALID', what: 'the answer is larger than 16 MiB' };
    case 'answered':
      return classifyAnswer(ended, now);
  }
}

type Answered = Extract<Exchange, { kind: 'answered' }>;

function classifyAnswer(answer: Answered, now: number): Classified {
  const { status, text, headers } = answer;
  const body = parseBody(text);
  if (status >= 200 && status < 300) return classifyBody(answer, body, now);
  if (status >= 300 && status < 400) {
    const what = `it answered with a redirect (status ${status})`;
    const hint = 'Redirects are not followed, so that the key stays where it belongs: write the right baseUrl.';
    return { kind: 'failed', code: 'PROVIDER_INVALID', what, hint, status };
  }
  return classifyStatus(status, { said: saidIn(body, answer), retryAfterMs: readRetryAfter(headers, now) });
}

function classifyBody(answer: Answered, body: Parsed, now: number): Classified {
  if (!body.ok) return classifyUnreadable(answer);
  // Gateways pass on the failures of what is behind them with status 200.
  const error = fieldOf(body.value, 'error');
  if (error === undefined || error === null) return { kind: 'body', body: body.value };
  const retryAfterMs = readRetryAfter(answer.headers, now);
  return classifyStatus(statusOfError(error), { said: saidIn(body, answer), retryAfterMs });
}

function classifyUnreadable({ text, headers, status }: Answered): Classified {
  if (text.trim() === '') return { kind: 'failed', code: 'PROVIDER_EMPTY', what: 'the body is empty', status };
  // It begins as JSON does, so the rest was lost on the way.
  if (/^\s*[{[]/.test(text)) {
    return {
      kind: 'again',
      retryAfterMs: undefined,
      code: 'PROVIDER_UNREACHABLE',
      what: 'the body is cut off',
      status,
    };
  }
  const type = renderVisibleLine(headers.get('content-type') ?? 'no content type').slice(0, 80);
  const hint = 'Something else answers there: a proxy, a login page, a stream. Check baseUrl.';
  return { kind: 'failed', code: 'PROVIDER_INVALID', what: `it answered with ${type} instead of JSON`, hint, status };
}

// Lost requests, conflicts, limits and failures of the server's own may pass; whatever else is wrong stays wrong.
function classifyStatus(
  status: number,
  { said, retryAfterMs }: { said: string; retryAfterMs: number | undefined },
): Classified {
  const what = `status ${status}${said === '' ? '' : `: ${said}`}`;
  if (status === 429) return { kind: 'again', retryAfterMs, code: 'PROVIDER_RATE_LIMITED', what, status };
  if (status === 408) return { kind: 'again', retryAfterMs, code: 'PROVIDER_TIMEOUT', what, status };
  if (status === 409 || status >= 500)
    return { kind: 'again', retryAfterMs, code: 'PROVIDER_UNREACHABLE', what, status };
  if (status === 401 || status === 403) return { kind: 'failed', code: 'PROVIDER_AUTH', what, status };
  if (isFiltered(said)) return { kind: 'failed', code: 'PROVIDER_REFUSED', what, status };
  if ((status === 400 || status === 422) && isAboutFormat(said)) {
    return { kind: 'unsupported', code: 'PROVIDER_INVALID', what, status };
  }
  return { kind: 'failed', code: 'PROVIDER_INVALID', what, status, ...(hintFor(status) ?? {}) };
}

function hintFor(status: number): { hint: string } | undefined {
  if (status === 404) return { hint: 'Check baseUrl and model: one of them is not there.' };
  if (status === 413) return { hint: 'Give less evidence or fewer files.' };
  return undefined;
}

function isFiltered(said: string): boolean {
  return /content_filter|content management policy|responsibleaipolicy/i.test(said);
}

// Only what names the form of the answer: another bad request would be as bad in another form.
function isAboutFormat(said: string): boolean {
  return /response_format|json_schema|json schema|json_object|structured[ _]output|tool_choice|\btools?\b|function|strict|grammar/i.test(
    said,
  );
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

function parseBody(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

// Both protocols name kinds of errors; gateways give the status as a number.
const statusOfKind: Readonly<Record<string, number>> = {
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function statusOfError(error: unknown): number {
  const number = [fieldOf(error, 'code'), fieldOf(error, 'status')]
    .map(Number)
    .find((code) => code >= 400 && code < 600);
  const kind = [textField(error, 'type'), textField(error, 'code')].find((name) => Object.hasOwn(statusOfKind, name));
  return number ?? (kind === undefined ? 400 : (statusOfKind[kind] ?? 400));
}

// Long enough for a sentence; what a stranger's server says is shown, not trusted.
const maxSaidLength = 300;

function saidIn(body: Parsed, { headers }: Answered): string {
  if (!body.ok) return renderVisibleLine(headers.get('content-type') ?? '').slice(0, 80);
  const error = fieldOf(body.value, 'error');
  const parts = [
    ...['type', 'code', 'param'].map((name) => textField(error, name)),
    typeof error === 'string' ? error : textField(error, 'message'),
    textField(body.value, 'message'),
    textField(body.value, 'detail') || JSON.stringify(fieldOf(body.value, 'detail') ?? ''),
  ].filter((part) => part !== '' && part !== '""');
  return renderVisibleLine(parts.join(' ')).slice(0, maxSaidLength);
}
