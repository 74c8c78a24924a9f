import type { Tokens } from '../documents/document-node.ts';
import { yamlFormat } from '../documents/yaml-format.ts';
import { compareDocuments } from './compare-documents.ts';
import type { DocumentDifference, DocumentOperation } from './document-work.ts';
import { isSameValue, readData } from './leaves.ts';
import { applyTextSplices } from './text-splices.ts';

/** A document's new text, and the operations that lead there. */
export interface PlannedDocument {
  readonly kind: 'planned';
  readonly after: string;
  readonly operations: readonly DocumentOperation[];
}

/** Shapes that cannot be changed without touching more than their own lines. */
export interface UnplannedDocument {
  readonly kind: 'unplanned';
  readonly refusals: readonly string[];
}

/**
 * Computes what has to happen to the original's lines for it to mean what the answer means. Comments, order and
 * spellings are the original's; nothing of the answer's layout is taken over. The result is read again: it must mean
 * the same as the answer, and hold every comment but those that stood on removed lines.
 */
export function planDocument(difference: DocumentDifference): PlannedDocument | UnplannedDocument {
  const { file, answer } = difference;
  const { splices, operations, refusals } = compareDocuments(difference);
  if (refusals.length > 0) return { kind: 'unplanned', refusals };
  const after = applyTextSplices(file.text, splices);
  const read = yamlFormat.read(after);
  const removed = splices.reduce((sum, { start, end }) => sum + countComments(file.tokens, start, end), 0);
  const added = splices.reduce((sum, { comments }) => sum + comments, 0);
  const isRight =
    read.kind === 'read' &&
    read.documents.length === 1 &&
    read.documents.every((root) => isSameValue(readData(root).value, answer.value)) &&
    countComments(read.tokens) === countComments(file.tokens) - removed + added;
  if (!isRight) return { kind: 'unplanned', refusals: ['the new document cannot be spliced into the old one'] };
  return { kind: 'planned', after, operations };
}

// A lexer's comment begins with its sign; a text that does has the lexer's mark for scalars before it.
function countComments({ starts, sources }: Tokens, from = 0, to = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const [index, source] of sources.entries()) {
    const start = starts[index] ?? 0;
    if (source.startsWith('#') && sources[index - 1] !== '\u001f' && start >= from && start < to) count++;
  }
  return count;
}
