import type { DocumentNode } from './documents/document-node.ts';
import { escapeName } from './key-path.ts';
import { readFile } from './plan-file.ts';

/** A value a model may choose to edit, as it has to name it. */
export interface EditableScalar {
  readonly path: string;
  /** A JSON Pointer, with the document before it where the file holds several. */
  readonly key: string;
  /** What `from` has to be. */
  readonly value: string;
}

// Longer keys are no help to anyone, and a file of nothing but depth would give quadratically much text.
const maxKeyCharacters = 1000;

/** Every scalar of a file that an edit can reach, in the file's order; none for a file that cannot be read. */
export function* listScalars(path: string, bytes: Uint8Array): Generator<EditableScalar> {
  const file = readFile(path, bytes);
  if (file.kind !== 'read') return;
  for (const [index, root] of file.documents.entries()) {
    yield* scalarsBelow(path, file.documents.length > 1 ? `#${index}` : '', root);
  }
}

// With a stack of its own: dotted keys nest deeper than calls can.
function* scalarsBelow(path: string, rootKey: string, root: DocumentNode): Generator<EditableScalar> {
  const waiting = [{ key: rootKey, node: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, node } = next;
    if (node.isShared || key.length > maxKeyCharacters) continue;
    if (node.kind === 'scalar') yield { path, key, value: node.text };
    waiting.push(...childrenOf(node).map(([name, child]) => ({ key: `${key}/${escapeName(name)}`, node: child })));
  }
}

/** Last first, as a stack wants them; keys that stand there twice cannot be named. */
function childrenOf(node: DocumentNode): readonly (readonly [string, DocumentNode])[] {
  if (node.kind === 'sequence')
    return node
      .items()
      .map((item, index) => [String(index), item] as const)
      .reverse();
  if (node.kind !== 'mapping') return [];
  const named: (readonly [string, DocumentNode])[] = [];
  for (const [name, [child, another]] of node.members()) {
    if (child !== undefined && another === undefined) named.push([name, child]);
  }
  return named.reverse();
}
