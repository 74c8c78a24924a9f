/** Text as it can be shown on a terminal, and how many characters had to be made visible. */
export interface VisibleText {
  readonly text: string;
  readonly hidden: number;
}

// Controls, line and paragraph separators, format characters (bidirectional marks, zero widths, tags), lone surrogates,
// private use, whatever Unicode says to draw as nothing, and the Braille blank.
const hiddenCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// Most names and lines; told without a look at Unicode's tables.
const plainText = /^[\t\n\x20-\x7e]*$/;

/** Writes every character that acts on a terminal or hides as `\u{hex}`; tabs and line feeds stay. */
export function renderVisible(text: string): VisibleText {
  if (plainText.test(text)) return { text, hidden: 0 };
  let hidden = 0;
  const shown = text.replace(hiddenCharacters, (character) => {
    if (character === '\t' || character === '\n') return character;
    hidden++;
    if (character === '\r') return '\\r';
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
  return { text: shown, hidden };
}

/** As {@link renderVisible} for a name within a line: line feeds and tabs are made visible as well. */
export function renderVisibleLine(text: string): string {
  return renderVisible(text).text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
