import { Lexer } from 'yaml';

/**
 * Where a text is nested deeper than it may be, as an offset; undefined where it is not. The reader of the YAML package
 * goes down by recursion, and by patterns that grow with the depth: a few kilobytes of brackets or dashes would end the
 * process, past any catch. Its lexer does neither, so it looks first.
 */
export function findTooDeep(text: string, maxLevels: number): number | undefined {
  const levels: Levels = { flow: 0, columns: [], isLineStart: true };
  let offset = 0;
  let lineStart = 0;
  for (const token of new Lexer().lex(text)) {
    if (isMark(token)) continue;
    takeToken(levels, token, offset - lineStart);
    if (levels.flow + levels.columns.length > maxLevels) return offset;
    offset += token.length;
    const lastBreak = token.lastIndexOf('\n');
    if (lastBreak === -1) continue;
    lineStart = offset - (token.length - lastBreak - 1);
    levels.isLineStart = levels.flow === 0;
  }
  return undefined;
}

interface Levels {
  /** Brackets that are open. */
  flow: number;
  /** Columns at which block collections may have begun, outermost first. */
  columns: number[];
  isLineStart: boolean;
}

// What the lexer says about the next token, and no part of the text.
function isMark(token: string): boolean {
  return token === '\u0002' || token === '\u0018' || token === '\u001f';
}

function takeToken(levels: Levels, token: string, column: number): void {
  if (/^\s*$/.test(token) || token.startsWith('#')) return;
  if (token === '[' || token === '{') levels.flow += 1;
  else if (token === ']' || token === '}') levels.flow = Math.max(0, levels.flow - 1);
  if (levels.flow > 0) return;
  const isNested = token === '-' || token === '?';
  if (levels.isLineStart) levels.columns = levels.columns.filter((outer) => outer < column);
  if (levels.isLineStart || isNested) levels.columns.push(column);
  levels.isLineStart = false;
}
