import { PortholeError } from '../contract/errors.ts';
import { expandBraces } from './glob-braces.ts';

/** Any number of segments, or of characters within one. */
export const anyRun = Symbol('any run');

/** Exactly one character, whichever. */
export const anyCharacter = Symbol('any character');

/** One character of a segment: itself, any, or one of a class. */
export type CharacterPattern = string | typeof anyCharacter | CharacterClass;

/** A class such as `[a-z]`, as ranges of code points. */
export interface CharacterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

/** One segment of a pattern; `text` when it holds no wildcard, `prefix` for what stands before the first. */
export interface SegmentPattern {
  readonly text: string | undefined;
  readonly prefix: string | undefined;
  readonly characters: readonly (CharacterPattern | typeof anyRun)[];
}

/** A pattern without braces: segments, with `anyRun` for `**`. */
export type PathPattern = readonly (SegmentPattern | typeof anyRun)[];

// What a file system takes as one name.
const maxSegmentBytes = 255;

/** The alternatives of a pattern, or `ARGUMENT_INVALID` saying why nothing can fit it. */
export function parseGlobPattern(source: string): readonly PathPattern[] {
  if (source === '') throw globError(source, 'it is empty', 'Every path is "**".');
  if (!source.isWellFormed() || source.includes('\0')) throw globError(source, 'no path holds such characters');
  if (source.startsWith('!'))
    throw globError(source, 'a leading "!" does not negate', 'Write "\\!" for the character.');
  const extended = /(?<!\\)[@+!?*]\(/.exec(source);
  if (extended !== null) {
    const hint = 'Use braces such as {a,b}, or "\\(" for the character.';
    throw globError(source, `extended patterns such as "${extended[0]}…)" are not part of it`, hint);
  }
  return expandBraces(source, globError).map((alternative) => alternative.split('/').map(parseSegment(source)));
}

function globError(source: string, problem: string, hint?: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot use pattern "${source}": ${problem}`, {
    ...(hint === undefined ? {} : { hint }),
    details: { pattern: source },
  });
}

// A slash in a class or behind a backslash cuts as well, and what it cuts is refused.
const parseSegment =
  (source: string) =>
  (segment: string, index: number, all: readonly string[]): SegmentPattern | typeof anyRun => {
    if (segment === '**') return anyRun;
    if (segment === '') throw emptySegment(source, index, all.length);
    const characters = parseCharacters(source, segment);
    const wild = characters.findIndex((character) => typeof character !== 'string');
    const prefix = characters.slice(0, wild === -1 ? undefined : wild).join('');
    const text = wild === -1 ? prefix : undefined;
    if (text === '..') throw globError(source, 'it leads above the root', 'Name files from the root downwards.');
    if (text === '.') throw globError(source, 'paths are judged without "."', 'Leave "./" out.');
    if (new TextEncoder().encode(prefix).length > maxSegmentBytes) {
      throw globError(source, `no name is longer than ${maxSegmentBytes} bytes`);
    }
    return { text, prefix: prefix === '' ? undefined : prefix, characters };
  };

function emptySegment(source: string, index: number, count: number): PortholeError {
  if (index === 0) return globError(source, 'paths are judged relative to the root', 'Leave the leading "/" out.');
  if (index === count - 1) return globError(source, 'only files are judged', `Write "${source}**" for all below it.`);
  return globError(source, 'no path holds "//"');
}

function parseCharacters(source: string, segment: string): (CharacterPattern | typeof anyRun)[] {
  const found: (CharacterPattern | typeof anyRun)[] = [];
  const characters = Array.from(segment);
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? '';
    if (character === '[') {
      const end = classEnd(characters, index);
      if (end === -1)
        throw globError(source, 'a "[" is not closed within its segment', 'Write "\\[" for the character.');
      found.push(parseClass(source, characters.slice(index + 1, end)));
      index = end;
    } else if (character === ']') {
      throw globError(source, 'a "]" closes nothing', 'Write "\\]" for the character.');
    } else if (character === '*') {
      if (characters[index + 1] === '*') {
        throw globError(source, '"**" shares its segment', 'Write "**" alone between slashes, as in "src/**/*.ts".');
      }
      found.push(anyRun);
    } else if (character === '\\') {
      found.push(escaped(source, characters[++index]));
    } else {
      found.push(character === '?' ? anyCharacter : character);
    }
  }
  return found;
}

function escaped(source: string, character: string | undefined): string {
  if (character === undefined || character === '/') throw globError(source, 'a backslash escapes nothing');
  return character;
}

function classEnd(characters: readonly string[], start: number): number {
  for (let index = start + 1; index < characters.length; index++) {
    if (characters[index] === '\\') index++;
    else if (characters[index] === ']') return index;
  }
  return -1;
}

function parseClass(source: string, inside: readonly string[]): CharacterClass {
  const negated = inside[0] === '!' || inside[0] === '^';
  const ranges: [number, number][] = [];
  let index = negated ? 1 : 0;
  const next = (): number => {
    const character = inside[index++] ?? '';
    return (character === '\\' ? escaped(source, inside[index++]) : character).codePointAt(0) ?? 0;
  };
  while (index < inside.length) {
    if (inside[index] === '[' && inside[index + 1] === ':') throw globError(source, 'named classes are not part of it');
    const from = next();
    const isRange = inside[index] === '-' && index + 1 < inside.length;
    if (isRange) index++;
    const to = isRange ? next() : from;
    if (to < from) throw globError(source, 'a range in a class runs backwards');
    // `[...slug].ts` is a file name people mean literally; repeating a character is how it gives itself away.
    if (ranges.some(([low, high]) => from <= high && low <= to)) {
      throw globError(
        source,
        `the class [${inside.join('')}] names a character twice`,
        'Write "\\[" for the character.',
      );
    }
    ranges.push([from, to]);
  }
  if (ranges.length === 0) throw globError(source, 'a class is empty');
  return { negated, ranges };
}
