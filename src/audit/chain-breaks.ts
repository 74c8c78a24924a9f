import type { AuditEvent } from '../contract/audit-event.ts';
import { chainStart } from './event.ts';
import { longestRise } from './longest-rise.ts';

/** What is wrong at a line. */
export interface LogProblem {
  readonly kind: 'altered' | 'unreadable' | 'removed' | 'reordered' | 'repeated' | 'resealed' | 'head';
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** An intact event, where it stands, and how many broken lines stand between it and the intact one before. */
export interface ChainEvent {
  readonly file: string;
  readonly line: number;
  readonly event: AuditEvent;
  readonly unreadableBefore: number;
}

/** Names where events that are intact by themselves do not follow one another. */
export function findChainBreaks(events: readonly ChainEvent[]): readonly LogProblem[] {
  // The fewest lines whose moving explains the order are the moved ones; the others make up the chain.
  const inOrder = longestRise(events.map(({ event }) => event.seq));
  const chain = events.filter((_, index) => inOrder.has(index));
  const moved = events.filter((_, index) => !inOrder.has(index));
  const seqs = new Set(chain.map(({ event }) => event.seq));
  const elsewhere = moved.map(({ event }) => event.seq).filter((seq) => !seqs.has(seq));
  const missing = [...new Set(elsewhere)].sort((one, other) => one - other);
  return [
    ...moved.map((entry) => describeMoved(entry, seqs)),
    ...describeStart(chain[0], missing),
    ...chain.flatMap((entry, index) => describeGap(chain[index - 1], entry, missing)),
    ...findResealed(chain),
  ];
}

function describeMoved({ file, line, event }: ChainEvent, seqs: ReadonlySet<number>): LogProblem {
  if (seqs.has(event.seq)) return { kind: 'repeated', file, line, message: `event ${event.seq} stands there twice` };
  return { kind: 'reordered', file, line, message: `event ${event.seq} is not where it was written` };
}

// A log that lost its oldest files begins with the event that opened a file; any other beginning lost lines.
function describeStart(first: ChainEvent | undefined, moved: readonly number[]): readonly LogProblem[] {
  if (first === undefined || first.event.kind === 'log.rotated') return [];
  const { file, line, event } = first;
  const lost = event.seq - 1 - first.unreadableBefore - countBetween(moved, 0, event.seq);
  if (lost > 0) return [describeRemoved(first, 0, lost)];
  if (event.seq !== 1 || event.prev === chainStart) return [];
  return [{ kind: 'resealed', file, line, message: 'the first event follows another one' }];
}

function describeGap(
  before: ChainEvent | undefined,
  entry: ChainEvent,
  moved: readonly number[],
): readonly LogProblem[] {
  if (before === undefined) return [];
  const [from, to] = [before.event.seq, entry.event.seq];
  const lost = to - from - 1 - entry.unreadableBefore - countBetween(moved, from, to);
  return lost > 0 ? [describeRemoved(entry, from, lost)] : [];
}

function describeRemoved({ file, line, event }: ChainEvent, from: number, lost: number): LogProblem {
  const what = lost === 1 ? 'an event is' : `${lost} events are`;
  const between = from === 0 ? `before event ${event.seq}` : `between events ${from} and ${event.seq}`;
  return { kind: 'removed', file, line, message: `${what} missing before this line, ${between}` };
}

function countBetween(rising: readonly number[], from: number, to: number): number {
  return Math.max(0, countBelow(rising, to) - countBelow(rising, from + 1));
}

function countBelow(rising: readonly number[], limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

// An event rewritten together with its hash no longer is what the next one follows. One that also breaks with the
// event before it is the rewritten one itself.
function findResealed(chain: readonly ChainEvent[]): readonly LogProblem[] {
  const problems: LogProblem[] = [];
  for (let index = 1; index < chain.length; index++) {
    if (isJoined(chain[index - 1], chain[index])) continue;
    const isOwn = index + 1 < chain.length && !isJoined(chain[index], chain[index + 1]);
    const culprit = chain[isOwn ? index++ : index - 1];
    if (culprit === undefined) continue;
    const { file, line, event } = culprit;
    problems.push({ kind: 'resealed', file, line, message: `event ${event.seq} was rewritten together with its hash` });
  }
  return problems;
}

function isJoined(before: ChainEvent | undefined, entry: ChainEvent | undefined): boolean {
  if (before === undefined || entry === undefined || entry.event.seq !== before.event.seq + 1) return true;
  return entry.event.prev === before.event.hash;
}
