import { PortholeError } from '../contract/errors.ts';
import { type AttemptCap, type AttemptStore, defaultMaxAttempts } from '../proposals/attempts.ts';
import { createPathRules, type PathRules } from '../proposals/path-rules.ts';
import type { Evidence } from '../proposals/prompt.ts';
import type { ProviderProgress } from '../proposals/providers/provider.ts';
import { type Glob, parseGlob } from '../text/glob.ts';
import { isString, type OptionRule, readAs, refuseUnknownKeys, refuseValue } from './option-checks.ts';
import type { Wiring } from './wiring.ts';

/** Which files a proposal may touch, and how often a change may be tried. */
export interface ProposalLimits {
  /** Patterns of the files that may be edited; at least one. Without a policy they are the operator's yes. */
  readonly allow: readonly string[];
  /** Patterns of files that may not, besides those that never may. Default: none. */
  readonly deny?: readonly string[];
  /** The only files that may be edited, such as those of a change under review. Default: what `allow` covers. */
  readonly scope?: readonly string[];
  /** Texts that decide which versions may be proposed. Default: none. */
  readonly evidence?: readonly Evidence[];
  /** Identifies the change whose attempts are counted. Default: they are not. */
  readonly change?: string;
  /** Most attempts of a change. Default: 2. */
  readonly maxAttempts?: number;
  /** Where attempts are counted. Default: a file in the state directory. */
  readonly attempts?: AttemptStore;
  /** Gives up when it aborts; what is being written is written whole. */
  readonly signal?: AbortSignal;
}

/** A verdict to apply. */
export interface ApplyOptions extends ProposalLimits {
  /** The verdict, from wherever it comes. */
  readonly proposal: unknown;
  /** Check and show, write nothing and ask nobody. Default: false. */
  readonly dryRun?: boolean;
}

/** A verdict to ask for. */
export interface ProposeOptions extends ProposalLimits {
  /** What is wanted, in words. */
  readonly goal: string;
  /** The name of a provider of the policy. */
  readonly provider: string;
  /** Hears what is going on while the model is waited for. */
  readonly onProgress?: (progress: ProviderProgress) => void;
}

/** Documents to move to a new schema. */
export interface MigrateOptions extends Omit<ProposalLimits, 'allow' | 'scope'> {
  /** The files, with their new documents unless a provider is asked for them. */
  readonly documents: readonly { readonly path: string; readonly answer?: string }[];
  /** The target JSON Schema, draft 2020-12 or 7. */
  readonly schema: unknown;
  /** JSON Pointers to what says what a document is. Default: kind, metadata.name, metadata.namespace. */
  readonly identity?: readonly string[];
  /** What apiVersion has to be afterwards. Default: as it is. */
  readonly apiVersion?: string;
  /** The name of a provider of the policy, for documents without an answer. */
  readonly provider?: string;
  /** What is wanted, in words. Default: to fit the schema. */
  readonly goal?: string;
  /** Patterns of the files that may be changed. Default: the files that are named. */
  readonly allow?: readonly string[];
  /** Check and show, write nothing and ask nobody. Default: false. */
  readonly dryRun?: boolean;
  /** Hears what is going on while a model is waited for. */
  readonly onProgress?: (progress: ProviderProgress) => void;
}

/** {@link ProposalLimits} after every check. */
export interface ParsedProposalLimits {
  readonly allow: readonly Glob[];
  readonly rules: PathRules;
  readonly evidence: readonly Evidence[];
  readonly attempts: AttemptCap | undefined;
  readonly signal: AbortSignal | undefined;
}

const proposalLimitKeys = [
  'allow',
  'deny',
  'scope',
  'evidence',
  'change',
  'maxAttempts',
  'attempts',
  'signal',
] as const satisfies readonly (keyof ProposalLimits)[];

