import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { PortholeError } from '../contract/errors.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import { readOperatorFileUnchecked, whyUnreadable } from '../fs/operator-file.ts';
import { canonicalPath, realDirectory } from '../fs/operator-paths.ts';
import type { Policy, ProtectedPath } from '../policy/policy.ts';
import { type PolicySettings, policySchema } from '../policy/policy-schema.ts';
import { parseRule, type Rule, type RuleEffect, ruleEffects } from '../policy/rules.ts';
import { parseGlob } from '../text/glob.ts';
import { describeIssue } from './document-issues.ts';
import { type ParseEntry, policyInputs } from './policy-inputs.ts';
import { type DocumentProblem, documentError, parseStrictDocument, type StrictDocument } from './strict-document.ts';

/** A policy that is in force. */
export interface LoadedPolicy {
  /** As given or found, for messages. */
  readonly file: string;
  /** Absolute; undefined for one that was not read from a file. */
  readonly path: string | undefined;
  readonly settings: PolicySettings;
  /** What the gate judges by. */
  readonly policy: Policy;
  /** Absolute, where the policy names one. */
  readonly root: string | undefined;
  /** Absolute and canonical. */
  readonly writablePaths: readonly string[];
  /** Absolute, where the policy names one. */
  readonly auditPath: string | undefined;
  /** What every staged run works on copies of. */
  readonly staged: StagedOptions;
  /** Digest of the file as it is now; another one once somebody edits it. */
  readonly digestNow: () => string;
}

/**
 * Loads a policy file; what cannot be read, understood or ever match stops everything.
 * @throws {@link PortholeError} `POLICY_INVALID` naming file, line and column; `details.problems` holds all of them.
 */
export function loadPolicyFile(file: string, directory: string): LoadedPolicy {
  const path = resolve(directory, file);
  const bytes = readPolicyFile(file, path);
  const document = parsePolicyDocument(decode(file, bytes), path.endsWith('.json'));
  return readPolicy(document, { file, home: dirname(path), directory, digest: digestOf(bytes) }, path);
}

/**
 * Takes a policy that a program holds. It is read as the JSON text it stands for, and positions in errors are in that.
 * @throws {@link PortholeError} `POLICY_INVALID`
 */
export function loadPolicyObject(policy: object, directory: string): LoadedPolicy {
  const text = JSON.stringify(policy, undefined, 2);
  const digest = digestOf(new TextEncoder().encode(text));
  return readPolicy(parsePolicyDocument(text, true), {
    file: 'given as an object',
    home: directory,
    directory,
    digest,
  });
}

interface PolicySource {
  /** For messages. */
  readonly file: string;
  /** What paths in it are relative to. */
  readonly home: string;
  /** The current directory. */
  readonly directory: string;
  readonly digest: string;
}

function readPolicy(
  document: StrictDocument,
  { file, home, directory, digest }: PolicySource,
  path?: string,
): LoadedPolicy {
  if (document.problems.length > 0) throw policyError(file, document.problems);
  const settings = parseSettings(file, document);
  const problems: DocumentProblem[] = [];
  const rules = Object.fromEntries(
    ruleEffects.map((effect) => [effect, parseRules(document, settings, { effect, problems })]),
  ) as Record<RuleEffect, Rule[]>; // one entry for each effect
  const protectedPaths = parseProtectedPaths(document, settings, problems);
  const root = settings.root === undefined ? undefined : canonicalPath(resolve(home, settings.root));
  const writablePaths = settings.writablePaths.flatMap((given, index) =>
    collect(document, ['writablePaths', index], { problems, parse: () => canonicalDirectory(home, given) }),
  );
  const parseEntry: ParseEntry = (at, parse) => collect(document, at, { problems, parse });
  const staged = policyInputs(settings, { home, directory, parseEntry });
  if (problems.length > 0) throw policyError(file, problems);
  const { mode: ceiling, approval, audit } = settings;
  const policy = { file, digest, ceiling, rules, threshold: approval.threshold, protectedPaths };
  const auditPath = audit.path === undefined ? undefined : resolve(home, audit.path);
  const digestNow = () => (path === undefined ? digest : digestPolicyFile(path));
  return { file, path, settings, policy, root, writablePaths, auditPath, staged, digestNow };
}

/** A policy file, or a table of cases for one: no aliases at all. */
export function parsePolicyDocument(text: string, isJson: boolean): StrictDocument {
  return parseStrictDocument(text, { isJson, kind: 'a policy' });
}

/** The one error for a policy's problems: the first in its message, all of them in its details. */
export function policyError(file: string, problems: readonly DocumentProblem[]): PortholeError {
  return documentError('POLICY_INVALID', 'policy', file, problems);
}

function parseSettings(file: string, document: StrictDocument): PolicySettings {
  const parsed = policySchema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  throw policyError(
    file,
    parsed.error.issues.flatMap((issue) =>
      describeIssue(issue, document, { schema: policySchema, whole: 'the policy' }),
    ),
  );
}

interface RuleContext {
  readonly effect: RuleEffect;
  readonly problems: DocumentProblem[];
}

function parseRules(document: StrictDocument, settings: PolicySettings, { effect, problems }: RuleContext): Rule[] {
  return settings.permissions[effect].flatMap((text, index) => {
    const path = ['permissions', effect, index];
    return collect(document, path, { problems, parse: () => parseRule(effect, text, document.positionOf(path)) });
  });
}

function parseProtectedPaths(
  document: StrictDocument,
  settings: PolicySettings,
  problems: DocumentProblem[],
): ProtectedPath[] {
  return settings.protectedPaths.flatMap((pattern, index) =>
    collect(document, ['protectedPaths', index], {
      problems,
      parse: () => ({ glob: parseGlob(pattern) }),
    }),
  );
}

// Every problem is wanted, not only the first: a person mends a file in one go.
function collect<Result>(
  document: StrictDocument,
  path: readonly PropertyKey[],
  { problems, parse }: { problems: DocumentProblem[]; parse: () => Result },
): Result[] {
  try {
    return [parse()];
  } catch (error) {
    if (!(error instanceof PortholeError)) throw error;
    problems.push({ message: lowerFirst(error.message), hint: error.hint, ...document.positionOf(path) });
    return [];
  }
}

function canonicalDirectory(home: string, given: string): string {
  const directory = realDirectory(resolve(home, given));
  if (directory !== undefined) return directory;
  throw new PortholeError('POLICY_INVALID', `Cannot use directory "${given}": there is no such directory`);
}

function readPolicyFile(file: string, path: string): Uint8Array {
  try {
    return readOperatorFileUnchecked(path);
  } catch (error) {
    const options = { cause: error, hint: 'Name a policy file: YAML, or JSON where the name ends in .json.' };
    throw new PortholeError('POLICY_INVALID', `Cannot read policy ${file}: ${whyUnreadable(error)}`, options);
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new PortholeError('POLICY_INVALID', `Cannot read policy ${file}: it is not UTF-8`, { cause: error });
  }
}

function digestPolicyFile(path: string): string {
  try {
    return digestOf(readOperatorFileUnchecked(path));
  } catch {
    // A policy that is gone is no longer the one an approval was given under.
    return 'gone';
  }
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
