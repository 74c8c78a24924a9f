import { codePointAt, codePointSize, invalidByte } from './code-point.ts';

// One line of a result stays readable at this length; the file has the rest.
const maxQuotedCharacters = 200;

// Generated or minified lines run to megabytes; 2,000 code points are enough to recognise one.
const maxPageCharacters = 2000;

/** How to show a line beside the sentence it stands in. */
export interface QuoteOptions {
  /** Also escape what leaves no mark on a screen, like a no-break space: for lines that are shown to be compared. */
  readonly escapeInvisible?: boolean;
}

/**
 * A line's text in double quotes on one line, cut at 200 code points. Reads back unambiguously: quotes, backslashes,
 * control and bidirectional characters are escaped, bytes that are no UTF-8 stand as `\xE9`.
 */
export function quoteLine(text: Uint8Array, options: QuoteOptions = {}): string {
  const shown = renderCharacters(text, maxQuotedCharacters, (codePoint) => {
    const short = shortEscapes.get(codePoint);
    if (short !== undefined) return short;
    const hide = isControl(codePoint) || (options.escapeInvisible === true && isInvisible(codePoint));
    return hide ? escapeCodePoint(codePoint) : undefined;
  });
  return `"${shown.text}${shown.end < text.length ? '…' : ''}"`;
}

/** A text in double quotes, in the same form as {@link quoteLine}. */
export function quoteText(text: string, options: QuoteOptions = {}): string {
  return quoteLine(new TextEncoder().encode(text), options);
}

/** One line of a page of numbered lines. */
export interface PageLine {
  readonly text: string;
  /** Whether bytes that are no UTF-8 stand in it as `\xE9`. */
  readonly hasInvalidBytes: boolean;
}

/**
 * A line's text as a page of numbered lines shows it: as it is, tabs, quotes and backslashes included; control and
 * bidirectional characters escaped; beyond 2,000 code points cut, with the count of what is missing.
 */
export function renderPageLine(text: Uint8Array): PageLine {
  const shown = renderCharacters(text, maxPageCharacters, (codePoint) =>
    codePoint !== tab && isControl(codePoint) ? escapeCodePoint(codePoint) : undefined,
  );
  const missing = countCharacters(text, shown.end);
  return {
    text: missing === 0 ? shown.text : `${shown.text}… (+${missing} chars)`,
    hasInvalidBytes: shown.hasInvalidBytes,
  };
}

interface RenderedCharacters extends PageLine {
  /** Where the first character that was not rendered starts. */
  readonly end: number;
}

function renderCharacters(
  bytes: Uint8Array,
  maxCharacters: number,
  escapeCharacter: (codePoint: number) => string | undefined,
): RenderedCharacters {
  let text = '';
  let end = 0;
  let hasInvalidBytes = false;
  for (let count = 0; end < bytes.length && count < maxCharacters; count++) {
    const codePoint = codePointAt(bytes, end);
    if (codePoint === invalidByte) hasInvalidBytes = true;
    text +=
      codePoint === invalidByte
        ? escapeByte(bytes[end] ?? 0)
        : (escapeCharacter(codePoint) ?? String.fromCodePoint(codePoint));
    end += codePointSize(codePoint);
  }
  return { text, end, hasInvalidBytes };
}

function countCharacters(bytes: Uint8Array, from: number): number {
  let count = 0;
  for (let index = from; index < bytes.length; count++) index += codePointSize(codePointAt(bytes, index));
  return count;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function escapeCodePoint(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}

const tab = 0x09;

const shortEscapes: ReadonlyMap<number, string> = new Map([
  [tab, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

// Control characters act on a terminal; U+2028 and U+2029 break a line in some readers; bidirectional marks and
// overrides make a line read as something it is not.
const controls = /^[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;

function isControl(codePoint: number): boolean {
  // Printable ASCII, nearly every character, needs no pattern.
  return (codePoint < 0x20 || codePoint > 0x7e) && controls.test(String.fromCodePoint(codePoint));
}

const invisibles = /^[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

function isInvisible(codePoint: number): boolean {
  return codePoint > 0x7e && invisibles.test(String.fromCodePoint(codePoint));
}
