import { Buffer } from 'node:buffer';
import { byteOrderMarkSize, CR, findLineEnd, findTextEnd, LF } from './byte-lines.ts';
import { codePointAt, codePointSize } from './code-point.ts';

/** A line that may be the one that was meant. */
export interface NearestLine {
  readonly line: number;
  readonly text: Uint8Array;
}

/**
 * The first line that equals the first line of `find` when blanks, case and the style of quotes are ignored; nothing
 * if there is none or that line is blank. Only for showing: no edit ever rests on it. One pass over the file.
 */
export function findNearestLine(bytes: Uint8Array, find: Uint8Array): NearestLine | undefined {
  const wanted = foldLine(find.subarray(0, findTextEnd(find, 0)));
  if (wanted.length === 0 || lacksOneOf(bytes, wanted)) return undefined;
  let start = byteOrderMarkSize(bytes);
  for (let line = 1; start < bytes.length; line++) {
    const stop = passFolded(bytes, start, wanted);
    const textEnd = findTextEnd(bytes, stop < 0 ? -stop : stop);
    if (stop === textEnd) return { line, text: bytes.subarray(start, textEnd) };
    start = findLineEnd(bytes, textEnd);
  }
  return undefined;
}

/** Whether the file holds one of the wanted letters or digits in neither case: then no line can equal them. */
function lacksOneOf(bytes: Uint8Array, wanted: Int32Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const characters = String.fromCodePoint(
    ...new Set(wanted.filter((codePoint) => codePoint > 0x20 && codePoint < 0x7f)),
  );
  // Without i and k, which are also the lower case of characters beyond ASCII.
  const letters = characters.match(/[a-hjl-z0-9]/g) ?? [];
  return letters.some((letter) => !file.includes(letter) && !file.includes(letter.toUpperCase()));
}

/** Where the line that starts at `start` ends if folding it gives `wanted`; else, negative, where it stops doing so. */
function passFolded(bytes: Uint8Array, start: number, wanted: Int32Array): number {
  let index = start;
  let matched = 0;
  for (let size = 1; index < bytes.length; index += size) {
    const byte = bytes[index] ?? 0;
    if (byte === LF || byte === CR) break;
    let folded = asciiFolds[byte];
    size = 1;
    if (folded === undefined) {
      const codePoint = codePointAt(bytes, index);
      folded = fold(codePoint);
      size = codePointSize(codePoint);
    }
    if (folded !== ignored && folded !== wanted[matched++]) return -(index + size);
  }
  return matched === wanted.length ? index : -index;
}

function foldLine(text: Uint8Array): Int32Array {
  const folded: number[] = [];
  for (let index = 0; index < text.length; ) {
    const codePoint = codePointAt(text, index);
    if (fold(codePoint) !== ignored) folded.push(fold(codePoint));
    index += codePointSize(codePoint);
  }
  return Int32Array.from(folded);
}

const ignored = -2;
const quote = 0x22;

const asciiFolds = Int32Array.from({ length: 0x80 }, (_, codePoint) => foldSlowly(codePoint));
const otherFolds = new Map<number, number>();

function fold(codePoint: number): number {
  // A byte that is no UTF-8 equals nothing that can be asked for.
  if (codePoint < 0) return codePoint;
  const known = asciiFolds[codePoint] ?? otherFolds.get(codePoint);
  if (known !== undefined) return known;
  const folded = foldSlowly(codePoint);
  otherFolds.set(codePoint, folded);
  return folded;
}

function foldSlowly(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (/[\t\p{Zs}\p{Default_Ignorable_Code_Point}]/u.test(character)) return ignored;
  if (/["'`´\u2018-\u201f\u2032\u2033«»‹›\uff02\uff07]/u.test(character)) return quote;
  return character.toLowerCase().codePointAt(0) ?? codePoint;
}
