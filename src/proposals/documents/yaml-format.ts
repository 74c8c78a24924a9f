import { Composer, type Document, isAlias, isMap, isScalar, isSeq, Lexer, type ParsedNode, Parser, Scalar } from 'yaml';
import { once } from '../../cores/once.ts';
import {
  type DocumentFormat,
  type DocumentNode,
  describeOffset,
  maxDepth,
  type ReadDocuments,
  type ScalarNode,
  type Tokens,
  tooDeep,
  type Unreadable,
} from './document-node.ts';

/** YAML 1.2, read by its lexer's tokens, so that a second text can be compared with the first at a tenth of the cost. */
export const yamlFormat: DocumentFormat = {
  name: 'YAML',
  read: readYaml,
  readTokens: (text) => collect(new Lexer().lex(text)),
  wrap: (source, { tag, isFlow }) => {
    const tagged = tag === undefined ? source : `!<${tag}> ${source}`;
    return isFlow ? `{k: ${tagged}}\n` : `k: ${tagged}\n`;
  },
  // A line break between single quotes would be folded, and a control character is none of YAML's.
  quoteSingle: (text) => (unprintable.test(text) ? undefined : `'${text.replaceAll("'", "''")}'`),
};

const unprintable = /[\p{Cc}\u2028\u2029\ufeff]/u;

// Every level takes one entry of the parser's stack; the document and the innermost value take the other two.
const maxStack = maxDepth + 2;

function readYaml(text: string): ReadDocuments | Unreadable {
  const tokens = emptyTokens();
  const parser = new Parser();
  const composer = new Composer({ version: '1.2', uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  let isTooDeep = false;
  function* parse() {
    for (const lexeme of new Lexer().lex(text)) {
      push(tokens, lexeme);
      yield* parser.next(lexeme);
      isTooDeep = parser.stack.length > maxStack;
      if (isTooDeep) return;
    }
    yield* parser.end();
  }
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(parse())) {
    if (isTooDeep) return tooDeep;
    documents.push(document);
  }
  const problem = documents.map((document) => findProblem(document, text)).find((found) => found !== undefined);
  if (isTooDeep || problem !== undefined) return problem ?? tooDeep;
  const context = { text, aliases: findAliases(tokens), isFlow: false };
  return { kind: 'read', documents: documents.map(({ contents }) => toNode(contents, context)), tokens };
}

function findProblem({ errors, directives }: Document.Parsed, text: string): Unreadable | undefined {
  const [error] = errors;
  if (error !== undefined) {
    const message = error.message.slice(0, 1).toLowerCase() + error.message.slice(1);
    return { kind: 'unreadable', reason: `${message} (${describeOffset(text, error.pos[0])})` };
  }
  const { version } = directives.yaml;
  return version === '1.2' ? undefined : { kind: 'unreadable', reason: `it declares YAML ${version}` };
}

interface Context {
  readonly text: string;
  readonly aliases: ReadonlySet<string>;
  readonly isFlow: boolean;
}

function toNode(node: ParsedNode | null, outer: Context): DocumentNode {
  if (node === null) return { kind: 'nothing', isShared: false };
  if (isAlias(node)) return { kind: 'alias', isShared: false };
  const isShared = node.anchor !== undefined && outer.aliases.has(node.anchor);
  if (isScalar(node)) return toScalar(node, outer, isShared);
  const context = { ...outer, isFlow: outer.isFlow || node.flow === true };
  if (isSeq(node)) {
    return { kind: 'sequence', isShared, items: once(() => node.items.map((item) => toItem(item, context))) };
  }
  const pairs: readonly { readonly key: unknown; readonly value: ParsedNode | null }[] = node.items;
  const members = once(() => {
    const found = new Map<string, DocumentNode[]>();
    for (const { key, value } of pairs) {
      if (!isScalar(key)) continue;
      const name = nameOf(key, context.text);
      const others = found.get(name);
      if (others === undefined) found.set(name, [toNode(value, context)]);
      else others.push(toNode(value, context));
    }
    return found;
  });
  return { kind: 'mapping', isShared, members };
}

// Items of a sequence are nodes, though their type allows pairs as those of a `!!omap` are.
function toItem(item: unknown, context: Context): DocumentNode {
  const isNode = isScalar(item) || isMap(item) || isSeq(item) || isAlias(item);
  return isNode ? toNode(item as ParsedNode, context) : { kind: 'nothing', isShared: false }; // parsed, hence with ranges
}

function toScalar(node: Scalar, { text, isFlow }: Context, isShared: boolean): DocumentNode {
  const [start, end] = node.range ?? [0, 0];
  const style = styles.get(node.type);
  if (style === undefined) return { kind: 'block scalar', value: node.value, isShared };
  const source = text.slice(start, end);
  const { value, tag } = node;
  return {
    kind: 'scalar',
    start,
    end,
    source,
    text: style === 'plain' ? source : (node.source ?? ''),
    value,
    style,
    type: value === null ? 'null' : typeof value === 'bigint' ? 'number' : typeof value,
    tag,
    isFlow,
    isShared,
  };
}

const styles: ReadonlyMap<Scalar['type'], ScalarNode['style']> = new Map([
  [Scalar.PLAIN, 'plain'],
  [Scalar.QUOTE_SINGLE, 'single-quoted'],
  [Scalar.QUOTE_DOUBLE, 'double-quoted'],
]);

/** What a key is called: a plain one what stands there, so that `1.0` is not `1`. */
export function nameOf(key: Scalar, text: string): string {
  const [start, end] = key.range ?? [0, 0];
  return key.type === 'PLAIN' ? text.slice(start, end) : (key.source ?? '');
}

interface TokenList extends Tokens {
  readonly starts: number[];
  readonly sources: string[];
}

function emptyTokens(): TokenList {
  return { starts: [], sources: [] };
}

function collect(lexemes: Iterable<string>): Tokens {
  const tokens = emptyTokens();
  for (const lexeme of lexemes) push(tokens, lexeme);
  return tokens;
}

// The lexer's own marks stand between the pieces of the text and take no room in it.
const marks = new Set(['\u0002', '\u0018', scalarMark()]);

function scalarMark(): string {
  return '\u001f';
}

function push({ starts, sources }: TokenList, lexeme: string): void {
  const last = sources.length - 1;
  const lastSource = sources[last] ?? '';
  const start = last < 0 ? 0 : (starts[last] ?? 0) + (marks.has(lastSource) ? 0 : lastSource.length);
  starts.push(start);
  sources.push(lexeme);
}

function findAliases({ sources }: Tokens): ReadonlySet<string> {
  const isAliasToken = (source: string, index: number) => source.startsWith('*') && sources[index - 1] !== scalarMark();
  return new Set(sources.filter(isAliasToken).map((source) => source.slice(1)));
}