/** @throws PortholeError `ARGUMENT_INVALID`, `ROOT_INVALID` where the runtime has no files */
export async function parseProposalLimits(
  what: string,
  given: Readonly<Record<string, unknown>>,
  wiring: Wiring,
): Promise<ParsedProposalLimits> {
  const { target, judging } = wiring;
  if (target === undefined) throw new PortholeError('ROOT_INVALID', `Cannot ${what}: the runtime has no root`);
  const allow = readAs(what, given, 'allow', aListOfTexts) ?? [];
  const deny = readAs(what, given, 'deny', aListOfTexts) ?? [];
  const scope = readAs(what, given, 'scope', aListOfTexts);
  const protectedFiles = judging.policy.protectedPaths;
  const { spellings } = target.root;
  return {
    allow: allow.map(parseGlob),
    rules: createPathRules({ root: { spellings }, allow, deny, protectedFiles, ...(scope && { scope }) }),
    evidence: readAs(what, given, 'evidence', aListOfEvidence) ?? [],
    attempts: await parseAttempts(what, given, wiring),
    signal: readAs(what, given, 'signal', aSignal),
  };
}

async function parseAttempts(
  what: string,
  given: Readonly<Record<string, unknown>>,
  { powers, target }: Wiring,
): Promise<AttemptCap | undefined> {
  const change = readAs(what, given, 'change', aChange);
  const max = readAs(what, given, 'maxAttempts', aCount) ?? defaultMaxAttempts;
  const store = readAs(what, given, 'attempts', aStore);
  if (change === undefined) {
    if (store === undefined && given['maxAttempts'] === undefined) return undefined;
    throw refuseValue(what, 'change', undefined, 'a name for the change whose attempts are counted');
  }
  if (store !== undefined) return { change, max, store };
  const [{ createAttemptStore }, { stateDirectory }] = await Promise.all([
    import('./attempt-store.ts'),
    import('./node-powers.ts'),
  ]);
  return { change, max, store: createAttemptStore(stateDirectory(), target?.root.rootPath ?? '', powers.now) };
}

/** An object whose keys are known ones. */
export function readProposalOptions(what: string, given: unknown, own: readonly string[]) {
  return refuseUnknownKeys(what, given, [...own, ...proposalLimitKeys]);
}

/** A text with something in it. */
export const aText: OptionRule<string> = {
  accepts: (value): value is string => typeof value === 'string' && value.trim() !== '',
  expected: 'a text',
};

/** A switch. */
export const aSwitch: OptionRule<boolean> = {
  accepts: (value): value is boolean => typeof value === 'boolean',
  expected: 'true or false',
};

const maxChangeLength = 500;

const aChange: OptionRule<string> = {
  accepts: (value): value is string => aText.accepts(value) && value.length <= maxChangeLength,
  expected: `a name of at most ${maxChangeLength} characters`,
};
const aCount: OptionRule<number> = {
  accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 1,
  expected: 'a whole number from 1',
};
/** A list of texts. */
export const aListOfTexts: OptionRule<readonly string[]> = {
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isString),
  expected: 'a list of texts',
};
const aListOfEvidence: OptionRule<readonly Evidence[]> = {
  accepts: (value): value is readonly Evidence[] => Array.isArray(value) && value.every(isEvidence),
  expected: 'a list of { name, text }',
};
const aStore: OptionRule<AttemptStore> = {
  accepts: (value): value is AttemptStore =>
    typeof value === 'object' &&
    value !== null &&
    ['used', 'take'].every((name) => typeof Reflect.get(value, name) === 'function'),
  expected: 'an object with the functions used and take',
};
const aSignal: OptionRule<AbortSignal> = {
  accepts: (value): value is AbortSignal => value instanceof AbortSignal,
  expected: 'an AbortSignal',
};

function isEvidence(value: unknown): value is Evidence {
  return (
    typeof value === 'object' && value !== null && ['name', 'text'].every((name) => isString(Reflect.get(value, name)))
  );
}
