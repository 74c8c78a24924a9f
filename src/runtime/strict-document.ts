import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { type ErrorCode, PortholeError } from '../contract/errors.ts';
import { findTooDeep } from './yaml-depth.ts';

/** Something wrong with a file, and where. */
export interface DocumentProblem {
  readonly message: string;
  readonly hint?: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** A place in a file, from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** A file as a value whose every part knows where it stands. */
export interface StrictDocument {
  readonly value: unknown;
  readonly problems: readonly DocumentProblem[];
  /** Where the value at a path stands; where it would belong if it is missing. */
  readonly positionOf: (path: readonly PropertyKey[]) => FilePosition;
  /** Where the key of a mapping stands. */
  readonly keyPositionOf: (path: readonly PropertyKey[], key: string) => FilePosition;
  /** How the text at a path is written, to find a place within it again. */
  readonly writtenAt: (path: readonly PropertyKey[]) => WrittenText | undefined;
}

/** A text value as it stands in its file. */
export interface WrittenText {
  /** The whole file, and where the value begins and ends in it. */
  readonly file: string;
  /** What it says. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'folded';
  readonly positionAt: (offset: number) => FilePosition;
}

/** What a kind of file allows. */
export interface DocumentRules {
  readonly isJson: boolean;
  /** The kind in words, such as `a policy`. */
  readonly kind: string;
  /** Most aliases; with none, anchors are refused as well. Default: none. */
  readonly maxAliases?: number;
  /** Looks at every key. */
  readonly judgeKey?: (key: string) => Omit<DocumentProblem, 'line' | 'column'> | undefined;
}

// Deeper than anything a person writes; the reader goes down one call per level.
const maxLevels = 64;

/** Reads YAML 1.2, or JSON where that is meant, without the parts of YAML that hide things: tags, merges, free aliases. */
export function parseStrictDocument(text: string, rules: DocumentRules): StrictDocument {
  const lines = new LineCounter();
  const at = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const tooDeep = findTooDeep(text, maxLevels);
  if (tooDeep !== undefined) {
    // The reader, which tells where lines begin, is never started.
    for (const { index } of text.matchAll(/^|(?<=\n)/g)) lines.addNewLine(index);
    return withoutValue([{ message: `it is nested deeper than ${maxLevels} levels`, ...at(tooDeep) }], at);
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    // Looked at below: the reader compares every key of a mapping with every other.
    uniqueKeys: false,
    stringKeys: true,
    version: '1.2',
    schema: rules.isJson ? 'json' : 'core',
  });
  const problems = [
    ...syntaxProblems(document, at),
    ...otherVersion(document, at),
    ...repeatedKeys(document, at),
    ...hiddenParts(document, rules, at),
  ];
  if (rules.isJson && problems.length === 0) problems.push(...jsonProblems(text, at));
  const index = new NodeIndex(document);
  const value = problems.length === 0 ? readValue(document, { rules, problems, at }) : undefined;
  return {
    value,
    problems,
    positionOf: (path) => at(offsetOf(index, path)),
    keyPositionOf: (path, key) => at(keyOffset(index, path, key)),
    writtenAt: (path) => {
      const node = index.nodeAt(path);
      return isScalar(node) ? writtenText(node, text, at) : undefined;
    },
  };
}

/** The one error for what is wrong with a file: the first problem in its message, all of them in its details. */
export function documentError(
  code: ErrorCode,
  what: string,
  file: string,
  found: readonly DocumentProblem[],
): PortholeError {
  const problems = found.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const [first] = problems;
  const place = first === undefined ? file : `${file}:${first.line}:${first.column}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const message = `Cannot use ${what} ${place}: ${first?.message ?? 'it is not usable'}${more}`;
  const hint = first?.hint;
  return new PortholeError(code, message, { ...(hint === undefined ? {} : { hint }), details: { file, problems } });
}

type At = (offset: number) => FilePosition;

function withoutValue(problems: readonly DocumentProblem[], at: At): StrictDocument {
  const start = () => at(0);
  return { value: undefined, problems, positionOf: start, keyPositionOf: start, writtenAt: () => undefined };
}

interface Reading {
  readonly rules: DocumentRules;
  readonly problems: DocumentProblem[];
  readonly at: At;
}

// Aliases multiply: a hundred of them can stand for more nodes than any memory holds. The reader counts.
function readValue(document: Document, { rules, problems, at }: Reading): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasesTimesUses(rules) });
  } catch (error) {
    const message = `its aliases cannot be followed: ${lowerFirst(error instanceof Error ? error.message : String(error))}`;
    problems.push({ message, ...at(firstAlias(document)) });
    return undefined;
  }
}

// The reader's count begins with the anchor itself.
function aliasesTimesUses({ maxAliases = 0 }: DocumentRules): number {
  return maxAliases + 1;
}

function firstAlias(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias: (_key, node) => {
      offset = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function syntaxProblems(document: Document, at: At): DocumentProblem[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    message:
      code === 'MULTIPLE_DOCS' ? 'a second document begins here, and there can be one only' : lowerFirst(message),
    ...at(pos[0]),
  }));
}

// What is written for another version would be read as what it does not mean: `no` was false once.
function otherVersion({ directives }: Document, at: At): DocumentProblem[] {
  const version = directives?.yaml.version ?? '1.2';
  return version === '1.2' ? [] : [{ message: `it declares YAML ${version}, and is read as YAML 1.2`, ...at(0) }];
}

function repeatedKeys(document: Document, at: At): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) problems.push({ message: 'the key stands there twice', ...at(startOf(key)) });
        seen.add(key.value);
      }
    },
  });
  return problems;
}

// An alias or a merge makes a line mean what stands elsewhere; a tag makes it another type than it looks.
function hiddenParts(document: Document, { kind, maxAliases = 0, judgeKey }: DocumentRules, at: At): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const hint = 'Write the value out where it is used.';
  let aliases = 0;
  visit(document, {
    Node: (_key, node) => {
      const place = at(node.range?.[0] ?? 0);
      const isUsed = isAlias(node) && ++aliases > maxAliases;
      if (isUsed && maxAliases > 0) {
        problems.push({ message: `it holds more than ${maxAliases} aliases`, hint, ...place });
        return visit.BREAK;
      }
      if (isUsed) problems.push({ message: `aliases are not part of ${kind}`, hint, ...place });
      else if (!isAlias(node) && node.anchor !== undefined && maxAliases === 0)
        problems.push({ message: `anchors are not part of ${kind}`, hint, ...place });
      else if (node.tag?.startsWith('!')) problems.push({ message: `tags are not part of ${kind}`, hint, ...place });
      return undefined;
    },
    Pair: (_key, pair) => {
      if (!isScalar(pair.key)) return;
      const problem = judgeKey?.(String(pair.key.value));
      if (problem !== undefined) problems.push({ ...problem, ...at(pair.key.range?.[0] ?? 0) });
    },
  });
  return problems;
}

// The YAML reader takes more than JSON; a file that claims to be JSON must be.
function jsonProblems(text: string, at: At): DocumentProblem[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    return [{ message: `it is not JSON: ${lowerFirst(message)}`, ...at(offset) }];
  }
}

function offsetOf(index: NodeIndex, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = index.nodeAt(path.slice(0, length));
    if (node !== undefined) return startOf(node);
  }
  return 0;
}

function keyOffset(index: NodeIndex, path: readonly PropertyKey[], key: string): number {
  const pair = index.pairOf(index.nodeAt(path), key);
  return isNode(pair?.key) ? startOf(pair.key) : offsetOf(index, path);
}

// Finds nodes by their paths. The document's own search looks at every key of a mapping, each time.
class NodeIndex {
  readonly #contents: unknown;
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor({ contents }: Document) {
    this.#contents = contents;
  }

  nodeAt(path: readonly PropertyKey[]): Node | undefined {
    let node = this.#contents;
    for (const key of path) node = isSeq(node) ? node.items[Number(key)] : this.pairOf(node, String(key))?.value;
    return isNode(node) ? node : undefined;
  }

  pairOf(node: unknown, key: string): Pair | undefined {
    if (!isMap(node)) return undefined;
    const known = this.#pairs.get(node);
    if (known !== undefined) return known.get(key);
    const pairs = new Map(node.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : '', pair]));
    this.#pairs.set(node, pairs);
    return pairs.get(key);
  }
}

function writtenText(node: Scalar, file: string, positionAt: At): WrittenText | undefined {
  const style = node.type === undefined ? undefined : styles[node.type];
  if (style === undefined || node.range === undefined || node.range === null) return undefined;
  return { file, value: String(node.value), start: node.range[0], end: node.range[1], style, positionAt };
}

const styles: Readonly<Record<string, WrittenText['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'block',
  BLOCK_FOLDED: 'folded',
};

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
