import { quoteText } from '../../text/shown-line.ts';
import type { ReadFile } from '../documents/read-documents.ts';
import { renderPointer } from '../key-path.ts';
import { locateKey } from '../locate-key.ts';
import { commentBehind } from './block-lines.ts';
import type { DocumentData } from './leaves.ts';
import type { OriginOf, ScalarOrigin } from './render-block.ts';
import type { TextSplice } from './text-splices.ts';

/** One change of a document, on the lines of its own key. */
export interface DocumentOperation {
  readonly kind: 'set' | 'rename' | 'remove';
  /** Where the value is now; where it was, of a removed one. */
  readonly key: string;
  /** Where the value was, of a renamed key. */
  readonly from?: string;
}

/** A file of one YAML document, what it shall mean, and where its displaced values went. */
export interface DocumentDifference {
  readonly file: ReadFile;
  readonly original: DocumentData;
  readonly answer: DocumentData;
  readonly moves: ReadonlyMap<string, string>;
}

/** The operations as splices of the text, and the shapes that none can be made for. */
export interface Comparison {
  readonly splices: readonly PlannedSplice[];
  readonly operations: readonly DocumentOperation[];
  readonly refusals: readonly string[];
}

/** A splice, and how many comments its text carries from elsewhere. */
export interface PlannedSplice extends TextSplice {
  readonly comments: number;
}

/** The operations while they are being found. */
export interface Work extends DocumentDifference {
  readonly text: string;
  readonly splices: PlannedSplice[];
  readonly operations: DocumentOperation[];
  readonly refusals: string[];
}

/** Lines to be, without indentation, and how many comments they carry from elsewhere. */
export interface Rendered {
  readonly lines: readonly string[];
  readonly comments: number;
}

/** Renders lines, with what is known of their scalars. */
export function render(work: Work, write: (originOf: OriginOf) => readonly string[]): Rendered {
  let comments = 0;
  const lines = write((pointer) => {
    const origin = originOf(work, pointer);
    if (origin.comment !== undefined) comments++;
    return origin;
  });
  return { lines, comments };
}

/** A displaced value brings its spelling and the comment of its line along; a number keeps the answer's spelling. */
export function originOf({ moves, file, answer, text }: Work, pointer: string): ScalarOrigin {
  const source = moves.get(pointer);
  const located = source === undefined ? undefined : locateKey(file.documents, source);
  if (located?.kind !== 'scalar') {
    const leaf = answer.leaves.find((one) => one.pointer === pointer);
    return typeof leaf?.value === 'number' ? { spelling: leaf.source } : {};
  }
  const { scalar } = located;
  const comment = commentBehind(text, scalar.end);
  const isOneLine = !/[\r\n]/.test(scalar.source) && scalar.source !== '';
  return { ...(isOneLine && { spelling: scalar.source }), ...(comment !== '' && { comment }) };
}

/** Puts lines between two of the text, in the text's own line endings. */
export function insertLines(
  work: Work,
  at: number,
  { lines, comments, column }: Rendered & { readonly column: number },
): void {
  const ending = /\r?\n/.exec(work.text)?.[0] ?? '\n';
  const indented = lines.map((line) => ' '.repeat(column) + line);
  const isOpenEnd = at === work.text.length && !work.text.endsWith('\n');
  const text = indented.map((line) => (isOpenEnd ? ending + line : line + ending)).join('');
  work.splices.push({ start: at, end: at, text, comments });
}

/** Says that a shape cannot be changed. */
export function refuse(work: Work, names: readonly string[], reason: string): void {
  work.refusals.push(`key ${quoteText(renderPointer(names))} ${reason}; it cannot be spliced`);
}

/** Takes a range away, or puts a text without comments there. */
export function replace(work: Work, start: number, end: number, text = ''): void {
  work.splices.push({ start, end, text, comments: 0 });
}
