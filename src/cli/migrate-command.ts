import { renderAttempts } from '../proposals/attempts.ts';
import type { MigrateReport } from '../proposals/migrate-files.ts';
import type { MigrateAnswer } from '../runtime/migrate.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { readTextFile } from './given-values.ts';
import { paint, writeJson } from './output.ts';
import { parseOtherFlags, proposalRuntime } from './proposal-flags.ts';
import { createProviderProgress } from './provider-progress.ts';
import { readData } from './read-data.ts';
import { renderDiffs } from './render-proposal.ts';
import { UsageError } from './usage-error.ts';
import { withRuntime } from './with-runtime.ts';
import type { World } from './world.ts';

/** `porthole migrate`. */
export const migrateCommand: Command = {
  usage: 'porthole migrate DOC --schema FILE (--provider NAME | --answer FILE) [flags]',
  about: [
    'Moves a document to a new schema. The new document comes from a model or a file; what it is, that it fits, and where each',
    'value comes from is checked, and only the lines that differ are written, so that comments stay. Naming the document is',
    'the yes to it where no policy decides. Values that are lost or respelled are always listed. DOC is named from the root,',
    'every other file from the current directory.',
  ].join('\n'),
  flags: [
    'schema',
    'identity',
    'api-version',
    'provider',
    'answer',
    'goal',
    'allow',
    'deny',
    'evidence',
    'change',
    'max-attempts',
    'root',
    'policy',
    'audit',
    'dry-run',
    'diff',
    'yes',
    'no-input',
    'json',
    'quiet',
  ],
  examples: [
    [
      'porthole migrate deploy/tide.yaml --schema tide-v2.json --api-version tide/v2 --answer new.yaml --dry-run --diff',
      'what a document from elsewhere would change',
    ],
    ['porthole migrate deploy/tide.yaml --schema tide-v2.json --api-version tide/v2 --provider desk', 'ask a model'],
  ],
  run: migrateOnce,
};

async function migrateOnce(world: World, args: ParsedArguments): Promise<number> {
  const options = readOptions(args);
  const progress = createProviderProgress(world, args.has('quiet'));
  return await withRuntime(world, proposalRuntime(world, args), async (runtime, signal) => {
    const migrating = runtime.migrate({ ...options, signal, onProgress: progress.show });
    const answer = await migrating.finally(progress.end);
    printAnswer(world, args, answer);
    return answer.outcome === 'rejected' ? exitCodes.refused : exitCodes.done;
  });
}

function readOptions(args: ParsedArguments) {
  const [path, other] = args.positionals;
  if (path === undefined) throw new UsageError('which document?', 'porthole migrate DOC --schema FILE …');
  if (other !== undefined) throw new UsageError(`migrate takes one document, not ${JSON.stringify(other)} as well`);
  const [schema, provider, answer] = [args.value('schema'), args.value('provider'), args.value('answer')];
  if (schema === undefined) throw new UsageError('migrate needs --schema FILE');
  if ((provider === undefined) === (answer === undefined)) throw new UsageError('migrate needs --provider or --answer');
  const [apiVersion, goal] = [args.value('api-version'), args.value('goal')];
  const [identity, allow] = [args.values('identity'), args.values('allow')];
  return {
    ...parseOtherFlags(args),
    documents: [answer === undefined ? { path } : { path, answer: readAnswer(answer) }],
    schema: readData('--schema', schema),
    dryRun: args.has('dry-run'),
    ...(provider === undefined ? {} : { provider }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(goal === undefined ? {} : { goal }),
    ...(identity.length === 0 ? {} : { identity }),
    ...(allow.length === 0 ? {} : { allow }),
  };
}

// A model's whole answer, or the document alone.
function readAnswer(path: string): string {
  const text = readTextFile('--answer', path);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== 'document,notes')
      return text;
    const document: unknown = Reflect.get(value, 'document');
    return typeof document === 'string' ? document : JSON.stringify(document);
  } catch {
    return text;
  }
}

function printAnswer(world: World, args: ParsedArguments, answer: MigrateAnswer): void {
  const problem = problemOf(answer);
  if (args.has('json')) {
    writeJson(world, problem === undefined ? { ok: true, ...answer } : { ok: false, error: problem, ...answer });
    return;
  }
  if (args.has('diff')) world.out.write(renderDiffs(answer.diffs, world.out.isTerminal));
  for (const line of renderDocuments(answer)) world.err.write(`${renderVisibleLine(line)}\n`);
  if (problem !== undefined) {
    world.err.write(`${paint(world, 'red', 'error')}: ${problem.message}\n`);
    return;
  }
  if (args.has('quiet')) return;
  for (const note of answer.notes) world.err.write(`note      ${renderVisibleLine(note)}\n`);
  world.err.write(`${renderEnd(answer)}\n`);
}

function renderDocuments({ documents }: MigrateReport): readonly string[] {
  return documents.flatMap(({ path, operations, refusals, lost, respelled }) => [
    ...operations.map(
      (operation) =>
        `${operation.kind.padEnd(9)} ${path} ${operation.from === undefined ? '' : `${operation.from} -> `}${operation.key}`,
    ),
    ...respelled.map(({ key, from, to }) => `respelled ${path} ${key}: ${from} -> ${to}`),
    ...lost.map(({ key, value }) => `lost      ${path} ${key}: ${value}`),
    ...refusals.map((refusal) => `refused   ${path}: ${refusal}`),
  ]);
}

function problemOf({ outcome }: MigrateReport) {
  if (outcome !== 'rejected') return undefined;
  return { code: 'PROPOSAL_REJECTED', message: 'Cannot migrate: the document was refused, so no file changed' };
}

function renderEnd({ outcome, attempts }: MigrateReport): string {
  switch (outcome) {
    case 'applied':
      return `written; ${renderAttempts(attempts)}`;
    case 'planned':
      return 'this would be written; nothing was';
    case 'already':
      return 'the document is as the answer has it; nothing was written';
    case 'rejected':
      return 'nothing was written';
  }
}
