import type { NamedEdit } from '../edit-guard.ts';
import { resolveLineEdit } from '../line-edit.ts';
import { applySplices, type Splice } from '../splices.ts';
import { resolveTextEdit } from '../text-edit.ts';
import { encode, fromByteString, toByteString } from './random-files.ts';

/** A file and what is asked for. */
export interface EditTask {
  readonly file: Uint8Array;
  readonly edits: readonly NamedEdit[];
}

/** The code under guard, as it is meant to be. */
export function buildHonestly({ file, edits }: EditTask): Uint8Array {
  return applySplices(file, placeAll(file, edits));
}

/** Ways to get an edit wrong: each was somebody's bug, or could be ours. */
export const brokenBuilders: ReadonlyMap<string, (task: EditTask) => Uint8Array> = new Map([
  ['writes LF for every CRLF', viaString((text) => text.replaceAll('\r\n', '\n'))],
  ['writes CRLF for every LF', viaString((text) => text.replaceAll(/\r?\n/g, '\r\n'))],
  ['writes LF for every lone CR', viaString((text) => text.replaceAll(/\r(?!\n)/g, '\n'))],
  ['adds a final line break', viaString((text) => (/[\r\n]$/.test(text) ? text : `${text}\n`))],
  ['drops the final line break', viaString((text) => text.replace(/(\r\n|\r|\n)$/, ''))],
  ['drops blank lines at the end', viaString((text) => text.replace(/[\r\n]+$/, '\n'))],
  ['drops trailing blanks of other lines', viaString((text) => text.replaceAll(/[ \t]+(?=[\r\n]|$)/g, ''))],
  ['writes spaces for tabs', viaString((text) => text.replaceAll('\t', '    '))],
  ['drops the byte order mark', viaString((text) => text.replace('\xef\xbb\xbf', ''))],
  ['adds a byte order mark', viaString((text) => `\xef\xbb\xbf${text}`)],
  ['decodes what is no UTF-8', (task) => encode(new TextDecoder().decode(buildHonestly(task)))],
  ['normalises Unicode', (task) => encode(decode(buildHonestly(task)).normalize('NFC'))],
  ['straightens quotes', (task) => encode(decode(buildHonestly(task)).replaceAll(/[“”]/g, '"'))],
  ['cuts after 64 bytes', (task) => buildHonestly(task).slice(0, 64)],
  ['loses the last byte', (task) => buildHonestly(task).slice(0, -1)],
  ['writes nothing at all', () => new Uint8Array()],
  ['leaves the file as it was', ({ file }) => file],
  ['ends one byte late', viaSplices((splice) => ({ ...splice, end: splice.end + 1 }))],
  ['ends one byte early', viaSplices((splice) => ({ ...splice, end: Math.max(splice.start, splice.end - 1) }))],
  ['begins one byte early', viaSplices((splice) => ({ ...splice, start: Math.max(0, splice.start - 1) }))],
  ['begins one byte late', viaSplices((splice) => ({ ...splice, start: Math.min(splice.end, splice.start + 1) }))],
  ['replaces to the end of the file', viaSplices((splice, file) => ({ ...splice, end: file.length }))],
  ['inserts instead of replacing', viaSplices((splice) => ({ ...splice, end: splice.start }))],
  ['writes the new text twice', viaSplices((splice) => ({ ...splice, bytes: twice(splice.bytes) }))],
  ['forgets the new text', viaSplices((splice) => ({ ...splice, bytes: new Uint8Array() }))],
  [
    'adds a line break to the new text',
    viaSplices((splice) => ({ ...splice, bytes: concat(splice.bytes, encode('\n')) })),
  ],
  ['trims the new text', viaSplices((splice) => ({ ...splice, bytes: encode(decode(splice.bytes).trim()) }))],
  ['swallows the ending of the line', viaSplices(swallowEnding)],
  ['edits the line below', viaLines((line) => line + 1)],
  ['edits the line above', viaLines((line) => Math.max(1, line - 1))],
  ['does the first edit of a list only', ({ file, edits }) => applySplices(file, placeAll(file, edits.slice(0, 1)))],
  ['does each edit after the other', oneAfterTheOther],
  [
    'replaces every occurrence, whatever its case',
    ({ file, edits }) =>
      replaceText(file, edits, (text, from, to) => text.replaceAll(new RegExp(from, 'gi'), () => to)),
  ],
  ['reads dollar patterns', ({ file, edits }) => replaceText(file, edits, (text, from, to) => text.replace(from, to))],
  [
    'splits lines at U+2028 and joins with LF',
    (task) =>
      encode(
        decode(buildHonestly(task))
          .split(/\r\n|[\r\n\u2028]/)
          .join('\n'),
      ),
  ],
]);

function placeAll(file: Uint8Array, edits: readonly NamedEdit[]): readonly Splice[] {
  return edits.map((edit) => {
    if (edit.kind === 'line') return resolveLineEdit(file, { ...edit, find: '' }).splice;
    return { ...resolveTextEdit(file, edit).splice, start: edit.at };
  });
}

type Build = (task: EditTask) => Uint8Array;

function viaString(spoil: (text: string) => string): Build {
  return (task) => fromByteString(spoil(toByteString(buildHonestly(task))));
}

function viaSplices(spoil: (splice: Splice, file: Uint8Array) => Splice): Build {
  return ({ file, edits }) => {
    // Only the last one in the file: others might begin to overlap.
    const splices = placeAll(file, edits).toSorted((one, other) => other.start - one.start || other.end - one.end);
    const spoilt = splices.map((splice, index) => (index === 0 ? spoil(splice, file) : splice));
    return applySplices(
      file,
      spoilt.map((splice) => ({ ...splice, end: Math.min(splice.end, file.length) })),
    );
  };
}

function viaLines(spoil: (line: number) => number): Build {
  return ({ file, edits }) => {
    const moved = edits.map((edit) => (edit.kind === 'line' ? { ...edit, line: spoil(edit.line) } : edit));
    try {
      return buildHonestly({ file, edits: moved });
    } catch {
      return buildHonestly({ file, edits });
    }
  };
}

function oneAfterTheOther({ file, edits }: EditTask): Uint8Array {
  return edits.reduce((bytes, edit) => replaceOnce(bytes, edit), file);
}

function replaceOnce(bytes: Uint8Array, edit: NamedEdit): Uint8Array {
  if (edit.kind === 'line') return buildHonestly({ file: bytes, edits: [edit] });
  return fromByteString(
    toByteString(bytes).replace(toByteString(encode(edit.find)), () => toByteString(encode(edit.content))),
  );
}

function replaceText(
  file: Uint8Array,
  edits: readonly NamedEdit[],
  replace: (text: string, from: string, to: string) => string,
): Uint8Array {
  const [edit] = edits;
  if (edit?.kind !== 'text' || edits.length > 1) return buildHonestly({ file, edits });
  return fromByteString(
    replace(toByteString(file), toByteString(encode(edit.find)), toByteString(encode(edit.content))),
  );
}

function swallowEnding(splice: Splice, file: Uint8Array): Splice {
  const ending = /^(?:\r\n|\r|\n)/.exec(toByteString(file.subarray(splice.end)))?.[0] ?? '';
  return { ...splice, end: splice.end + ending.length };
}

function twice(bytes: Uint8Array): Uint8Array {
  return concat(bytes, bytes);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array {
  return Uint8Array.from([...one, ...other]);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
