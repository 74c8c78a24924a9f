import type { DocumentFormat, DocumentNode, ScalarNode } from './documents/document-node.ts';

/**
 * A scalar that holds the text in the style of the old one; nothing if that style cannot hold the text, or holds it as another
 * type. The spelling is read back in surroundings like its own, by the parser that read the file.
 */
export function writeScalar(scalar: ScalarNode, text: string, format: DocumentFormat): ScalarNode | undefined {
  const source = spell(scalar, text, format);
  if (source === undefined) return undefined;
  const read = format.read(format.wrap(source, scalar));
  if (read.kind !== 'read' || read.documents.length !== 1) return undefined;
  const again = soleMember(read.documents[0]);
  if (again?.kind !== 'scalar') return undefined;
  const { style, type } = scalar;
  const isKept = again.source === source && again.text === text && again.style === style && again.type === type;
  return isKept ? again : undefined;
}

function spell({ style, source }: ScalarNode, text: string, format: DocumentFormat): string | undefined {
  switch (style) {
    case 'plain':
      // An empty scalar has no place of its own: whether a blank is needed before it depends on its neighbours.
      return source === '' || unwritable.test(text) ? undefined : text;
    case 'single-quoted':
      return format.quoteSingle(text);
    case 'double-quoted':
      return `"${escapeDouble(text)}"`;
  }
}

// What a text without quotes cannot show: line breaks, and whatever would have to be escaped.
const unwritable = /[^\P{Cc}\t]|[\u2028\u2029\ufeff]/u;

// The escapes of JSON are understood by YAML and TOML too; both want a few more characters escaped.
function escapeDouble(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function soleMember(root: DocumentNode | undefined): DocumentNode | undefined {
  if (root?.kind !== 'mapping' || root.members().size !== 1) return undefined;
  const [value, another] = root.members().get('k') ?? [];
  return another === undefined ? value : undefined;
}
