import type { ErrorCode } from '../contract/errors.ts';
import { isWellFormed, utf8Length } from '../text/utf8.ts';
import { fileError } from './file-error.ts';

/** What a caller is about to do with a file; the verb of its error messages. */
export type FileVerb = 'read' | 'write' | 'edit' | 'list' | 'remove' | 'copy';

declare const checked: unique symbol;

/** A path that passed the path rules. Only {@link parseRootPath} makes one. */
export interface RootPath {
  readonly [checked]: true;
  readonly verb: FileVerb;
  /** As the caller wrote it. */
  readonly written: string;
  /** Names from the root downwards: no empty one, no `.`, no `..`, no `/` or NUL inside. Empty for the root. */
  readonly segments: readonly string[];
  /** Written with a trailing `/` or `/.`: only a directory can be meant. */
  readonly mustBeDirectory: boolean;
}

/** How the root itself may be spelled at the start of an absolute path: as given, and as resolved. */
export interface RootSpellings {
  readonly spellings: readonly string[];
}

// PATH_MAX and NAME_MAX of Linux, without the terminating NUL.
const maxPathBytes = 4095;
const maxSegmentBytes = 255;

/**
 * Judges a path as it is written, before the disk is touched. Nothing is trimmed, decoded, normalised or expanded.
 * The first rule that applies gives the code.
 * @throws PortholeError `PATH_INVALID`, `PATH_TRAVERSAL`, `PATH_HOME`, `PATH_OUTSIDE_ROOT`
 */
export function parseRootPath(input: unknown, verb: FileVerb, root: RootSpellings): RootPath {
  const refuse = (code: ErrorCode, reason: string) => fileError(code, { verb, written: input }, reason);
  if (input === undefined) throw refuse('PATH_INVALID', 'path is missing');
  if (typeof input !== 'string') throw refuse('PATH_INVALID', `path must be a string, not ${nameOfType(input)}`);
  const malformed = findMalformation(input);
  if (malformed !== null) throw refuse('PATH_INVALID', malformed);
  if (input.includes('..') && input.split(/[/\\]/).includes('..')) throw refuse('PATH_TRAVERSAL', 'path contains ".."');
  if (input.startsWith('~')) throw refuse('PATH_HOME', 'path starts with "~", which is not expanded');
  const relative = stripRoot(input, root.spellings);
  if (relative === null) throw refuse('PATH_OUTSIDE_ROOT', 'path leads outside the root');
  const parts = relative.split('/');
  const last = parts.at(-1);
  const path: Omit<RootPath, typeof checked> = {
    verb,
    written: input,
    segments: parts.filter((part) => part !== '' && part !== '.'),
    mustBeDirectory: last === '' || last === '.',
  };
  return path as RootPath; // every rule above has passed: this is where the brand is given
}

/** The path relative to its root, as results show it. */
export function showRootPath(path: Pick<RootPath, 'segments'>): string {
  return path.segments.join('/') || '.';
}

function findMalformation(path: string): string | null {
  if (path === '') return 'path is empty';
  if (path.includes('\0')) return 'path contains NUL';
  if (!isWellFormed(path)) return 'path is not well-formed Unicode';
  if (utf8Length(path) > maxPathBytes) return `path is longer than ${maxPathBytes} bytes`;
  if (path.length * 3 > maxSegmentBytes && path.split('/').some((part) => utf8Length(part) > maxSegmentBytes)) {
    return `path has a segment longer than ${maxSegmentBytes} bytes`;
  }
  return null;
}

// The rest below the root, or null for a path that names a place outside it. Drive, UNC and URL forms name such
// places on some system; they are refused on every one, so that a program behaves alike everywhere.
function stripRoot(path: string, spellings: readonly string[]): string | null {
  if (/^(?:[A-Za-z]:[\\/]|\\|file:)/i.test(path)) return null;
  if (!path.startsWith('/')) return path;
  for (const spelling of spellings) {
    const prefix = spelling.replace(/\/+$/, '');
    if (path === prefix || path.startsWith(`${prefix}/`)) return path.slice(prefix.length + 1);
  }
  return null;
}

function nameOfType(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'an array' : `a value of type ${typeof input}`;
}
