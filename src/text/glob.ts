import { anyCharacter, anyRun, type CharacterPattern, parseGlobPattern, type SegmentPattern } from './glob-pattern.ts';

/** A pattern over root-relative paths. */
export interface Glob {
  readonly source: string;
  /** True when the whole path fits. Time grows with pattern times path, never faster. */
  readonly matches: (path: string) => boolean;
}

/**
 * Compiles a pattern: `*` and `?` within a segment, `**` for any number of whole segments, `[a-z]`, `[!a-z]`,
 * `{one,other}`, and `\` before a character meant as itself. Names that begin with a dot are ordinary names, and a
 * line feed is an ordinary character: a pattern that denies cannot be passed by an odd name.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` for a pattern that no path can fit.
 */
export function parseGlob(source: string): Glob {
  const alternatives = parseGlobPattern(source);
  return {
    source,
    matches: (path) => {
      const segments = path.split('/');
      return alternatives.some((alternative) => fits(alternative, segments, fitsSegment));
    },
  };
}

/** The pattern that fits this path and no other. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!@+(]/g, '\\$&');
}

type Many = typeof anyRun;

// One walk for both levels: segments of a path with `**`, characters of a segment with `*`. It remembers only the last
// wildcard, which is enough, and is what keeps hostile names from costing more than pattern times name.
function fits<Pattern, Item>(
  patterns: readonly (Pattern | Many)[],
  items: readonly Item[],
  fitsOne: (pattern: Pattern, item: Item) => boolean,
): boolean {
  let pattern = 0;
  let item = 0;
  let wildcard = -1;
  let wildcardItem = 0;
  while (item < items.length) {
    const current = patterns[pattern];
    const value = items[item];
    if (current === anyRun) {
      wildcard = pattern++;
      wildcardItem = item;
    } else if (current !== undefined && value !== undefined && fitsOne(current, value)) {
      pattern++;
      item++;
    } else if (wildcard >= 0) {
      pattern = wildcard + 1;
      item = ++wildcardItem;
    } else {
      return false;
    }
  }
  while (patterns[pattern] === anyRun) pattern++;
  return pattern === patterns.length;
}

function fitsSegment(pattern: SegmentPattern, segment: string): boolean {
  if (pattern.text !== undefined) return pattern.text === segment;
  if (pattern.prefix !== undefined && !segment.startsWith(pattern.prefix)) return false;
  return fits(pattern.characters, Array.from(segment), fitsCharacter);
}

function fitsCharacter(pattern: CharacterPattern, character: string): boolean {
  if (pattern === anyCharacter) return true;
  if (typeof pattern === 'string') return pattern === character;
  const inside = pattern.ranges.some(([from, to]) => from <= codePoint(character) && codePoint(character) <= to);
  return inside !== pattern.negated;
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? -1;
}
