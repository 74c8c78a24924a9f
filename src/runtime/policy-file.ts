import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { PortholeError } from '../contract/errors.ts';
import { readOperatorFileUnchecked } from '../fs/operator-file.ts';
import { canonicalPath, realDirectory } from '../fs/operator-paths.ts';
import type { Policy, ProtectedPath } from '../policy/policy.ts';
import { type PolicySettings, policySchema } from '../policy/policy-schema.ts';
import { parseRule, type Rule, type RuleEffect, ruleEffects } from '../policy/rules.ts';
import { parseGlob } from '../text/glob.ts';
import { type PolicyDocument, type PolicyProblem, parsePolicyDocument } from './policy-document.ts';
import { describeIssue } from './policy-issues.ts';

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
  return readPolicy(document, { file, home: dirname(path), digest: digestOf(bytes) }, path);
}

/**
 * Takes a policy that a program holds. It is read as the JSON text it stands for, and positions in errors are in that.
 * @throws {@link PortholeError} `POLICY_INVALID`
 */
export function loadPolicyObject(policy: object, directory: string): LoadedPolicy {
  const text = JSON.stringify(policy, undefined, 2);
  const digest = digestOf(new TextEncoder().encode(text));
  return readPolicy(parsePolicyDocument(text, true), { file: 'given as an object', home: directory, digest });
}

interface PolicySource {
  /** For messages. */
  readonly file: string;
  /** What paths in it are relative to. */
  readonly home: string;
  readonly digest: string;
}

function readPolicy(document: PolicyDocument, { file, home, digest }: PolicySource, path?: string): LoadedPolicy {
  if (document.problems.length > 0) throw policyError(file, document.problems);
  const settings = parseSettings(file, document);
  const problems: PolicyProblem[] = [];
  const rules = Object.fromEntries(
    ruleEffects.map((effect) => [effect, parseRules(document, settings, { effect, problems })]),
  ) as Record<RuleEffect, Rule[]>; // one entry for each effect
  const protectedPaths = parseProtectedPaths(document, settings, problems);
  const root = settings.root === undefined ? undefined : canonicalPath(resolve(home, settings.root));
  const writablePaths = settings.writablePaths.flatMap((given, index) =>
    collect(document, ['writablePaths', index], { problems, parse: () => canonicalDirectory(home, given) }),
  );
  if (problems.length > 0) throw policyError(file, problems);
  const { mode: ceiling, approval, audit } = settings;
  const policy = { file, digest, ceiling, rules, threshold: approval.threshold, protectedPaths };
  const auditPath = audit.path === undefined ? undefined : resolve(home, audit.path);
  const digestNow = () => (path === undefined ? digest : digestPolicyFile(path));
  return { file, path, settings, policy, root, writablePaths, auditPath, digestNow };
}

/** The one error for a policy's problems, in the order of the file: the first in its message, all in its details. */
export function policyError(file: string, found: readonly PolicyProblem[]): PortholeError {
  const problems = found.toSorted((one, other) => one.line - other.line || one.column - other.column);
  const [first] = problems;
  const place = first === undefined ? file : `${file}:${first.line}:${first.column}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const message = `Cannot use policy ${place}: ${first?.message ?? 'it is not usable'}${more}`;
  const hint = first?.hint;
  return new PortholeError('POLICY_INVALID', message, {
    ...(hint === undefined ? {} : { hint }),
    details: { file, problems },
  });
}

function parseSettings(file: string, document: PolicyDocument): PolicySettings {
  const parsed = policySchema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  throw policyError(
    file,
    parsed.error.issues.flatMap((issue) => describeIssue(issue, document)),
  );
}

interface RuleContext {
  readonly effect: RuleEffect;
  readonly problems: PolicyProblem[];
}

function parseRules(document: PolicyDocument, settings: PolicySettings, { effect, problems }: RuleContext): Rule[] {
  return settings.permissions[effect].flatMap((text, index) => {
    const path = ['permissions', effect, index];
    return collect(document, path, { problems, parse: () => parseRule(effect, text, document.positionOf(path)) });
  });
}

function parseProtectedPaths(
  document: PolicyDocument,
  settings: PolicySettings,
  problems: PolicyProblem[],
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
  document: PolicyDocument,
  path: readonly PropertyKey[],
  { problems, parse }: { problems: PolicyProblem[]; parse: () => Result },
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
    const why = error instanceof Error ? error.message : String(error);
    throw new PortholeError('POLICY_INVALID', `Cannot read policy ${file}: ${why}`, { cause: error });
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
