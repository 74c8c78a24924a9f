import type { OpenedFile } from '../fs/port.ts';
import { byteOrderMarkSize, CR, findLineEnd, findTextEnd } from '../text/byte-lines.ts';

/** A place between two lines that is known both ways. */
export interface LinePosition {
  /** Lines before it. */
  readonly lines: number;
  readonly bytes: number;
}

/** Goes through the lines of an open file, holding little more than one of them. */
export interface LineReader {
  /** Passes over lines until so many lie behind; false if the file ends before a further one begins. */
  readonly skipTo: (lines: number) => boolean;
  /** The text of the line that begins here. */
  readonly peek: () => Uint8Array | 'end' | 'too long';
  /** Passes over the line that was looked at. */
  readonly next: () => void;
  readonly position: () => LinePosition;
  readonly isAtEnd: () => boolean;
  /** The bytes of the file from its first to the end, if they are all still held. */
  readonly everything: () => Uint8Array | null;
}

// Large enough to make calls cheap; a first page reads no more than one.
const chunkBytes = 64 * 1024;

/** A reader at a position that an earlier one reported, or at the start. */
export function createLineReader(file: OpenedFile, from: LinePosition, maxLineBytes: number): LineReader {
  let { lines, bytes: base } = from;
  // `held` are the file's bytes from `base`; the next line begins at `start` of them.
  let held: Uint8Array = new Uint8Array(0);
  let start = 0;
  let isComplete = false;
  let line = { textEnd: 0, end: 0 };
  grow();
  if (base === 0) start = byteOrderMarkSize(held);

  function grow(): void {
    // What was passed over is let go of. Doubling keeps the copying of a long line linear.
    const kept = held.subarray(start);
    const room = new Uint8Array(kept.length + Math.max(kept.length, chunkBytes));
    room.set(kept);
    let filled = kept.length;
    base += start;
    start = 0;
    while (filled < room.length) {
      const count = file.read(room.subarray(filled), base + filled);
      isComplete = count === 0;
      if (isComplete) break;
      filled += count;
    }
    held = room.subarray(0, filled);
  }

  // Where the line at `start` ends; reads on until that is known, or the line is longer than `most`.
  function findLine(most: number): boolean {
    let searched = start;
    for (;;) {
      const textEnd = findTextEnd(held, searched);
      // A final carriage return waits: the next chunk may begin with its line feed.
      const isKnown = textEnd < held.length && !(held[textEnd] === CR && textEnd + 1 === held.length);
      if (isKnown || isComplete) {
        line = { textEnd, end: findLineEnd(held, textEnd) };
        return true;
      }
      if (textEnd - start > most) return false;
      searched = textEnd - start;
      grow();
    }
  }

  function pass(): void {
    start = line.end;
    lines += 1;
  }

  // Lets go of the bytes of a line that nobody wants to see.
  function skipLongLine(): void {
    while (!findLine(0)) {
      // All but the last byte: it may be a carriage return whose line feed follows.
      start = held.length - 1;
      grow();
    }
  }

  function isAtEnd(): boolean {
    if (start === held.length && !isComplete) grow();
    return start === held.length;
  }

  return {
    skipTo: (wanted) => {
      while (lines < wanted && !isAtEnd()) {
        if (!findLine(chunkBytes)) skipLongLine();
        pass();
      }
      return !isAtEnd() && lines === wanted;
    },
    peek: () => {
      if (isAtEnd()) return 'end';
      return findLine(maxLineBytes) ? held.subarray(start, line.textEnd) : 'too long';
    },
    next: pass,
    position: () => ({ lines, bytes: base + start }),
    isAtEnd,
    everything: () => (base === 0 && isAtEnd() ? held : null),
  };
}
