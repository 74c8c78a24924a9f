import type { TextPosition } from '../text/char-window.ts';

/** Remembers where windows of recent files ended, so that walking a file forward reads it once and not n times. */
export interface WindowCursors {
  /** The furthest known position that is not behind `offset`. */
  readonly nearest: (identity: string, offset: number) => TextPosition;
  readonly remember: (identity: string, position: TextPosition) => void;
  readonly forget: (identity: string) => void;
}

// Enough for a run that compares a few files; the memory is a few kilobytes.
const maxFiles = 16;
// Several walkers of one file, and some jumping back.
const maxPositions = 32;

const origin: TextPosition = { chars: 0, bytes: 0 };

/** Makes an empty memory. The identity of a file changes with its content, so stale positions are never asked for. */
export function createWindowCursors(): WindowCursors {
  const files = new Map<string, TextPosition[]>();
  return {
    nearest: (identity, offset) => {
      let best = origin;
      for (const position of files.get(identity) ?? []) {
        if (position.chars <= offset && position.chars > best.chars) best = position;
      }
      return best;
    },
    remember: (identity, position) => {
      const positions = (files.get(identity) ?? []).filter(({ chars }) => chars !== position.chars);
      positions.push(position);
      if (positions.length > maxPositions) positions.shift();
      // Deleted and set again: a map keeps the order of insertion, so the first key is the one used least recently.
      files.delete(identity);
      files.set(identity, positions);
      const [oldest] = files.keys();
      if (files.size > maxFiles && oldest !== undefined) files.delete(oldest);
    },
    forget: (identity) => {
      files.delete(identity);
    },
  };
}
