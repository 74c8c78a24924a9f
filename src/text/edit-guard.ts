import { Buffer } from 'node:buffer';
import { PortholeError } from '../contract/errors.ts';

// This file repeats small things that other files here know as well. That is its worth: it takes nothing from the code
// it judges but the bytes, so one mistake cannot be made on both sides.

/** What a call asked for, in its own words: a line by its number, or a text and the byte where it stands. */
export type NamedEdit =
  | { readonly kind: 'line'; readonly line: number; readonly content: string }
  | { readonly kind: 'text'; readonly at: number; readonly find: string; readonly content: string };

/**
 * Refuses a result that differs from the file in anything but what the edits name: every byte outside them the same,
 * endings included, and so a line edit's own; and exactly as many line breaks more or fewer as they add or remove.
 * @throws {@link PortholeError} `EDIT_GUARD`
 */
export function guardEdits(before: Uint8Array, after: Uint8Array, edits: readonly NamedEdit[]): void {
  const claims = claimPlaces(before, edits);
  const removed = claims.reduce((sum, { start, end }) => sum + breaksIn(before, start, end), 0);
  const added = claims.reduce((sum, { text }) => sum + breaksIn(text, 0, text.length), 0);
  const wanted = breaksIn(before, 0, before.length) - removed + added;
  const found = breaksIn(after, 0, after.length);
  const refuse = (reason: string): never => {
    throw refusal(1 + breaksIn(before, 0, claims[0]?.start ?? 0), reason);
  };
  if (found !== wanted) {
    refuse(
      `the file would have ${found} line ${found === 1 ? 'break' : 'breaks'}, not ${wanted}, more than the edit names`,
    );
  }
  let old = 0;
  let now = 0;
  for (const { start, end, text } of claims) {
    now = passSame(before.subarray(old, start), after, now) ?? refuse(elsewhere);
    now = passSame(text, after, now) ?? refuse(elsewhere);
    old = end;
  }
  if (passSame(before.subarray(old), after, now) !== after.length) refuse(elsewhere);
}

const elsewhere = 'bytes outside the edit, or other ones than it names, would change';

/** A place in the file that an edit names, and the text that is to stand there afterwards. */
interface Claim {
  readonly start: number;
  readonly end: number;
  readonly text: Uint8Array;
}

function claimPlaces(before: Uint8Array, edits: readonly NamedEdit[]): readonly Claim[] {
  const claims = edits.map((edit) => (edit.kind === 'line' ? claimLine(before, edit) : claimText(before, edit)));
  claims.sort((one, other) => one.start - other.start || one.end - other.end);
  for (const [index, claim] of claims.entries()) {
    const next = claims[index + 1];
    if (next !== undefined && next.start < claim.end) throw refusal(1, 'two edits claim the same bytes');
  }
  return claims;
}

function claimLine(before: Uint8Array, edit: NamedEdit & { kind: 'line' }): Claim {
  let start = hasMark(before) ? 3 : 0;
  // Without a CR in the file, what ends its lines can be searched for.
  const view = Buffer.from(before.buffer, before.byteOffset, before.length);
  const isPlain = !view.includes(13);
  for (let number = 1; number < edit.line && start < before.length; number++) {
    const searched = isPlain ? view.indexOf(10, start) : start;
    start = searched === -1 ? before.length : searched;
    while (start < before.length && before[start] !== 10 && before[start] !== 13) start++;
    start += breakSize(before, start);
  }
  if (start >= before.length) throw refusal(edit.line, 'the file has no such line');
  let end = start;
  while (end < before.length && breakSize(before, end) === 0) end++;
  // One ending after the text is allowed and means nothing; so does a mark where the file already has one.
  const withoutEnding = edit.content.endsWith('\r\n') ? edit.content.slice(0, -2) : edit.content.replace(/[\r\n]$/, '');
  const isMarkDouble = edit.line === 1 && hasMark(before) && withoutEnding.startsWith('\ufeff');
  const given = new TextEncoder().encode(isMarkDouble ? withoutEnding.slice(1) : withoutEnding);
  if (breaksIn(given, 0, given.length) > 0) throw refusal(edit.line, 'the new text is more than one line');
  return { start, end, text: withIndentation(before.subarray(start, end), given) };
}

