import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';
import { encodeUtf8, isWellFormed, utf8Length } from '../text/utf8.ts';
import { describeValue, parseCount } from './arguments.ts';

/** How content goes into a file: instead of what is there, behind it, or before one of its code points. */
export const writeModes = ['w', 'a', 'insert'] as const;

/** One of {@link writeModes}. */
export type WriteMode = (typeof writeModes)[number];

/** The arguments of a write as they come from a guest or a model: nothing about them is known yet. */
export interface WriteInput {
  readonly path?: unknown;
  readonly content?: unknown;
  /** Default: `w`. */
  readonly mode?: unknown;
  /** Code point to insert before, from 0; only with `insert`. Default: 0. */
  readonly offset?: unknown;
  /** Digest of the bytes the caller read; anything else there is a refusal. Default: not compared. */
  readonly expect?: unknown;
}

/** The arguments of a write after every check that needs no file. */
export interface WriteRequest {
  /** UTF-8. */
  readonly content: Uint8Array;
  readonly mode: WriteMode;
  readonly offset: number;
  readonly expect: string | null;
}

/**
 * Checks the arguments besides the path. Nothing is coerced.
 * @throws PortholeError `ARGUMENT_INVALID`, `CONTENT_NOT_WELL_FORMED`, `FILE_TOO_LARGE`
 */
export function parseWriteRequest(path: RootPath, input: WriteInput, maxBytes: number): WriteRequest {
  const mode = parseMode(path, input.mode);
  const offset = parseCount(path, 'offset', input.offset);
  if (offset !== null && mode !== 'insert') {
    throw fileError('ARGUMENT_INVALID', path, `offset goes with mode "insert", not with "${mode}"`);
  }
  const expect = parseExpect(path, input.expect);
  return { content: parseContent(path, input.content, maxBytes), mode, offset: offset ?? 0, expect };
}

/** Keeps content and files within the limit of a write. @throws PortholeError `FILE_TOO_LARGE` */
export function refuseTooLarge(path: RootPath, what: string, bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw fileError('FILE_TOO_LARGE', path, `${what} ${bytes} bytes, and ${maxBytes} is the most`, {
    details: { size: bytes, maxBytes },
    hint: 'Write less at a time.',
  });
}

function parseContent(path: RootPath, content: unknown, maxBytes: number): Uint8Array {
  if (typeof content !== 'string') {
    throw fileError('ARGUMENT_INVALID', path, `content must be a string, not ${describeValue(content)}`);
  }
  if (!isWellFormed(content)) {
    throw fileError('CONTENT_NOT_WELL_FORMED', path, 'content is not well-formed Unicode: it holds a lone surrogate');
  }
  // UTF-8 is never shorter than the string, so one that is far too long is not encoded.
  if (content.length > maxBytes) refuseTooLarge(path, 'the content has', utf8Length(content), maxBytes);
  const bytes = encodeUtf8(content);
  refuseTooLarge(path, 'the content has', bytes.length, maxBytes);
  return bytes;
}

function parseMode(path: RootPath, value: unknown): WriteMode {
  if (value === undefined || value === null) return 'w';
  const mode = writeModes.find((known) => known === value);
  if (mode !== undefined) return mode;
  throw fileError('ARGUMENT_INVALID', path, `mode must be "w", "a" or "insert", not ${describeValue(value)}`);
}

function parseExpect(path: RootPath, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value)) return value;
  throw fileError(
    'ARGUMENT_INVALID',
    path,
    `expect must be a digest that a read returned, not ${describeValue(value)}`,
  );
}
