import { concatBytes, encodeUtf8, isWellFormed } from '../../text/utf8.ts';
import { type ReadFile, readDocuments } from '../documents/read-documents.ts';
import { yamlFormat } from '../documents/yaml-format.ts';
import type { FileChange } from '../plan-edits.ts';
import { readFile } from '../plan-file.ts';
import {
  type CheckedDocument,
  checkDocument,
  type LostValue,
  type MigrationTarget,
  type RespelledValue,
} from './document-checks.ts';
import { planDocument } from './document-plan.ts';
import type { DocumentOperation } from './document-work.ts';
import { isSameValue, readData } from './leaves.ts';

/** A file that holds one document, and the document a model made of it. */
export interface MigrationRequest {
  readonly path: string;
  readonly before: Uint8Array;
  /** The whole new document, in YAML or JSON. */
  readonly answer: string;
}

/** What becomes of one document. A refused one lists everything that is wrong with it and has no new content. */
export interface DocumentMigration {
  readonly path: string;
  readonly before: Uint8Array;
  /** The new content; the old one where nothing changes. */
  readonly after: Uint8Array | undefined;
  readonly operations: readonly DocumentOperation[];
  readonly refusals: readonly string[];
  readonly lost: readonly LostValue[];
  readonly respelled: readonly RespelledValue[];
}

/** What becomes of a set of documents; if one is refused, `files` is empty. */
export interface SetMigration {
  readonly documents: readonly DocumentMigration[];
  readonly files: readonly FileChange[];
}

/** Checks a set of documents whole, before anything is written. */
export function migrateDocuments(requests: readonly MigrationRequest[], target: MigrationTarget): SetMigration {
  const documents = requests.map((request) => migrateDocument(request, target));
  const isRefused = documents.some(({ refusals }) => refusals.length > 0);
  const files = documents.flatMap(({ path, before, after }) =>
    isRefused || after === undefined || after === before ? [] : [{ path, before, after }],
  );
  return { documents, files };
}

/** Checks a new document against the one it replaces, and computes what of it changes on its own lines. */
export function migrateDocument(
  { path, before, answer }: MigrationRequest,
  target: MigrationTarget,
): DocumentMigration {
  const none = { path, before, after: undefined, operations: [], lost: [], respelled: [] };
  const file = readFile(path, before);
  if (file.kind !== 'read') return { ...none, refusals: [file.message] };
  if (!isWellFormed(answer)) return { ...none, refusals: ['answer holds a lone surrogate'] };
  const read = readDocuments(answer.startsWith('\ufeff') ? answer.slice(1) : answer, yamlFormat);
  if (read.kind !== 'read') return { ...none, refusals: [read.message.replace(/^file/, 'answer')] };
  const [root, newRoot] = [file.documents[0], read.documents[0]];
  const counts = [countRefusal(file, 'file'), countRefusal(read, 'answer')].flatMap((refusal) => refusal ?? []);
  if (root === undefined || newRoot === undefined || counts.length > 0) return { ...none, refusals: counts };
  const [original, wanted] = [readData(root), readData(newRoot)];
  const checked: CheckedDocument = checkDocument(original, wanted, target);
  const { refusals, lost, respelled, moves } = checked;
  if (refusals.length > 0) return { ...none, refusals, lost, respelled };
  if (isSameValue(original.value, wanted.value)) return { ...none, after: before, refusals, lost, respelled };
  if (file.format !== yamlFormat) {
    return { ...none, refusals: [`${file.format.name} documents cannot be spliced`], lost, respelled };
  }
  const plan = planDocument({ file, original, answer: wanted, moves });
  if (plan.kind === 'unplanned') return { ...none, refusals: plan.refusals, lost, respelled };
  const mark = before.subarray(0, before.length - encodeUtf8(file.text).length);
  const after = concatBytes([mark, encodeUtf8(plan.after)]);
  return { path, before, after, operations: plan.operations, refusals, lost, respelled };
}

function countRefusal({ documents }: ReadFile, name: string): string | undefined {
  if (documents.length === 1) return undefined;
  return `${name} holds ${documents.length} documents; a migration is of one`;
}
