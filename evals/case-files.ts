import { readFileSync } from 'node:fs';
import type { EditCase } from './cases.ts';

/** A case with the bytes before it and the only bytes that count as a pass. */
export interface PreparedCase extends EditCase {
  /** From 1, in the order of its table. */
  readonly number: number;
  /** The line that is to change, from 1: the first one where it is a piece of text. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Whether the case works by a piece of text instead of a line's number. */
export function isByFind({ kind }: EditCase): boolean {
  return kind === 'fragment cut' || kind === 'CRLF by find' || kind === 'neighbouring lines';
}

/**
 * Reads the case's file and makes the wanted result by plain string work, so that no line of the code under test says
 * what is right. Throws where a case does not name exactly one place.
 */
export function prepareCase(given: EditCase, index: number): PreparedCase {
  const text = readFileSync(new URL(`./files/${given.file}.txt`, import.meta.url), 'utf8');
  const { line, after } = isByFind(given) ? replacePiece(text, given) : replaceLine(text, given);
  const withEndings = (one: string) => (given.kind.startsWith('CRLF') ? one.replaceAll('\n', '\r\n') : one);
  return { ...given, number: index + 1, line, before: withEndings(text), after: withEndings(after) };
}

function replacePiece(text: string, given: EditCase): { line: number; after: string } {
  const [head, tail, ...more] = text.split(given.old);
  if (head === undefined || tail === undefined || more.length > 0) throw new Error(`${describe(given)} is not unique`);
  return { line: head.split('\n').length, after: head + given.new + tail };
}

function replaceLine(text: string, given: EditCase): { line: number; after: string } {
  const lines = text.split('\n');
  const places = lines.flatMap((line, index) => (line === given.old && index < lines.length - 1 ? [index] : []));
  const index = places[given.nth - 1];
  if (index === undefined) throw new Error(`${describe(given)} is not there`);
  return { line: index + 1, after: lines.with(index, given.new).join('\n') };
}

function describe({ file, kind, old }: EditCase): string {
  return `${file}, ${kind}: ${JSON.stringify(old)}`;
}
