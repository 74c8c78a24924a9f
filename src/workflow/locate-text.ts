import type { FilePosition, WrittenText } from '../runtime/strict-document.ts';
import type { TextPlace } from './agent-file.ts';

/**
 * Finds places of a text in the file it is written in: exactly for block scalars and for texts on one line, and the
 * beginning of the text where folding or line breaks of YAML leave no way back.
 */
export function createLocator(
  written: WrittenText | undefined,
  start: FilePosition,
): (place: TextPlace) => FilePosition {
  if (written === undefined) return () => start;
  switch (written.style) {
    case 'block':
      return locateInBlock(written);
    case 'folded':
      return () => start;
    case 'plain':
    case 'single':
    case 'double':
      return locateInLine(written, start);
  }
}

// The lines of a literal block are the lines of the text, each behind the same indentation.
function locateInBlock({ file, value, start, end, positionAt }: WrittenText): (place: TextPlace) => FilePosition {
  const head = positionAt(start).line;
  const indent = lengthOfFirst(file.slice(start, end).split('\n').slice(1)) - lengthOfFirst(value.split('\n'));
  return ({ line, column = 1 }) => ({ line: head + line, column: indent + column });
}

function lengthOfFirst(lines: readonly string[]): number {
  return (lines.find((line) => line.trim() !== '') ?? '').trimEnd().length;
}

function locateInLine(written: WrittenText, start: FilePosition): (place: TextPlace) => FilePosition {
  const { file, style, positionAt } = written;
  const isQuoted = style !== 'plain';
  const [from, to] = [written.start + (isQuoted ? 1 : 0), written.end - (isQuoted ? 1 : 0)];
  const raw = file.slice(from, to);
  if (raw.includes('\n')) return () => start;
  return (place) => {
    let [line, column] = [1, 1];
    let index = 0;
    while (index < raw.length && (line < place.line || (line === place.line && column < (place.column ?? 1)))) {
      const unit = unitAt(raw, index, style);
      [line, column] = unit.isBreak ? [line + 1, 1] : [line, column + 1];
      index += unit.length;
    }
    return positionAt(from + index);
  };
}

// One UTF-16 unit of the text, as its spelling has it.
function unitAt(raw: string, index: number, style: WrittenText['style']): { length: number; isBreak: boolean } {
  if (style === 'single') return { length: raw.startsWith("''", index) ? 2 : 1, isBreak: false };
  if (style !== 'double' || raw[index] !== '\\') return { length: 1, isBreak: false };
  const kind = raw[index + 1] ?? '';
  const digits = { x: 2, u: 4, U: 8 }[kind] ?? 0;
  return { length: 2 + digits, isBreak: kind === 'n' };
}