/** The new text, behind the old line's leading blanks where it has none and says something else. */
function withIndentation(old: Uint8Array, given: Uint8Array): Uint8Array {
  const isBlank = (byte: number | undefined) => byte === 9 || byte === 32;
  const trimmed = (text: Uint8Array) => {
    const inner = [...text];
    while (isBlank(inner.at(-1))) inner.pop();
    return inner.slice(inner.findIndex((byte) => !isBlank(byte))).join();
  };
  if (given.length === 0 || isBlank(given[0]) || trimmed(old) === trimmed(given)) return given;
  let blanks = 0;
  while (isBlank(old[blanks])) blanks++;
  return Uint8Array.from([...old.subarray(0, blanks), ...given]);
}

function claimText(before: Uint8Array, edit: NamedEdit & { kind: 'text' }): Claim {
  const end = passText(new TextEncoder().encode(edit.find), before, edit.at);
  const splitsAnEnding = (at: number) => at > 0 && before[at - 1] === 13 && before[at] === 10;
  if (end === undefined || splitsAnEnding(edit.at) || splitsAnEnding(end)) {
    throw refusal(1 + breaksIn(before, 0, edit.at), 'the text does not stand where it is replaced');
  }
  const pieces = edit.content.split(/\r\n?|\n/);
  const content = pieces.length === 1 ? edit.content : pieces.join(usualEnding(before));
  return { start: edit.at, end, text: new TextEncoder().encode(content) };
}

/** What most lines end with; the first of LF, CRLF, CR when they are even. */
function usualEnding(bytes: Uint8Array): string {
  const { feeds, returns, pairs } = countEnds(bytes, 0, bytes.length);
  const most = Math.max(feeds - pairs, pairs, returns - pairs);
  if (feeds - pairs === most) return '\n';
  return pairs === most ? '\r\n' : '\r';
}

/** Where the text that stands at `from` ends; a line break in it stands for any ending. */
function passText(text: Uint8Array, bytes: Uint8Array, from: number): number | undefined {
  let index = 0;
  let at = from;
  while (index < text.length) {
    const wanted = breakSize(text, index);
    const found = breakSize(bytes, at);
    if (wanted > 0 ? found === 0 : text[index] !== bytes[at]) return undefined;
    index += wanted || 1;
    at += found || 1;
  }
  return at;
}

function passSame(wanted: Uint8Array, bytes: Uint8Array, from: number): number | undefined {
  const end = from + wanted.length;
  return Buffer.compare(wanted, bytes.subarray(from, end)) === 0 ? end : undefined;
}

function breaksIn(bytes: Uint8Array, start: number, end: number): number {
  const { feeds, returns, pairs } = countEnds(bytes, start, end);
  return feeds + returns - pairs;
}

/** How many LF, CR, and CR followed by LF there are. */
function countEnds(bytes: Uint8Array, start: number, end: number) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  let pairs = 0;
  const returns = countOf(view, 13, (at) => {
    if (view[at + 1] === 10) pairs++;
  });
  return { feeds: countOf(view, 10), returns, pairs };
}

// A short line is passed sooner byte by byte, a long one by a search.
const nearBytes = 16;

function countOf(view: Buffer, wanted: number, onFound?: (at: number) => void): number {
  let count = 0;
  for (let at = 0; at < view.length; at++) {
    const near = Math.min(at + nearBytes, view.length);
    while (at < near && view[at] !== wanted) at++;
    if (at === near) at = view.indexOf(wanted, at);
    if (at === -1) return count;
    count++;
    onFound?.(at);
  }
  return count;
}

function breakSize(bytes: Uint8Array, at: number): 0 | 1 | 2 {
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? 2 : 1;
  return bytes[at] === 10 ? 1 : 0;
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function refusal(line: number, reason: string): PortholeError {
  return new PortholeError('EDIT_GUARD', `edit at line ${line} refused: ${reason}; nothing changed`);
}
