import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';
import type { FileSystem, OpenedFile, ProvenPlace } from '../fs/port.ts';
import { renderPageLine } from '../text/shown-line.ts';
import { describeValue } from './arguments.ts';
import { createLineReader } from './line-reader.ts';
import type { ReadPowers } from './read-file.ts';
import type { WindowCursors } from './window-cursors.ts';

/** The arguments of a page of lines as they come from a model: nothing about them is known yet. */
export interface LinesInput {
  readonly path?: unknown;
  /** First line of the page, from 1. Default: 1. */
  readonly line?: unknown;
  /** Most lines of the page. Default: 200. */
  readonly limit?: unknown;
}

/** What a page of lines needs besides the files. */
export interface LinesPowers extends Pick<ReadPowers, 'digest' | 'maxReadBytes'> {
  /** Where lines of recent files start: counts lines where the cursors of windows count characters. */
  readonly lineCursors: WindowCursors;
}

/** A page of numbered lines, rendered to be looked at. */
export interface LinesPage {
  readonly shownPath: string;
  readonly resolvedPath: string;
  /** Number of the first line of the page. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** Lines in the file, or null if its end was not reached. */
  readonly totalLines: number | null;
  /** Where the next page begins, or null if this one reached the end. */
  readonly nextLine: number | null;
  /** Whether bytes that are no UTF-8 stand on the page as `\xE9`. */
  readonly hasInvalidBytes: boolean;
  /** Digest of the file's bytes, or null if the page does not hold all of it. */
  readonly digest: () => string | null;
}

// What a model can look over in one go.
const defaultLimit = 200;
// Rendered text of one page. A line that was cut at 2,000 characters fits, however they are escaped.
const maxPageBytes = 16 * 1024;

/**
 * Reads a page of lines, whatever the bytes are. A page near the start costs what the page costs; one further in costs
 * a look at the bytes before it, unless a page before it was read already. `admit` as in readFile().
 * @throws PortholeError `ARGUMENT_INVALID`, `FILE_TOO_LARGE`, and what opening a file throws
 */
export function readLines(
  fs: FileSystem,
  input: LinesInput,
  powers: LinesPowers,
  admit: (path: RootPath, place: ProvenPlace) => void = () => undefined,
): LinesPage {
  const path = fs.parsePath(input.path, 'read');
  const firstLine = parseFromOne(path, 'line', input.line) ?? 1;
  const limit = parseFromOne(path, 'limit', input.limit) ?? defaultLimit;
  const file = fs.openFile(path);
  try {
    admit(path, file);
    return readPage(file, path, { firstLine, limit }, powers);
  } finally {
    file.close();
  }
}

interface PageRequest {
  readonly firstLine: number;
  readonly limit: number;
}

function readPage(file: OpenedFile, path: RootPath, { firstLine, limit }: PageRequest, powers: LinesPowers): LinesPage {
  const { lineCursors } = powers;
  const identity = file.identity();
  const from = lineCursors.nearest(identity, firstLine - 1);
  const reader = createLineReader(file, { lines: from.chars, bytes: from.bytes }, powers.maxReadBytes);
  const page = reader.skipTo(firstLine - 1) ? takeLines(reader, path, limit) : noLines;
  const end = reader.position();
  if (end.lines > 0) lineCursors.remember(identity, { chars: end.lines, bytes: end.bytes });
  const isEnd = reader.isAtEnd();
  const whole = isEnd && firstLine === 1 ? reader.everything() : null;
  return {
    shownPath: file.shownPath,
    resolvedPath: file.resolvedPath,
    firstLine,
    ...page,
    totalLines: isEnd ? end.lines : null,
    nextLine: isEnd ? null : end.lines + 1,
    digest: () => whole && powers.digest(whole),
  };
}

type PageLines = Pick<LinesPage, 'lines' | 'hasInvalidBytes'>;

const noLines: PageLines = { lines: [], hasInvalidBytes: false };

function takeLines(reader: ReturnType<typeof createLineReader>, path: RootPath, limit: number): PageLines {
  const lines: string[] = [];
  let bytesLeft = maxPageBytes;
  let hasInvalidBytes = false;
  while (lines.length < limit) {
    const taken = reader.peek();
    if (taken === 'end') break;
    if (taken === 'too long') throw tooLong(path, reader.position().lines + 1);
    const shown = renderPageLine(taken);
    bytesLeft -= Buffer.byteLength(shown.text);
    if (bytesLeft < 0) break;
    lines.push(shown.text);
    hasInvalidBytes ||= shown.hasInvalidBytes;
    reader.next();
  }
  return { lines, hasInvalidBytes };
}

function parseFromOne(path: RootPath, name: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw fileError('ARGUMENT_INVALID', path, `${name} must be a whole number from 1, not ${describeValue(value)}`);
}

function tooLong(path: RootPath, line: number): Error {
  return fileError('FILE_TOO_LARGE', path, `line ${line} is longer than one call reads`, {
    details: { line },
    hint: 'Read it in windows: view "text" with max_chars and offset.',
  });
}
