import { isMap, isNode, isScalar, isSeq, type Node } from 'yaml';

/** Where the line of an offset begins. */
export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line of an offset ends, its line break included. */
export function lineEndAt(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

/** Whether nothing but blanks stands before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStartAt(text, offset), offset));
}

/** Where the lines of a key or of an item end: the last line of its value, a comment behind it included. */
export function endOfLines(text: string, value: unknown, key?: Node): number {
  const last = lastOffset(value) ?? key?.range?.[1] ?? 0;
  // A block scalar ends behind its last line break.
  return text.charAt(last - 1) === '\n' ? last : lineEndAt(text, last);
}

function lastOffset(node: unknown): number | undefined {
  if (!isNode(node)) return undefined;
  const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
  if (!isBlock) return isScalar(node) && node.range?.[0] === node.range?.[1] ? undefined : node.range?.[1];
  const item: unknown = node.items.at(-1);
  if (isNode(item) || item === undefined || item === null) return lastOffset(item) ?? node.range?.[1];
  const { key, value } = item as { readonly key: unknown; readonly value: unknown }; // items of a mapping are pairs
  return lastOffset(value) ?? lastOffset(key);
}

/** The comment at the end of a scalar's line, with the blanks before it. */
export function commentBehind(text: string, offset: number): string {
  return /^[ \t]+#[^\r\n]*/.exec(text.slice(offset, lineEndAt(text, offset)))?.[0] ?? '';
}
