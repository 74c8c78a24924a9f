import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
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

/** TOML 1.0. */
export const tomlFormat: DocumentFormat = {
  name: 'TOML',
  read: readToml,
  readTokens: (text) => {
    const program = parse(text);
    return 'body' in program ? tokensOf(program, text) : undefined;
  },
  wrap: (source) => `k = ${source}\n`,
  quoteSingle: (text) => (/['\p{Cc}]/u.test(text) ? undefined : `'${text}'`),
};

function readToml(text: string): ReadDocuments | Unreadable {
  const program = parse(text);
  if (!('body' in program)) return program;
  const tokens = tokensOf(program, text);
  if (depthOf(tokens) > maxDepth) return tooDeep;
  const root: Table = new Map();
  for (const entry of program.body[0].body) {
    if (entry.type === 'TOMLKeyValue') addEntry(root, entry, text);
    else {
      const table = openTable(root, entry.resolvedKey);
      for (const inner of entry.body) addEntry(table, inner, text);
    }
  }
  return { kind: 'read', documents: [toNode(root)], tokens };
}

function parse(text: string): AST.TOMLProgram | Unreadable {
  try {
    return parseTOML(text, { tomlVersion: '1.0' });
  } catch (error) {
    // The parser calls itself once per bracket, and a file can hold more of them than the stack has room for.
    if (error instanceof RangeError) return tooDeep;
    if (!(error instanceof ParseError)) throw error;
    const message = error.message.slice(0, 1).toLowerCase() + error.message.slice(1);
    const reason = `${message} (${describeOffset(text, error.index)})`;
    if (!message.includes('multiple times')) return { kind: 'unreadable', reason };
    const name = /^(?:"([^"]*)"|'([^']*)'|([\w-]+))/.exec(text.slice(error.index));
    return { kind: 'unreadable', reason, duplicate: name?.[1] ?? name?.[2] ?? name?.[3] ?? '' };
  }
}

// Later headers and dotted keys add to tables, so the places are made when the file has been read to its end.
type Table = Map<string, Entry>;
type Entry = Table | Entry[] | DocumentNode;

function toNode(entry: Entry): DocumentNode {
  if (Array.isArray(entry)) return { kind: 'sequence', isShared: false, items: once(() => entry.map(toNode)) };
  if (!(entry instanceof Map)) return entry;
  const members = once(() => new Map([...entry].map(([name, member]) => [name, [toNode(member)]] as const)));
  return { kind: 'mapping', isShared: false, members };
}

// The parser has refused whatever stands in the way of these names.
function openTable(root: Table, names: readonly (string | number)[]): Table {
  let place: Table | Entry[] = root;
  for (const [index, name] of names.entries()) {
    const next: Entry | undefined = Array.isArray(place) ? place[Number(name)] : place.get(String(name));
    if (next instanceof Map || Array.isArray(next)) {
      place = next;
      continue;
    }
    const made: Table | Entry[] = typeof names[index + 1] === 'number' ? [] : new Map();
    if (Array.isArray(place)) place.push(made);
    else place.set(String(name), made);
    place = made;
  }
  return Array.isArray(place) ? new Map() : place;
}

function addEntry(table: Table, { key, value }: AST.TOMLKeyValue, text: string): void {
  const names = key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
  openTable(table, names.slice(0, -1)).set(names.at(-1) ?? '', toEntry(value, text));
}

function toEntry(node: AST.TOMLContentNode, text: string): Entry {
  if (node.type === 'TOMLArray') return node.elements.map((element) => toEntry(element, text));
  if (node.type === 'TOMLValue') return toScalar(node, text);
  const table: Table = new Map();
  for (const entry of node.body) addEntry(table, entry, text);
  return table;
}

function toScalar(node: AST.TOMLValue, text: string): DocumentNode {
  const [start, end] = node.range;
  const source = text.slice(start, end);
  const common = { kind: 'scalar', start, end, source, isFlow: false, isShared: false } as const;
  if (node.kind !== 'string') {
    const type = node.kind === 'integer' || node.kind === 'float' ? 'number' : node.kind;
    const value = node.kind === 'integer' ? node.bigint : 'datetime' in node ? node.datetime : node.value;
    return { ...common, text: source, value, style: 'plain', type };
  }
  if (node.multiline) return { kind: 'block scalar', value: node.value, isShared: false };
  const style = node.style === 'basic' ? 'double-quoted' : 'single-quoted';
  return { ...common, text: node.value, value: node.value, style, type: 'string' };
}

function tokensOf({ tokens, comments }: AST.TOMLProgram, text: string): Tokens {
  const all = [...tokens, ...comments].sort((one, other) => one.range[0] - other.range[0]);
  return { starts: all.map(({ range }) => range[0]), sources: all.map(({ range }) => text.slice(...range)) };
}

function depthOf({ sources }: Tokens): number {
  let depth = 0;
  let deepest = 0;
  for (const source of sources) {
    if (source === '[' || source === '{') deepest = Math.max(deepest, ++depth);
    if (source === ']' || source === '}') depth--;
  }
  return deepest;
}
