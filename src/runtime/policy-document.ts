import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** Something wrong with a policy file, and where. */
export interface PolicyProblem {
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

/** A policy file as a value whose every part knows where it stands. */
export interface PolicyDocument {
  readonly value: unknown;
  readonly problems: readonly PolicyProblem[];
  /** Where the value at a path stands; where it would belong if it is missing. */
  readonly positionOf: (path: readonly PropertyKey[]) => FilePosition;
  /** Where the key of a mapping stands. */
  readonly keyPositionOf: (path: readonly PropertyKey[], key: string) => FilePosition;
}

/** Reads YAML, or JSON where the name says so, without the parts of YAML that hide things: aliases, tags, merges. */
export function parsePolicyDocument(text: string, isJson: boolean): PolicyDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    version: '1.2',
    schema: isJson ? 'json' : 'core',
  });
  const at = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems = [...syntaxProblems(document, at), ...hiddenParts(document, at)];
  if (isJson && problems.length === 0) problems.push(...jsonProblems(text, at));
  return {
    value: problems.length === 0 ? document.toJS() : undefined,
    problems,
    positionOf: (path) => at(offsetOf(document, path)),
    keyPositionOf: (path, key) => at(keyOffset(document, path, key)),
  };
}

type At = (offset: number) => FilePosition;

function syntaxProblems(document: Document, at: At): PolicyProblem[] {
  return [...document.errors, ...document.warnings].map(({ code, message, pos }) => ({
    message: code === 'DUPLICATE_KEY' ? 'the key stands there twice' : lowerFirst(message),
    ...at(pos[0]),
  }));
}

// An alias or a merge makes a line mean what stands elsewhere; a tag makes it another type than it looks.
function hiddenParts(document: Document, at: At): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  const hint = 'Write the value out where it is used.';
  visit(document, {
    Node: (_key, node) => {
      const offset = node.range?.[0] ?? 0;
      if (isAlias(node)) problems.push({ message: 'aliases are not part of a policy', hint, ...at(offset) });
      else if (node.anchor !== undefined)
        problems.push({ message: 'anchors are not part of a policy', hint, ...at(offset) });
      else if (node.tag?.startsWith('!'))
        problems.push({ message: 'tags are not part of a policy', hint, ...at(offset) });
    },
  });
  return problems;
}

// The YAML reader takes more than JSON; a file that claims to be JSON must be.
function jsonProblems(text: string, at: At): PolicyProblem[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
    return [{ message: `it is not JSON: ${lowerFirst(message)}`, ...at(offset) }];
  }
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return startOf(node);
  }
  return isNode(document.contents) ? startOf(document.contents) : 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[], key: string): number {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === key) : undefined;
  return pair !== undefined && isNode(pair.key) ? startOf(pair.key) : offsetOf(document, path);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
