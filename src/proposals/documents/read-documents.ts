import type { DocumentFormat, DocumentNode, Tokens } from './document-node.ts';
import { jsonFormat } from './json-format.ts';
import { tomlFormat } from './toml-format.ts';
import { yamlFormat } from './yaml-format.ts';

/** A file read for its places. */
export interface ReadFile {
  readonly kind: 'read';
  readonly format: DocumentFormat;
  /** Without the byte order mark; every offset counts in it. */
  readonly text: string;
  readonly documents: readonly DocumentNode[];
  readonly tokens: Tokens;
}

/** A file that no key can be looked up in. */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly message: string;
  /** The key that stands there twice, where a format does not allow that at all. */
  readonly duplicate?: string;
}

/** The format a file's name promises; nothing for a name of another kind. */
export function formatOf(path: string): DocumentFormat | undefined {
  return formats.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
}

const formats: ReadonlyMap<string, DocumentFormat> = new Map([
  ['yaml', yamlFormat],
  ['yml', yamlFormat],
  ['json', jsonFormat],
  ['jsonc', jsonFormat],
  ['toml', tomlFormat],
]);

/** Reads a text, its byte order mark taken off, as the documents it holds. */
export function readDocuments(text: string, format: DocumentFormat): ReadFile | UnreadableFile {
  const read = format.read(text);
  if (read.kind === 'read') return { ...read, format, text };
  const { reason, duplicate } = read;
  const message = `file is not valid ${format.name}: ${reason}`;
  return { kind: 'unreadable', message, ...(duplicate !== undefined && { duplicate }) };
}
