import { createControlByteSearch } from './control-bytes.ts';

/** Line feed, one of the two bytes that end a line. */
export const LF = 0x0a;

/** Carriage return: ends a line alone, or as one ending together with a following line feed. */
export const CR = 0x0d;

/** The three endings a line may have. */
export type LineEnding = '\n' | '\r\n' | '\r';

/** One line as byte offsets: its text is `[start, textEnd)`, its own ending `[textEnd, end)`, empty at the end of a file. */
export interface ByteLine {
  readonly start: number;
  readonly textEnd: number;
  readonly end: number;
}

/**
 * The lines of a whole file, in order. Only `\n`, `\r\n` and a lone `\r` end a line; a byte order mark at the start
 * belongs to no line. The mark and all lines joined are the file again.
 */
export function* eachLine(bytes: Uint8Array): Generator<ByteLine, void, undefined> {
  let start = byteOrderMarkSize(bytes);
  while (start < bytes.length) {
    const textEnd = findTextEnd(bytes, start);
    const end = findLineEnd(bytes, textEnd);
    yield { start, textEnd, end };
    start = end;
  }
}

/** Size of the UTF-8 byte order mark at the start of the file: 3, or 0 without one. */
export function byteOrderMarkSize(bytes: Uint8Array): number {
  return byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
}

/** Where the text of the line that goes on at `from` ends: at its ending, or at the end of the bytes. */
export function findTextEnd(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && bytes[index] !== LF && bytes[index] !== CR) index++;
  return index;
}

/** Where the next line starts, given where the text of this one ends. */
export function findLineEnd(bytes: Uint8Array, textEnd: number): number {
  if (textEnd >= bytes.length) return textEnd;
  return bytes[textEnd] === CR && bytes[textEnd + 1] === LF ? textEnd + 2 : textEnd + 1;
}

/** How many lines the file has: `a\nb` and `a\nb\n` both have two, an empty file none. */
export function countLines(bytes: Uint8Array): number {
  const last = bytes[bytes.length - 1];
  const hasOpenLine = bytes.length > byteOrderMarkSize(bytes) && last !== LF && last !== CR;
  return countLineBreaks(bytes) + (hasOpenLine ? 1 : 0);
}

/** How many endings there are in a range of the file; `\r\n` is one, and a range is not to start or stop inside it. */
export function countLineBreaks(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const find = createControlByteSearch(bytes);
  let count = 0;
  for (let index = find(start, end); index < end; index = find(index + 1, end)) {
    const byte = bytes[index];
    if (byte === CR || (byte === LF && (index === start || bytes[index - 1] !== CR))) count++;
  }
  return count;
}

/** Where the line begins that comes that many lines after the one that begins at `from`; the end if there is none. */
export function passLines(bytes: Uint8Array, from: number, lines: number): number {
  const find = createControlByteSearch(bytes);
  let start = from;
  for (let left = lines; left > 0 && start < bytes.length; left--) {
    let textEnd = find(start, bytes.length);
    while (textEnd < bytes.length && bytes[textEnd] !== LF && bytes[textEnd] !== CR) {
      textEnd = find(textEnd + 1, bytes.length);
    }
    start = findLineEnd(bytes, textEnd);
  }
  return start;
}

/** The line of that number, from 1; nothing past the end. */
export function lineAt(bytes: Uint8Array, line: number): ByteLine | undefined {
  if (line < 1) return undefined;
  const start = passLines(bytes, byteOrderMarkSize(bytes), line - 1);
  if (start >= bytes.length) return undefined;
  const textEnd = findTextEnd(bytes, start);
  return { start, textEnd, end: findLineEnd(bytes, textEnd) };
}

/** What most lines end with; ties go to `\n`, then `\r\n`; `\n` where no line has an ending. */
export function dominantEnding(bytes: Uint8Array): LineEnding {
  const find = createControlByteSearch(bytes);
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  for (let index = find(0, bytes.length); index < bytes.length; index = find(index + 1, bytes.length)) {
    if (bytes[index] === LF) lf++;
    else if (bytes[index] === CR && bytes[index + 1] !== LF) cr++;
    else if (bytes[index] === CR) {
      crlf++;
      index++;
    }
  }
  if (lf >= crlf && lf >= cr) return '\n';
  return crlf >= cr ? '\r\n' : '\r';
}

/** Finds lines in a file that arrives in chunks; the lines are the same for every way to cut it. */
export interface LineScanner {
  /** Takes the next chunk; answers the lines known to be complete now, offsets counted from the start of the file. */
  readonly push: (chunk: Uint8Array) => readonly ByteLine[];
  /** Says that the file ends here; answers the last line if it is still open. */
  readonly finish: () => readonly ByteLine[];
}

/** A scanner at the start of a file. */
export function createLineScanner(): LineScanner {
  let read = 0;
  let lineStart = 0;
  let markMatches = true;
  let endsWithCr = false;

  function passByteOrderMark(chunk: Uint8Array): void {
    for (let index = 0; markMatches && read + index < byteOrderMark.length && index < chunk.length; index++) {
      markMatches = chunk[index] === byteOrderMark[read + index];
      if (markMatches && read + index === byteOrderMark.length - 1) lineStart = byteOrderMark.length;
    }
  }

  function takeLine(textEnd: number, end: number): ByteLine {
    const line = { start: lineStart, textEnd, end };
    lineStart = end;
    return line;
  }

  return {
    push(chunk) {
      const lines: ByteLine[] = [];
      if (chunk.length === 0) return lines;
      let index = 0;
      if (endsWithCr) {
        index = chunk[0] === LF ? 1 : 0;
        lines.push(takeLine(read - 1, read + index));
      }
      passByteOrderMark(chunk);
      for (;;) {
        const textEnd = findTextEnd(chunk, index);
        index = findLineEnd(chunk, textEnd);
        // A final carriage return waits: the next chunk may begin with its line feed.
        endsWithCr = chunk[textEnd] === CR && textEnd + 1 === chunk.length;
        if (textEnd === chunk.length || endsWithCr) break;
        lines.push(takeLine(read + textEnd, read + index));
      }
      read += chunk.length;
      return lines;
    },
    finish() {
      return lineStart < read ? [takeLine(endsWithCr ? read - 1 : read, read)] : [];
    },
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;
