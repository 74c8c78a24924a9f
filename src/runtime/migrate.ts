import type { Receipt } from '../contract/receipt.ts';
import { askForDocument } from '../proposals/ask-for-document.ts';
import { checkAttempts } from '../proposals/attempts.ts';
import { type MigrateReport, migrateFiles, type NewDocument, recordDocuments } from '../proposals/migrate-files.ts';
import { compileSchema } from '../proposals/migration/compile-schema.ts';
import type { ModelUsage } from '../proposals/providers/provider.ts';
import { escapeGlob } from '../text/glob.ts';
import { isString, type OptionRule, readAs, refuseValue } from './option-checks.ts';
import {
  aListOfTexts,
  aSwitch,
  aText,
  type MigrateOptions,
  parseProposalLimits,
  readProposalOptions,
} from './proposal-options.ts';
import { aListener, findProvider, inProposalRun } from './proposals.ts';
import type { Wiring } from './wiring.ts';

/** What became of documents, with what a model noted and the receipt. */
export interface MigrateAnswer extends MigrateReport {
  readonly notes: readonly string[];
  /** What asking took; all zero where nobody was asked. */
  readonly usage: ModelUsage;
  readonly receipt: Receipt;
}

type Documents = MigrateOptions['documents'];

const own = ['documents', 'schema', 'identity', 'apiVersion', 'provider', 'goal', 'dryRun', 'onProgress'];
const defaultGoal =
  'Move the document to the schema that is given. Lose nothing that the schema still has a place for.';

/** Moves documents to a new schema: a run of its own to gate and log. */
export async function migrateInRuntime(given: unknown, wiring: Wiring): Promise<MigrateAnswer> {
  const what = 'migrate()';
  const options = readProposalOptions(what, given, own);
  const documents = readAs(what, options, 'documents', aListOfDocuments);
  if (documents === undefined) throw refuseValue(what, 'documents', undefined, aListOfDocuments.expected);
  const dryRun = readAs(what, options, 'dryRun', aSwitch) ?? false;
  const allow = readAs(what, options, 'allow', aListOfTexts) ?? documents.map(({ path }) => escapeGlob(path));
  const limits = await parseProposalLimits(what, { ...options, allow }, wiring);
  const { rules, attempts, signal } = limits;
  const migration = readTarget(what, options);
  const askable = documents.some(({ answer }) => answer === undefined);
  const provider = askable ? findProvider(readAs(what, options, 'provider', aText), wiring) : undefined;
  const goal = readAs(what, options, 'goal', aText) ?? defaultGoal;
  const onProgress = readAs(what, options, 'onProgress', aListener);
  return await inProposalRun('migrate', { wiring, allow: limits.allow, signal }, async (parts) => {
    if (provider !== undefined) await checkAttempts(attempts);
    const answered = await answerAll(documents, (path) => {
      if (provider === undefined) throw new Error('a document without an answer and nobody to ask');
      return askForDocument({
        ...parts,
        path,
        rules,
        goal,
        evidence: limits.evidence,
        migration,
        provider,
        signal,
        onProgress,
      });
    });
    const from = provider === undefined ? {} : { provider: provider.name, model: provider.model, ...answered.usage };
    recordDocuments(parts.caller, answered.documents, from);
    const report = await migrateFiles({ ...parts, documents: answered.documents, migration, rules, attempts, dryRun });
    return { ...report, notes: answered.notes, usage: answered.usage };
  });
}

function readTarget(what: string, options: Readonly<Record<string, unknown>>) {
  const schema = options['schema'];
  if (schema === undefined) throw refuseValue(what, 'schema', undefined, 'a JSON Schema');
  const identity = readAs(what, options, 'identity', aListOfTexts);
  const apiVersion = readAs(what, options, 'apiVersion', aText);
  return {
    schema,
    compiled: compileSchema(schema),
    ...(identity === undefined ? {} : { identity }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
  };
}

// One after the other: whoever pays for them wants to be able to stop.
async function answerAll(documents: Documents, ask: (path: string) => ReturnType<typeof askForDocument>) {
  const answered: NewDocument[] = [];
  const notes: string[] = [];
  const usage = { inputTokens: 0, outputTokens: 0, requests: 0 };
  for (const { path, answer } of documents) {
    if (answer !== undefined) {
      answered.push({ path, answer });
      continue;
    }
    const said = await ask(path);
    answered.push({ path, answer: said.value.document });
    notes.push(said.value.notes);
    usage.inputTokens += said.usage.inputTokens;
    usage.outputTokens += said.usage.outputTokens;
    usage.requests += said.usage.requests;
  }
  return { documents: answered, notes, usage };
}

const aListOfDocuments: OptionRule<Documents> = {
  accepts: (value): value is Documents => Array.isArray(value) && value.length > 0 && value.every(isDocument),
  expected: 'a list of { path, answer }',
};

function isDocument(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const answer: unknown = Reflect.get(value, 'answer');
  return isString(Reflect.get(value, 'path')) && (answer === undefined || isString(answer));
}
