import { Buffer } from 'node:buffer';
import { LF } from './byte-lines.ts';

/** A piece of a text without line breaks, and where it stands in the text. */
export interface Landmark {
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** Line breaks of the text before it: each may be one byte longer in a file. */
  readonly breaksBefore: number;
}

// More would seldom exclude what these do not.
const maxLandmarks = 4;

// Up to this length the built-in search skips by tables and stays linear for any input; beyond it does not.
const maxLandmarkBytes = 200;

/** The longest pieces of a text, whose line breaks are all LF: a file without one of them cannot hold the text. */
export function pickLandmarks(text: Uint8Array): readonly Landmark[] {
  const landmarks: Landmark[] = [];
  let breaksBefore = 0;
  for (let start = 0; start <= text.length; breaksBefore++) {
    const lineFeed = text.indexOf(LF, start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const offset = Math.max(start, end - maxLandmarkBytes);
    if (end > start) landmarks.push({ bytes: text.subarray(offset, end), offset, breaksBefore });
    start = end + 1;
  }
  return landmarks.sort((one, other) => other.bytes.length - one.bytes.length).slice(0, maxLandmarks);
}

/** A place from `from` on before which the text cannot begin; -1 if it cannot occur at all. */
export function skipToLandmarks(bytes: Uint8Array, landmarks: readonly Landmark[], from: number): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let earliest = from;
  for (const landmark of landmarks) {
    const found = file.indexOf(landmark.bytes, from + landmark.offset);
    if (found === -1) return -1;
    earliest = Math.max(earliest, found - landmark.offset - landmark.breaksBefore);
  }
  return earliest;
}
