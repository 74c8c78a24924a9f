import type { AuditEvent } from '../contract/audit-event.ts';
import type { Sha256Hex } from '../contract/powers.ts';
import { canonicalJson } from '../text/canonical-json.ts';

/** What the first event of a log follows. */
export const chainStart = '0'.repeat(64);

/** An event before it is chained. */
export type EventDraft = Omit<AuditEvent, 'hash'>;

/** An event's line, line feed included, and its hash. */
export interface SealedEvent {
  readonly line: string;
  readonly hash: string;
}

/** Seals an event: the hash over `prev` and the canonical event, then the canonical line that holds both. */
export function sealEvent(draft: EventDraft, sha256Hex: Sha256Hex): SealedEvent {
  // `hash` sorts between `details` and `id`, so the two halves serve the hash and the line, written once. The names are
  // in their order here already: every guest's read pays for this, and sorting them again would be half of it.
  const { call, details, id, kind, prev, run, seq, time, v } = draft;
  const head = `{${call === undefined ? '' : `"call":${canonicalJson(call)},`}"details":${canonicalJson(details)}`;
  const names = `"id":${canonicalJson(id)},"kind":${canonicalJson(kind)},"prev":"${prev}"`;
  const tail = `${names},"run":${canonicalJson(run)},"seq":${seq},"time":"${time}","v":${v}}`;
  const hash = sha256Hex(`${prev}${head},${tail}`);
  return { line: `${head},"hash":"${hash}",${tail}\n`, hash };
}

/** What is wrong with a line by itself, or the event it holds. */
export type ParsedLine =
  | { readonly event: AuditEvent; readonly problem?: undefined }
  | { readonly event?: undefined; readonly problem: 'not JSON' | 'not an event' | 'altered'; readonly seq?: number };

/** Reads one line and proves its hash. Fields and kinds of later versions are kept, not refused. */
export function parseEventLine(line: string, sha256Hex: Sha256Hex): ParsedLine {
  const value = parseJson(line);
  if (value === undefined) return { problem: 'not JSON' };
  if (!isEvent(value)) return { problem: 'not an event' };
  const { hash, ...rest } = value;
  // A line whose text is not what Porthole writes for its value has been touched: blanks, order, doubled names.
  if (line !== canonicalLine(value) || sha256Hex(value.prev + canonicalJson(rest)) !== hash) {
    return { problem: 'altered', seq: value.seq };
  }
  return { event: value };
}

function canonicalLine(event: AuditEvent): string | undefined {
  try {
    return canonicalJson(event);
  } catch {
    // A lone surrogate behind an escape: nothing Porthole writes.
    return undefined;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const hex64 = /^[0-9a-f]{64}$/;

function isEvent(value: unknown): value is AuditEvent {
  if (typeof value !== 'object' || value === null) return false;
  const event = value as Partial<Record<keyof AuditEvent, unknown>>; // every field is checked below
  return (
    typeof event.v === 'number' &&
    Number.isSafeInteger(event.seq) &&
    [event.id, event.time, event.run, event.kind].every((text) => typeof text === 'string') &&
    (event.call === undefined || typeof event.call === 'string') &&
    typeof event.details === 'object' &&
    event.details !== null &&
    [event.prev, event.hash].every((text) => typeof text === 'string' && hex64.test(text))
  );
}
