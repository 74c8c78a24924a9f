import { CR, countLineBreaks, LF } from './byte-lines.ts';
import { pickLandmarks, skipToLandmarks } from './text-landmarks.ts';

/** Where a text occurs in a file. */
export interface Occurrences {
  /** How often, overlapping ones included: `aa` occurs twice in `aaa`. */
  readonly count: number;
  /** The first one, as byte offsets. */
  readonly first?: { readonly start: number; readonly end: number };
  /** Numbers of the first lines on which one begins, each once, at most {@link maxListedLines}. */
  readonly lines: readonly number[];
  /** On how many lines one begins. */
  readonly lineCount: number;
}

/** As many line numbers as help to find a duplicate; more would only be noise. */
export const maxListedLines = 5;

/**
 * Counts a text in a file, bytes against bytes. A line break in it, in any form, stands for one whole ending of any
 * form, so no match begins or ends inside `\r\n`. Time is linear in the file, whatever the two hold.
 */
export function findOccurrences(bytes: Uint8Array, find: Uint8Array): Occurrences {
  const pattern = withSimpleBreaks(find);
  const breaksInPattern = countLineBreaks(pattern);
  const lines: number[] = [];
  let first: Occurrences['first'];
  let count = 0;
  let lineCount = 0;
  let lastLine = 0;
  let breaks = 0;
  let counted = 0;
  for (const end of eachMatchEnd(bytes, pattern)) {
    count++;
    first ??= { start: stepBack(bytes, end, pattern.length), end };
    breaks += countLineBreaks(bytes, counted, end);
    counted = end;
    const line = 1 + breaks - breaksInPattern;
    if (line === lastLine) continue;
    lastLine = line;
    lineCount++;
    if (lines.length < maxListedLines) lines.push(line);
  }
  return { count, lines, lineCount, ...(first && { first }) };
}

/** Where each match ends, overlapping ones included: Knuth, Morris and Pratt, with a jump where nothing is open. */
function* eachMatchEnd(bytes: Uint8Array, pattern: Uint8Array): Generator<number, void, undefined> {
  const landmarks = pickLandmarks(pattern);
  let index = skipToLandmarks(bytes, landmarks, 0);
  const fallback = index === -1 ? new Int32Array() : fallbackTable(pattern);
  let matched = 0;
  while (index !== -1 && index < bytes.length) {
    let symbol = bytes[index++];
    if (symbol === CR) {
      symbol = LF;
      if (bytes[index] === LF) index++;
    }
    while (matched > 0 && pattern[matched] !== symbol) matched = fallback[matched - 1] ?? 0;
    if (pattern[matched] === symbol) matched++;
    if (matched < pattern.length) continue;
    yield index;
    matched = fallback[matched - 1] ?? 0;
    if (matched === 0) index = skipToLandmarks(bytes, landmarks, index);
  }
}

/** The text with every ending written as one `\n`: then one byte is one symbol to compare. */
function withSimpleBreaks(text: Uint8Array): Uint8Array {
  if (!text.includes(CR)) return text;
  const simple = text.filter((byte, index) => byte !== LF || text[index - 1] !== CR);
  return simple.map((byte) => (byte === CR ? LF : byte));
}

/** For every length matched so far, the longest shorter beginning that still matches when the next symbol does not. */
function fallbackTable(pattern: Uint8Array): Int32Array {
  const table = new Int32Array(pattern.length);
  let matched = 0;
  for (let index = 1; index < pattern.length; index++) {
    while (matched > 0 && pattern[index] !== pattern[matched]) matched = table[matched - 1] ?? 0;
    if (pattern[index] === pattern[matched]) matched++;
    table[index] = matched;
  }
  return table;
}

function stepBack(bytes: Uint8Array, end: number, symbols: number): number {
  let index = end;
  for (let step = 0; step < symbols; step++) index -= bytes[index - 1] === LF && bytes[index - 2] === CR ? 2 : 1;
  return index;
}
