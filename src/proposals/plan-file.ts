import { quoteText } from '../text/shown-line.ts';
import { applySplices, type Splice } from '../text/splices.ts';
import { decodeUtf8, encodeUtf8, isUtf8Throughout, utf8Length } from '../text/utf8.ts';
import type { ScalarNode } from './documents/document-node.ts';
import { formatOf, type ReadFile, readDocuments, type UnreadableFile } from './documents/read-documents.ts';
import { guardBytes, guardMeaning } from './guard-splices.ts';
import { parsePointer } from './key-path.ts';
import { type Refusal, refuse } from './refusal.ts';
import { type JudgedEdit, judgeEdit, type ScalarChange } from './scalar-edit.ts';
import type { ScalarEdit } from './verdict.ts';

/** What becomes of a file and of each of its edits, in their order. */
export interface FilePlan {
  readonly edits: readonly JudgedEdit[];
  /** The new content; the old one where nothing changes or an edit is refused. */
  readonly after: Uint8Array;
}

/** Judges all edits of one file together: it is read once, however many there are. */
export function planFile(
  path: string,
  before: Uint8Array,
  edits: readonly ScalarEdit[],
  evidence: readonly string[],
): FilePlan {
  const file = readFile(path, before);
  if (file.kind !== 'read') return { edits: edits.map(({ key }) => refuseFile(file, key)), after: before };
  const judged = refuseRepeated(
    edits.map((edit) => judgeEdit(edit, file, evidence)),
    edits,
  );
  const changes = judged.filter((one) => one.kind === 'change').toSorted((one, other) => startOf(one) - startOf(other));
  if (changes.length === 0 || judged.some(({ kind }) => kind === 'refused')) return { edits: judged, after: before };
  const splices = toSplices(file.text, changes, before.length - utf8Length(file.text));
  const after = applySplices(before, splices);
  const wrong = guardBytes(before, after, splices)
    ? guardMeaning(file.tokens, textOf(after), changes, file.format)
    : changes[0];
  if (wrong === undefined) return { edits: judged, after };
  return { edits: judged.map((one, index) => (one === wrong ? refuseGuarded(edits[index]) : one)), after: before };
}

/** Reads a file's bytes as what its name promises. */
export function readFile(path: string, bytes: Uint8Array): ReadFile | UnreadableFile {
  const format = formatOf(path);
  if (format === undefined) return { kind: 'unreadable', message: 'file is none of YAML, JSON, JSONC and TOML' };
  if (!isUtf8Throughout(bytes)) return { kind: 'unreadable', message: 'file is not UTF-8' };
  return readDocuments(textOf(bytes), format);
}

// Parsers differ in what they make of a byte order mark; none gets to see it.
function textOf(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function refuseFile({ message, duplicate }: UnreadableFile, key: string): Refusal {
  const isThisKey = duplicate !== undefined && (parsePointer(key) ?? key.split('.')).includes(duplicate);
  if (isThisKey) return refuse(`key ${quoteText(key)} is duplicated`, 'A person has to remove one of the two.');
  return refuse(message, 'Nothing in this file can be edited by key; leave it out.');
}

// All edits are against the file as it is, so two of one scalar contradict each other or say the same twice.
function refuseRepeated(judged: readonly JudgedEdit[], edits: readonly ScalarEdit[]): readonly JudgedEdit[] {
  const taken = new Set<number>();
  return judged.map((one, index) => {
    if (one.kind !== 'change') return one;
    const start = startOf(one);
    if (!taken.has(start)) {
      taken.add(start);
      return one;
    }
    const message = `key ${quoteText(edits[index]?.key ?? '')} is edited twice`;
    return refuse(message, 'Keep one edit of each value.');
  });
}

function startOf({ scalar }: { readonly scalar: ScalarNode }): number {
  return scalar.start;
}

/** Ranges of a text as ranges of its bytes; `changes` are in the text's order, so that it is measured once. */
function toSplices(text: string, changes: readonly ScalarChange[], offset: number): readonly Splice[] {
  let measured = 0;
  let at = offset;
  return changes.map(({ scalar, written }) => {
    const start = at + utf8Length(text.slice(measured, scalar.start));
    const end = start + utf8Length(scalar.source);
    measured = scalar.end;
    at = end;
    return { start, end, bytes: encodeUtf8(written.source) };
  });
}

function refuseGuarded(edit: ScalarEdit | undefined): Refusal {
  const message = `the edit would change more than key ${quoteText(edit?.key ?? '')}`;
  return refuse(message, 'At this place the text would be read as something else; give another value.');
}
