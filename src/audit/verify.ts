import type { Sha256Hex } from '../contract/powers.ts';
import { type ChainEvent, findChainBreaks, type LogProblem } from './chain-breaks.ts';
import { numberOf } from './details.ts';
import { chainStart, type ParsedLine, parseEventLine } from './event.ts';

/** One line of a log, oldest first; the lines of rotated files come before those of the current one. */
export interface LogLine {
  readonly file: string;
  /** From 1, within its file. */
  readonly number: number;
  /** Undefined when the bytes are not UTF-8. */
  readonly text: string | undefined;
  /** Without the line feed. */
  readonly bytes: number;
  /** False for what stands behind the last line feed. */
  readonly isWhole: boolean;
}

/** A line that a killed writer left behind: damage, not tampering. */
export interface TornLine {
  readonly file: string;
  readonly line: number;
  readonly bytes: number;
}

/** What can be said of a log. */
export interface Verification {
  readonly ok: boolean;
  /** Intact events. */
  readonly events: number;
  /** Hash of the last event; 64 zeros for an empty log. */
  readonly head: string;
  /** Number of the first event; above 1 when older files were rotated away. */
  readonly firstSeq: number;
  readonly problems: readonly LogProblem[];
  readonly torn: readonly TornLine[];
}

/** How a log is verified. */
export interface VerifyOptions {
  readonly sha256Hex: Sha256Hex;
  /** The head as it was noted elsewhere: the only thing that shows a cut tail or a log written anew. */
  readonly expectHead?: string;
}

/** Follows the chain and names every line that breaks it. */
export function verifyLog(lines: Iterable<LogLine>, { sha256Hex, expectHead }: VerifyOptions): Verification {
  const torn: TornLine[] = [];
  const problems: LogProblem[] = [];
  const events: ChainEvent[] = [];
  let unreadable = 0;
  let before: { line: LogLine; parsed: ParsedLine } | undefined;

  const take = (line: LogLine, parsed: ParsedLine, next: ParsedLine | undefined): void => {
    const place = { file: line.file, line: line.number };
    if (isTorn(line, next)) torn.push({ ...place, bytes: line.bytes });
    else if (parsed.event !== undefined) events.push({ ...place, event: parsed.event, unreadableBefore: unreadable });
    else problems.push(describeLine(place, parsed));
    if (parsed.event !== undefined) unreadable = 0;
    else if (!isTorn(line, next)) unreadable++;
  };

  for (const line of lines) {
    const parsed: ParsedLine = line.text === undefined ? { problem: 'not JSON' } : parseEventLine(line.text, sha256Hex);
    if (before !== undefined) take(before.line, before.parsed, parsed);
    before = { line, parsed };
  }
  if (before !== undefined) take(before.line, before.parsed, undefined);

  problems.push(...findChainBreaks(events));
  const head = events.at(-1)?.event.hash ?? chainStart;
  if (expectHead !== undefined && expectHead.toLowerCase() !== head) {
    const message = `the log ends with ${head}, not with the expected head: its tail was cut off, or all was written anew`;
    problems.push({ kind: 'head', file: before?.line.file ?? '', line: before?.line.number ?? 0, message });
  }
  const firstSeq = events[0]?.event.seq ?? 0;
  return { ok: problems.length === 0, events: events.length, head, firstSeq, problems, torn };
}

// Torn is the unfinished end of the log, or a line which the writer that came next found unfinished and said so.
function isTorn(line: LogLine, next: ParsedLine | undefined): boolean {
  if (!line.isWhole) return true;
  const event = next?.event;
  return event?.kind === 'log.recovered' && numberOf(event.details, 'tornBytes') === line.bytes;
}

function describeLine(place: { file: string; line: number }, parsed: ParsedLine): LogProblem {
  if (parsed.problem !== 'altered') return { kind: 'unreadable', ...place, message: `it is ${parsed.problem}` };
  return {
    kind: 'altered',
    ...place,
    message: `event ${parsed.seq}: what it holds is not what its hash was made over`,
  };
}
