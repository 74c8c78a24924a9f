import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { once } from '../../cores/once.ts';
import {
  type DocumentFormat,
  type DocumentNode,
  describeOffset,
  maxDepth,
  type ReadDocuments,
  type Tokens,
  tooDeep,
  type Unreadable,
} from './document-node.ts';

/** JSON, with the comments and trailing commas that many files named `.json` carry as well as those named `.jsonc`. */
export const jsonFormat: DocumentFormat = {
  name: 'JSON',
  read: readJson,
  readTokens: (text) => scan(text).tokens,
  wrap: (source) => `{"k":${source}}`,
  quoteSingle: () => undefined,
};

function readJson(text: string): ReadDocuments | Unreadable {
  const { tokens, depth } = scan(text);
  if (depth > maxDepth) return tooDeep;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const words = printParseErrorCode(error.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
    return { kind: 'unreadable', reason: `${words.toLowerCase()} (${describeOffset(text, error.offset)})` };
  }
  return { kind: 'read', documents: root === undefined ? [] : [toNode(root, text)], tokens };
}

function toNode(node: Node, text: string): DocumentNode {
  if (node.type === 'array') {
    const items = once(() => (node.children ?? []).map((child) => toNode(child, text)));
    return { kind: 'sequence', isShared: false, items };
  }
  if (node.type === 'object') return { kind: 'mapping', isShared: false, members: once(() => membersOf(node, text)) };
  const source = text.slice(node.offset, node.offset + node.length);
  const isString = node.type === 'string';
  return {
    kind: 'scalar',
    start: node.offset,
    end: node.offset + node.length,
    source,
    text: isString ? String(node.value) : source,
    value: node.value,
    style: isString ? 'double-quoted' : 'plain',
    type: node.type,
    isFlow: true,
    isShared: false,
  };
}

function membersOf(node: Node, text: string): ReadonlyMap<string, readonly DocumentNode[]> {
  const members = new Map<string, DocumentNode[]>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const others = members.get(name);
    if (others === undefined) members.set(name, [toNode(value, text)]);
    else others.push(toNode(value, text));
  }
  return members;
}

function scan(text: string): { readonly tokens: Tokens; readonly depth: number } {
  const scanner = createScanner(text, false);
  const tokens = { starts: [] as number[], sources: [] as string[] };
  let depth = 0;
  let deepest = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const start = scanner.getTokenOffset();
    const source = text.slice(start, start + scanner.getTokenLength());
    if (source.trim() === '') continue;
    tokens.starts.push(start);
    tokens.sources.push(source);
    if (source === '{' || source === '[') deepest = Math.max(deepest, ++depth);
    if (source === '}' || source === ']') depth--;
  }
  return { tokens, depth: deepest };
}
