import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import {
  buildDocumentPrompt,
  type DocumentAnswer,
  documentAnswerJsonSchema,
  parseDocumentAnswer,
} from './migration/document-answer.ts';
import type { MigrationTarget } from './migration/document-checks.ts';
import { migrateDocument } from './migration/migrate-document.ts';
import type { PathRules } from './path-rules.ts';
import type { Evidence } from './prompt.ts';
import type { AnswerFormat, ModelAnswer, Provider, ProviderProgress } from './providers/provider.ts';
import { readAllowed } from './read-scalars.ts';

/** What asking for a document takes. */
export interface DocumentRequest {
  readonly target: JudgedTarget;
  readonly caller: JudgedCaller;
  readonly path: string;
  readonly rules: PathRules;
  readonly goal: string;
  readonly evidence: readonly Evidence[];
  readonly migration: MigrationTarget;
  readonly provider: Provider;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProviderProgress) => void) | undefined;
}

// A document has to fit whole; smaller ones still leave room for a model that thinks.
const minAnswerTokens = 8_192;
const maxAnswerTokens = 32_000;
const charactersPerToken = 2;

/**
 * Asks a model for a document. What would be refused is sent back to it once, with every refusal.
 * @throws PortholeError `PROVIDER_…`, `VERDICT_INVALID`, `PROPOSAL_REJECTED` for a file that must not be migrated
 */
export async function askForDocument(request: DocumentRequest): Promise<ModelAnswer<DocumentAnswer>> {
  const { target, caller, provider, goal, evidence, migration, signal, onProgress } = request;
  const allowed = request.rules(request.path);
  if (allowed.kind === 'refused') throw refused(request.path, allowed.message);
  const { path } = allowed;
  const before = await readAllowed(target, caller, path);
  if (typeof before === 'string') throw refused(path, before);
  const text = decodeUtf8(before);
  const schema = JSON.stringify(migration.schema, undefined, 1);
  const { system, prompt } = buildDocumentPrompt({ goal, path, text, schema, evidence }, caller.context.digestText);
  const format = formatFor({ path, before, migration });
  const tokens = Math.ceil((text.length + schema.length) / charactersPerToken);
  const maxTokens = Math.min(Math.max(tokens, minAnswerTokens), maxAnswerTokens);
  return await provider.ask({ system, prompt, format, maxTokens, signal, onProgress });
}

interface FileToMigrate {
  readonly path: string;
  readonly before: Uint8Array;
  readonly migration: MigrationTarget;
}

function formatFor({ path, before, migration }: FileToMigrate): AnswerFormat<DocumentAnswer> {
  return {
    name: 'document',
    description: 'The whole document in its new form, with notes for a person.',
    schema: documentAnswerJsonSchema(),
    parse: (given) => {
      try {
        const value = parseDocumentAnswer(given);
        const { refusals } = migrateDocument({ path, before, answer: value.document }, migration);
        return { ok: true, value, objections: refusals };
      } catch (error) {
        if (!isPortholeError(error, 'VERDICT_INVALID')) throw error;
        return { ok: false, problems: [error.message] };
      }
    },
  };
}

function refused(path: string, why: string): PortholeError {
  return new PortholeError('PROPOSAL_REJECTED', `Cannot migrate ${JSON.stringify(path)}: ${why}`, { path });
}
