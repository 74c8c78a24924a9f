/** Where a scalar stands and how it is spelled. Offsets count UTF-16 units of the text without its byte order mark. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  /** The spelling in the file, quotes included. */
  readonly source: string;
  /** What `from` and `to` are compared with: the decoded string of a quoted scalar, the spelling of any other. */
  readonly text: string;
  /** What it means to a reader of the format. */
  readonly value: unknown;
  readonly style: 'plain' | 'single-quoted' | 'double-quoted';
  /** `string`, `number`, `boolean`, `null`, or the kind of date a TOML file names. */
  readonly type: string;
  /** What a file says about the type itself, as YAML does by `!!int`. */
  readonly tag?: string | undefined;
  /** Whether it stands inside brackets, where fewer characters are plain. */
  readonly isFlow: boolean;
  /** Whether another place of the file repeats this one by an alias. */
  readonly isShared: boolean;
}

/** Keys and their values. A key that stands there twice has two. */
export interface MappingNode {
  readonly kind: 'mapping';
  readonly members: () => ReadonlyMap<string, readonly DocumentNode[]>;
  readonly isShared: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: () => readonly DocumentNode[];
  readonly isShared: boolean;
}

/** What can be found and not be edited: an alias, a text over several lines, a key without a value. */
export interface OpaqueNode {
  readonly kind: 'alias' | 'block scalar' | 'nothing';
  /** The text of a block scalar. */
  readonly value?: unknown;
  readonly isShared: boolean;
}

/** A place in a document. */
export type DocumentNode = ScalarNode | MappingNode | SequenceNode | OpaqueNode;

/** Every token of a text in order, comments included: where each starts, and its spelling. */
export interface Tokens {
  readonly starts: readonly number[];
  readonly sources: readonly string[];
}

/** A text as its places and its tokens. */
export interface ReadDocuments {
  readonly kind: 'read';
  readonly documents: readonly DocumentNode[];
  readonly tokens: Tokens;
}

/** A text that is not what its name says; `reason` continues "file is not valid YAML: ". */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly reason: string;
  /** The key that stands there twice, if that is the reason. */
  readonly duplicate?: string;
}

/** What differs from format to format. */
export interface DocumentFormat {
  readonly name: 'YAML' | 'JSON' | 'TOML';
  readonly read: (text: string) => ReadDocuments | Unreadable;
  /** The tokens alone, for a text that was made from one that could be read; nothing if it has none. */
  readonly readTokens: (text: string) => Tokens | undefined;
  /** A text that holds this spelling under the one key `k`, in the surroundings of the scalar it replaces. */
  readonly wrap: (source: string, like: ScalarNode) => string;
  /** The spelling of a text between single quotes; nothing where they cannot hold it. */
  readonly quoteSingle: (text: string) => string | undefined;
}

/** Deeper nesting than any file for people has; parsers work with the stack, and so would a file written to exhaust it. */
export const maxDepth = 200;

/** The reason every format gives for a deeper file. */
export const tooDeep: Unreadable = { kind: 'unreadable', reason: `it nests more than ${maxDepth} levels deep` };

/** A place in words, from 1. */
export function describeOffset(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return `line ${before.split('\n').length}, column ${offset - lineStart + 1}`;
}
