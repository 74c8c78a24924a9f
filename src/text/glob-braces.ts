import type { PortholeError } from '../contract/errors.ts';

type Problem = (source: string, problem: string, hint?: string) => PortholeError;

// A pattern written by a person stays far below; a product of braces must not eat the memory of whoever loads it.
const maxAlternatives = 256;

/** The patterns that a pattern with `{a,b}` stands for; braces may nest. */
export function expandBraces(source: string, problem: Problem): readonly string[] {
  const expanded = expand(source, (what, hint) => problem(source, what, hint));
  return [...new Set(expanded)];
}

type Refuse = (what: string, hint?: string) => PortholeError;

function expand(source: string, refuse: Refuse): string[] {
  const brace = findBrace(source, refuse);
  if (brace === undefined) return [source];
  const rest = expand(source.slice(brace.end + 1), refuse);
  const heads = brace.parts.flatMap((part) => expand(part, refuse)).map((part) => source.slice(0, brace.start) + part);
  if (heads.length * rest.length > maxAlternatives)
    throw refuse(`its braces make more than ${maxAlternatives} patterns`);
  return heads.flatMap((head) => rest.map((tail) => head + tail));
}

interface Brace {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

function findBrace(source: string, refuse: Refuse): Brace | undefined {
  let start = -1;
  let depth = 0;
  let partStart = 0;
  const parts: string[] = [];
  for (let index = 0; index < source.length; index++) {
    const character = source[index];
    if (character === '\\') index++;
    else if (character === '[') index = skipClass(source, index);
    else if (character === '{' && depth++ === 0) {
      start = index;
      partStart = index + 1;
    } else if (character === '}' && --depth <= 0) {
      if (depth < 0) throw refuse('a "}" closes nothing', 'Write "\\}" for the character.');
      parts.push(source.slice(partStart, index));
      if (parts.length > 1) return { start, end: index, parts };
      throw refuse('braces need at least two alternatives', 'Write "\\{" for the character.');
    } else if (character === ',' && depth === 1) {
      parts.push(source.slice(partStart, index));
      partStart = index + 1;
    }
  }
  if (depth > 0) throw refuse('a "{" is not closed', 'Write "\\{" for the character.');
  return undefined;
}

// Braces within a class are characters of it. One that is never closed is named later, where classes are read.
function skipClass(source: string, start: number): number {
  for (let index = start + 1; index < source.length; index++) {
    if (source[index] === '\\') index++;
    else if (source[index] === ']') return index;
  }
  return start;
}
