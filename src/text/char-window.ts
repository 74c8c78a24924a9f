import { countCodePoints, endOfCodePoints, findInvalidUtf8, incompleteTail } from './utf8.ts';

/** Bytes from a position: at least one, unless it is the end. */
export type ReadBytes = (target: Uint8Array, position: number) => number;

/** A place in a text that is known both ways. */
export interface TextPosition {
  /** Code points before it. */
  readonly chars: number;
  readonly bytes: number;
}

/** A window of code points, to be cut from UTF-8 bytes. */
export interface WindowRequest {
  readonly read: ReadBytes;
  /** How long the whole is, as far as is known: a hint for buffer sizes. */
  readonly size: number;
  /** A known position at or before the window's start. */
  readonly from: TextPosition;
  readonly offset: number;
  /** Null for everything up to the end. */
  readonly maxChars: number | null;
  /** The window's bytes may not be more. */
  readonly maxBytes: number;
}

/** The window, or why there is none. */
export type WindowResult =
  | {
      readonly kind: 'window';
      readonly bytes: Uint8Array;
      readonly start: TextPosition;
      readonly end: TextPosition;
      /** The end of the whole was seen at the window's end; where it is false, nobody looked. */
      readonly isEnd: boolean;
    }
  /** `at` is the position of the first byte of the first ill-formed sequence. */
  | { readonly kind: 'invalid'; readonly at: number }
  | { readonly kind: 'too large' };

// Reading ahead of what is asked for costs at most this much; a smaller chunk would cost more in calls.
const minChunkBytes = 4 * 1024;
// Large enough to make calls cheap, small enough to stay in the processor's cache while it is judged.
const maxChunkBytes = 256 * 1024;

/**
 * Cuts a window out of UTF-8 bytes that are read as needed. Everything from `from` to the window's end is checked, and
 * nothing behind it. An offset past the end gives an empty window at the end.
 */
export function cutWindow(request: WindowRequest): WindowResult {
  const { from, offset, maxChars, maxBytes } = request;
  const skipped = advance(request, from, offset - from.chars, null);
  if (skipped.kind !== 'moved') return skipped;
  const start = skipped.position;
  const sink = createSink(request, start);
  const isPastEnd = start.chars < offset;
  const taken = isPastEnd ? skipped : advance(request, start, maxChars ?? Number.POSITIVE_INFINITY, sink);
  if (taken.kind !== 'moved') return taken;
  const bytes = sink.bytes();
  if (bytes.length > maxBytes) return { kind: 'too large' };
  return { kind: 'window', bytes, start, end: taken.position, isEnd: taken.isEnd };
}

type Moved =
  | { readonly kind: 'moved'; readonly position: TextPosition; readonly isEnd: boolean }
  | Exclude<WindowResult, { kind: 'window' }>;

// Moves over `count` code points or to the end. Bytes passed go to the sink, if there is one.
function advance(request: WindowRequest, from: TextPosition, count: number, sink: Sink | null): Moved {
  let { chars, bytes } = from;
  let left = count;
  const scratch = sink === null && left > 0 ? new Uint8Array(chunkSize(left, request.size - bytes)) : null;
  while (left > 0) {
    const buffer = scratch ?? sink?.room(chunkSize(left, request.size - bytes)) ?? null;
    if (buffer === null) return { kind: 'too large' };
    const chunk = buffer.subarray(0, fill(request, buffer, bytes));
    const isLast = chunk.length < buffer.length;
    const usable = isLast ? chunk : chunk.subarray(0, chunk.length - incompleteTail(chunk));
    const inside = usable.subarray(0, left >= usable.length ? usable.length : endOfCodePoints(usable, left));
    const invalid = findInvalidUtf8(inside);
    if (invalid >= 0) return { kind: 'invalid', at: bytes + invalid };
    const passed = countCodePoints(inside);
    sink?.keep(inside.length);
    chars += passed;
    bytes += inside.length;
    left -= passed;
    if (isLast && inside.length === chunk.length) return { kind: 'moved', position: { chars, bytes }, isEnd: true };
  }
  return { kind: 'moved', position: { chars, bytes }, isEnd: false };
}

// A code point takes a byte at least, so as many bytes as code points are wanted never read far too much.
function chunkSize(chars: number, bytesLeft: number): number {
  const wanted = Math.min(Math.max(chars, minChunkBytes), maxChunkBytes);
  // One byte more than there are, so that the end shows itself in the same read; 4 hold any code point.
  return Math.max(Math.min(wanted, bytesLeft + 1), 4);
}

// Fewer bytes than asked for are not the end, unless it is where the size says; none are.
function fill({ read, size }: WindowRequest, buffer: Uint8Array, position: number): number {
  let filled = 0;
  while (filled < buffer.length) {
    const count = read(filled === 0 ? buffer : buffer.subarray(filled), position + filled);
    filled += count;
    if (count === 0 || position + filled === size) break;
  }
  return filled;
}

interface Sink {
  /** Space for the next bytes, or null when there would be too many. */
  readonly room: (length: number) => Uint8Array | null;
  /** That many bytes of the space now belong to the window. */
  readonly keep: (length: number) => void;
  readonly bytes: () => Uint8Array;
}

function createSink({ maxChars, size, maxBytes }: WindowRequest, start: TextPosition): Sink {
  const most = Math.min(maxChars === null ? maxChunkBytes : maxChars * 4, size - start.bytes + 1, maxChunkBytes);
  let buffer = new Uint8Array(0);
  let length = 0;
  return {
    room: (wanted) => {
      if (length > maxBytes) return null;
      if (length + wanted > buffer.length) {
        const larger = new Uint8Array(Math.max(length + wanted, Math.min(buffer.length * 2, maxBytes + 1), most));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      return buffer.subarray(length, length + wanted);
    },
    keep: (kept) => {
      length += kept;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
