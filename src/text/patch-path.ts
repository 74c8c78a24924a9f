import { encodeUtf8 } from './utf8.ts';

/**
 * A file's name in a patch header, `a/` or `b/` in front, quoted as git quotes names that are not plain ASCII. One kind
 * more is quoted: git takes a blank before a slash for the end of the name, in patches of its own as well.
 */
export function renderPatchPath(side: 'a' | 'b', path: string): string {
  const named = `${side}/${path.replace(/^\/+/, '')}`;
  const isBare = isPlain.test(named) && !path.includes(' /');
  return isBare ? named : `"${Array.from(encodeUtf8(named), quoteByte).join('')}"`;
}

// Printable ASCII but for the quote and the backslash.
const isPlain = /^[ !#-[\]-~]*$/;

function quoteByte(byte: number): string {
  const named = namedEscapes.get(byte);
  if (named !== undefined) return named;
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

const namedEscapes: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);
