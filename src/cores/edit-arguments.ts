import { type ErrorCode, PortholeError } from '../contract/errors.ts';
import { dropOneEnding } from '../text/line-edit.ts';
import { isWellFormed } from '../text/utf8.ts';

/** What an edit does: the whole file, more at its end, or one line or text. */
export const editModes = ['write', 'append', 'replace'] as const;

/** One of {@link editModes}. */
export type EditMode = (typeof editModes)[number];

/** A replacement of one line, or of one text; with both, `find` is what the line must hold. */
export type Replacement =
  | { readonly line: number; readonly lineAsText?: string; readonly find: string; readonly content: string }
  | { readonly find: string; readonly content: string };

/** The arguments of an edit after every check that needs no file. */
export type EditArguments = {
  readonly path: string;
  /** Digest the file must have. */
  readonly expect?: string;
  readonly dryRun: boolean;
} & (
  | { readonly mode: 'write' | 'append'; readonly content: string }
  | { readonly mode: 'replace'; readonly edits: readonly Replacement[]; readonly isList: boolean }
);

// Every edit of a list searches the file once; this keeps one call below a few seconds on the largest file.
const maxEdits = 1000;

/**
 * Takes what a caller sent; `null` counts as absent.
 * @throws {@link PortholeError} `ARGUMENT_INVALID`, `PATH_INVALID`, `CONTENT_NOT_WELL_FORMED`; for an item of `edits` the
 *   message ends with its number
 */
export function parseEditArguments(input: unknown): EditArguments {
  const fields = parseFields(input, ['path', 'mode', 'content', 'line', 'find', 'expect', 'dry_run', 'edits']);
  const path = fields.get('path');
  if (typeof path !== 'string') throw new PortholeError('PATH_INVALID', 'path must be a string');
  const mode = parseMode(fields.get('mode'));
  const expect = parseDigest(fields.get('expect'));
  const common = { path, dryRun: parseFlag(fields.get('dry_run')), ...(expect !== undefined && { expect }) };
  if (mode === 'replace') return { ...common, mode, ...parseReplacements(fields) };
  for (const name of ['line', 'find', 'edits']) {
    if (fields.has(name)) throw invalid(`${name} belongs to mode "replace", not "${mode}"`);
  }
  return { ...common, mode, content: parseContent(fields.get('content')) };
}

/** Adds to a refusal which edit of a list it is about, from 1. */
export function nameEdit(error: PortholeError, number: number): PortholeError {
  const { code, hint, details, cause } = error;
  const message = `${error.message} (edit ${number})`;
  return new PortholeError(code, message, { hint, cause, details: { ...details, edit: number } });
}

type Fields = ReadonlyMap<string, unknown>;

function parseReplacements(fields: Fields): { edits: readonly Replacement[]; isList: boolean } {
  if (!fields.has('edits')) return { edits: [parseReplacement(fields)], isList: false };
  for (const name of ['line', 'find', 'content']) {
    if (fields.has(name)) throw invalid(`${name} stands beside edits; put it into an item of edits`);
  }
  const items: unknown = fields.get('edits');
  if (!Array.isArray(items) || items.length === 0) throw invalid('edits must be a list of at least one edit');
  if (items.length > maxEdits) throw invalid(`edits has ${items.length} items; one call takes at most ${maxEdits}`);
  return { edits: items.map((item: unknown, index) => parseItem(item, index + 1)), isList: true };
}

function parseItem(item: unknown, number: number): Replacement {
  try {
    return parseReplacement(parseFields(item, ['line', 'find', 'content']));
  } catch (error) {
    throw error instanceof PortholeError ? nameEdit(error, number) : error;
  }
}

function parseReplacement(fields: Fields): Replacement {
  const line = parseLine(fields.get('line'));
  const find = parseText('find', fields.get('find'), 'ARGUMENT_INVALID');
  if (line === undefined && find === undefined) throw invalid('mode "replace" needs line, find or edits');
  const content = parseContent(fields.get('content'));
  if (line === undefined) return { find: find ?? '', content };
  if (/[\r\n]/.test(dropOneEnding(find ?? ''))) throw invalid('find beside line must be one line');
  return { ...line, find: find ?? '', content };
}

/** The fields that are there, by name, in a Map: names come from outside. */
function parseFields(input: unknown, known: readonly string[]): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid(`expected an object with ${known.join(', ')}`);
  }
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(input)) {
    if (!known.includes(name))
      throw invalid(`unknown field ${JSON.stringify(name)}; the fields are ${known.join(', ')}`);
    if (value !== null && value !== undefined) fields.set(name, value);
  }
  return fields;
}

function parseMode(value: unknown): EditMode {
  const mode = editModes.find((name) => name === value);
  if (mode === undefined) throw invalid(`mode must be "write", "append" or "replace", not ${show(value)}`);
  return mode;
}

function parseLine(value: unknown): { line: number; lineAsText?: string } | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === 'string' && /^[1-9][0-9]*$/.test(value);
  // No file has that many lines: what is larger stays as far past the end as it was.
  const line = isText ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value;
  if (typeof line !== 'number' || !Number.isSafeInteger(line) || line < 1) {
    throw invalid(`line must be a whole number from 1, not ${show(value)}`);
  }
  return isText ? { line, lineAsText: value } : { line };
}

function parseContent(value: unknown): string {
  const content = parseText('content', value, 'CONTENT_NOT_WELL_FORMED');
  if (content === undefined) throw invalid('content is missing');
  return content;
}

function parseText(name: string, value: unknown, malformed: ErrorCode): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`${name} must be a string, not ${show(value)}`);
  if (!isWellFormed(value)) throw new PortholeError(malformed, `${name} holds a lone surrogate and has no UTF-8 form`);
  return value;
}

function parseDigest(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value))) return value;
  throw invalid('expect must be a digest as a read gives it: "sha256:" and 64 hex digits');
}

function parseFlag(value: unknown): boolean {
  if (value !== undefined && typeof value !== 'boolean')
    throw invalid(`dry_run must be true or false, not ${show(value)}`);
  return value ?? false;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'another type';
}

function invalid(message: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', message);
}
