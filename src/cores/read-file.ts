import type { Powers } from '../contract/powers.ts';
import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';
import type { FileSystem, OpenedFile, ProvenPlace } from '../fs/port.ts';
import { cutWindow, type WindowResult } from '../text/char-window.ts';
import { countCodePoints, findInvalidUtf8, isUtf8Throughout } from '../text/utf8.ts';
import { parseCount } from './arguments.ts';
import { notUtf8 } from './not-utf8.ts';
import { once } from './once.ts';
import type { WindowCursors } from './window-cursors.ts';

/** The arguments of a read as they come from a guest or a model: nothing about them is known yet. */
export interface ReadInput {
  readonly path?: unknown;
  /** First code point of the window, from 0. Default: 0. */
  readonly offset?: unknown;
  /** Most code points of the window; null for all. Default: null. */
  readonly maxChars?: unknown;
}

/** What reading needs besides the files. */
export interface ReadPowers extends Pick<Powers, 'digest'> {
  /** Most bytes of one answer. */
  readonly maxReadBytes: number;
  readonly cursors: WindowCursors;
}

/** A window of a text file. What costs a pass over the bytes is computed when it is asked for. */
export interface ReadResult {
  readonly shownPath: string;
  readonly resolvedPath: string;
  /** The window's bytes: UTF-8, a BOM included. */
  readonly bytes: Uint8Array;
  /** Code points in the window. */
  readonly chars: () => number;
  /** Code points in the file, or null if its end was not reached. */
  readonly totalChars: () => number | null;
  /** Where the next window begins, or null if this one reached the end. */
  readonly nextOffset: number | null;
  /** Digest of the file's bytes, or null if the window is not the whole file. */
  readonly digest: () => string | null;
}

/**
 * Reads a text file, whole or a window of it. `admit` may refuse once the file was proven, before its content is read.
 * @throws PortholeError `ARGUMENT_INVALID`, `NOT_UTF8`, `FILE_TOO_LARGE`, and what opening a file throws
 */
export function readFile(
  fs: FileSystem,
  input: ReadInput,
  powers: ReadPowers,
  admit: (path: RootPath, place: ProvenPlace) => void = () => undefined,
): ReadResult {
  const path = fs.parsePath(input.path, 'read');
  const offset = parseCount(path, 'offset', input.offset) ?? 0;
  const maxChars = parseCount(path, 'max_chars', input.maxChars);
  const file = fs.openFile(path);
  try {
    admit(path, file);
    // A code point takes a byte at least: a window of that many holds the whole file.
    const isWhole = offset === 0 && (maxChars === null || maxChars >= file.size);
    const bytes = isWhole ? readWhole(file, path, powers) : null;
    if (bytes !== null) return describeWhole(file, path, bytes, powers);
    return readWindow(file, path, { offset, maxChars }, powers);
  } finally {
    file.close();
  }
}

// Null if there is more than the size said: then it is read like a window.
function readWhole(file: OpenedFile, path: RootPath, { maxReadBytes }: ReadPowers): Uint8Array | null {
  if (file.size > maxReadBytes) throw tooLarge(path, file.size, maxReadBytes);
  const buffer = new Uint8Array(file.size + 1);
  for (let filled = 0; filled < buffer.length; ) {
    const count = file.read(filled === 0 ? buffer : buffer.subarray(filled), filled);
    filled += count;
    // Fewer bytes than asked for, and as many as there were: asking once more would only cost time.
    if (count === 0 || filled === file.size) return buffer.subarray(0, filled);
  }
  return null;
}

function describeWhole(file: OpenedFile, path: RootPath, bytes: Uint8Array, { digest }: ReadPowers): ReadResult {
  if (!isUtf8Throughout(bytes)) throw notUtf8(path, findInvalidUtf8(bytes), bytes);
  const chars = once(() => countCodePoints(bytes));
  return {
    shownPath: file.shownPath,
    resolvedPath: file.resolvedPath,
    bytes,
    chars,
    totalChars: chars,
    nextOffset: null,
    digest: once(() => digest(bytes)),
  };
}

interface Window {
  readonly offset: number;
  readonly maxChars: number | null;
}

function readWindow(file: OpenedFile, path: RootPath, window: Window, powers: ReadPowers): ReadResult {
  const { cursors, digest, maxReadBytes } = powers;
  const identity = file.identity();
  const result = cutFromNearest(file, identity, window, powers);
  if (result.kind === 'too large') throw tooLarge(path, file.size, maxReadBytes);
  if (result.kind === 'invalid') throw notUtf8(path, result.at, firstBytes(file));
  const { bytes, start, end } = result;
  if (end.chars > 0) cursors.remember(identity, end);
  const isAtEnd = result.isEnd || end.bytes >= file.size;
  const isWhole = isAtEnd && start.bytes === 0 && window.offset === 0;
  return {
    shownPath: file.shownPath,
    resolvedPath: file.resolvedPath,
    bytes,
    chars: () => end.chars - start.chars,
    totalChars: () => (isAtEnd ? end.chars : null),
    nextOffset: isAtEnd ? null : end.chars,
    digest: once(() => (isWhole ? digest(bytes) : null)),
  };
}

function cutFromNearest(file: OpenedFile, identity: string, window: Window, powers: ReadPowers): WindowResult {
  const { read, size } = file;
  const cut = (from: { readonly chars: number; readonly bytes: number }) =>
    cutWindow({ read, size, from, offset: window.offset, maxChars: window.maxChars, maxBytes: powers.maxReadBytes });
  const from = powers.cursors.nearest(identity, window.offset);
  const result = cut(from);
  if (result.kind !== 'invalid' || from.chars === 0) return result;
  // Clocks of file systems are coarse: the content may have changed while the identity did not.
  powers.cursors.forget(identity);
  return cut({ chars: 0, bytes: 0 });
}

function firstBytes(file: OpenedFile): Uint8Array {
  const buffer = new Uint8Array(4);
  return buffer.subarray(0, file.read(buffer, 0));
}

function tooLarge(path: RootPath, size: number, maxBytes: number): Error {
  const reason = `it has ${size} bytes, and one call reads at most ${maxBytes}: read windows with max_chars and offset`;
  return fileError('FILE_TOO_LARGE', path, reason, { details: { size, maxBytes } });
}
