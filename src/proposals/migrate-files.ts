import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { isPortholeError } from '../contract/errors.ts';
import { canonicalJsonOfAnyText } from '../text/canonical-json.ts';
import { type AttemptCap, type AttemptReport, checkAttempts, renderAttempts, takeAttempt } from './attempts.ts';
import { type FileDiff, landSet } from './land-set.ts';
import type { MigrationTarget } from './migration/document-checks.ts';
import { type DocumentMigration, migrateDocuments } from './migration/migrate-document.ts';
import type { OpenFiles } from './open-files.ts';
import type { PathRules } from './path-rules.ts';
import type { FileChange } from './plan-edits.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A file and the document that shall stand in it. */
export interface NewDocument {
  readonly path: string;
  /** Whole, in YAML or JSON. */
  readonly answer: string;
}

/** What became of one document. */
export type MigratedDocument = Omit<DocumentMigration, 'before' | 'after'>;

/** What became of a set of documents. */
export interface MigrateReport {
  /** As of a verdict: a set with a refused document changes nothing. */
  readonly outcome: 'applied' | 'already' | 'planned' | 'rejected';
  readonly documents: readonly MigratedDocument[];
  readonly diffs: readonly FileDiff[];
  readonly attempts: AttemptReport;
}

/** What migrating takes. */
export interface MigrateRequest {
  readonly target: JudgedTarget;
  readonly caller: JudgedCaller;
  readonly documents: readonly NewDocument[];
  readonly migration: MigrationTarget;
  readonly rules: PathRules;
  readonly attempts: AttemptCap | undefined;
  readonly dryRun: boolean;
}

/**
 * Moves documents to a new schema: all of them or none, on the lines that change.
 * @throws PortholeError `ATTEMPTS_SPENT`, `POLICY_DENIED`, `APPROVAL_NEEDED`, `APPROVAL_DENIED`, `CHANGED_SINCE_READ`
 */
export async function migrateFiles(request: MigrateRequest): Promise<MigrateReport> {
  const { caller, target, documents, dryRun } = request;
  const { log } = caller.context;
  let attempts = await checkAttempts(request.attempts).catch((error: unknown) => {
    const code = isPortholeError(error) ? error.code : 'IO_FAILED';
    log.recordAfter('proposal.rejected', { code }, caller.callId);
    throw error;
  });
  const landed = await landSet({
    target,
    caller,
    call: {
      id: caller.callId,
      tool: caller.name,
      name: 'apply',
      arguments: { documents, ...(dryRun ? { dryRun } : {}) },
      path: documents.map(({ path }) => path).join(', '),
    },
    judge: (files) => Promise.resolve(judgeDocuments(request, files)),
    dryRun,
    beforeFirstWrite: async () => {
      attempts = await takeAttempt(request.attempts);
    },
  });
  const report = reportOf(landed.report, { diffs: landed.diffs, attempts, dryRun });
  recordEnd(request, report);
  return report;
}

function judgeDocuments({ documents, rules, migration }: MigrateRequest, files: OpenFiles) {
  const requests: { path: string; before: Uint8Array; answer: string }[] = [];
  const refused: MigratedDocument[] = [];
  for (const { path, answer } of documents) {
    const opened = openAllowed(path, rules, files);
    if ('kind' in opened) refused.push(refusedDocument(path, opened));
    else requests.push({ ...opened, answer });
  }
  const judged = migrateDocuments(requests, migration);
  const report = [...refused, ...judged.documents.map((document) => tell(document, files))];
  const changes: readonly FileChange[] = refused.length > 0 ? [] : judged.files;
  return { changes, report };
}

// What the file holds is told only to those who may read it.
function tell({ before: _before, after: _after, ...document }: DocumentMigration, files: OpenFiles): MigratedDocument {
  const { path, operations, refusals, lost, respelled } = document;
  if (files.mayQuote(path)) return document;
  if (refusals.length > 0) return refusedDocument(path, unreadable);
  return {
    path,
    operations,
    refusals,
    lost: lost.map(({ key }) => ({ key, value: hidden })),
    respelled: respelled.map(({ key }) => ({ key, from: hidden, to: hidden })),
  };
}

const hidden = '(hidden)';
const unreadable = refuse('the document does not fit the file, and reading that needs approval', '');

function openAllowed(
  written: string,
  rules: PathRules,
  files: OpenFiles,
): { readonly path: string; readonly before: Uint8Array } | Refusal {
  const judged = rules(written);
  if (judged.kind === 'refused') return judged;
  const before = files.open(judged.path);
  return before instanceof Uint8Array ? { path: judged.path, before } : before;
}

function refusedDocument(path: string, { message }: Refusal): MigratedDocument {
  return { path, operations: [], refusals: [message], lost: [], respelled: [] };
}

function reportOf(
  documents: readonly MigratedDocument[],
  { diffs, attempts, dryRun }: { diffs: readonly FileDiff[]; attempts: AttemptReport; dryRun: boolean },
): MigrateReport {
  const isRejected = documents.some(({ refusals }) => refusals.length > 0);
  const done = diffs.length === 0 ? 'already' : dryRun ? 'planned' : 'applied';
  return { outcome: isRejected ? 'rejected' : done, documents, diffs, attempts };
}

/** Puts on record that documents came in, and from whom where a model was asked. */
export function recordDocuments(
  { context, callId }: JudgedCaller,
  documents: readonly NewDocument[],
  from: Readonly<Record<string, string | number>> = {},
): void {
  const digest = context.digestText(canonicalJsonOfAnyText(documents));
  const facts = { classification: 'document', edits: documents.length, digest };
  context.log.record('proposal.received', { ...facts, ...from }, callId);
}

// As many as a person reads; the report has them all.
const maxRecorded = 20;

function recordEnd({ caller: { context, callId }, dryRun }: MigrateRequest, report: MigrateReport): void {
  const { outcome, documents } = report;
  const attempts = renderAttempts(report.attempts);
  if (outcome === 'rejected') {
    const refusals = documents.flatMap(({ path, refusals }) => refusals.map((message) => ({ path, message })));
    const shown = refusals.slice(0, maxRecorded).map(({ path, message }) => ({
      path: path.toWellFormed(),
      message: message.toWellFormed(),
    }));
    context.log.recordAfter('proposal.rejected', { refusals: shown, attempts }, callId);
  } else if (!dryRun) {
    const operations = documents.reduce((sum, document) => sum + document.operations.length, 0);
    context.log.recordAfter('proposal.applied', { documents: documents.length, operations, attempts }, callId);
  }
}
