import { type ActionName, actionNames } from '../contract/action.ts';
import { PortholeError } from '../contract/errors.ts';
import { type Glob, parseGlob } from '../text/glob.ts';
import { nearestName } from '../text/nearest-name.ts';
import { type Action, writingActions } from './action.ts';

/** What a matching rule says. */
export const ruleEffects = ['deny', 'ask', 'allow'] as const;

/** One of {@link ruleEffects}. */
export type RuleEffect = (typeof ruleEffects)[number];

/** One line of the policy's permissions. */
export interface Rule {
  readonly effect: RuleEffect;
  /** As it stands in the file: `edit_file(src/**)`. */
  readonly text: string;
  readonly names: readonly ActionName[];
  readonly glob: Glob;
  /** Where it stands in the policy file, from 1. */
  readonly line: number;
  readonly column: number;
}

/** The rules of a policy, in the order of the file. */
export type Rules = Readonly<Record<RuleEffect, readonly Rule[]>>;

/** No rules at all. */
export const noRules: Rules = { deny: [], ask: [], allow: [] };

/** Every name a rule can have, with the actions it covers. */
export const ruleNames: ReadonlyMap<string, readonly ActionName[]> = new Map<string, readonly ActionName[]>([
  ['read', ['file_read']],
  ['write', writingActions],
  ...actionNames.map((name): [string, ActionName[]] => [name, [name]]),
]);

const helperNames: ReadonlyMap<string, ActionName> = new Map([
  ['read_file', 'file_read'],
  ['write_file', 'file_write'],
  ['remove_file', 'file_write'],
]);

/**
 * Reads a rule: `name(glob)`.
 * @throws {@link PortholeError} `POLICY_INVALID` for a rule that could never match.
 */
export function parseRule(effect: RuleEffect, text: string, at: { line: number; column: number }): Rule {
  const parts = /^([a-z_]+)\((.*)\)$/su.exec(text);
  const [, name, pattern] = parts ?? [];
  if (name === undefined || pattern === undefined) {
    throw invalid(text, 'it has not the form name(glob)', 'As in "edit_file(src/**)".');
  }
  const names = ruleNames.get(name);
  if (names === undefined) throw unknownName(text, name);
  const glob = parseRuleGlob(text, pattern);
  if (name === 'run' && !couldMatchDigest(pattern)) {
    const hint = 'Runs are judged by the digest of the program: write "run(**)" for all of them.';
    throw invalid(text, 'no program has such a digest', hint);
  }
  return { effect, text, names, glob, line: at.line, column: at.column };
}

/** The action a name stands for, helpers included; undefined when there is none. */
export function parseActionName(name: string): ActionName | undefined {
  return helperNames.get(name) ?? actionNames.find((known) => known === name);
}

/** True when the rule covers the action. A rule that refuses or asks also looks at the path as written. */
export function matchesRule(rule: Rule, action: Action): boolean {
  if (!rule.names.includes(action.name)) return false;
  if (rule.glob.matches(action.path)) return true;
  return rule.effect !== 'allow' && action.writtenAs !== undefined && rule.glob.matches(action.writtenAs);
}

function parseRuleGlob(text: string, pattern: string): Glob {
  try {
    return parseGlob(pattern);
  } catch (error) {
    if (!(error instanceof PortholeError)) throw error;
    const problem = error.message.slice(error.message.indexOf('": ') + 3);
    throw invalid(text, `its pattern can never match: ${problem}`, error.hint);
  }
}

function unknownName(text: string, name: string): PortholeError {
  const helper = helperNames.get(name);
  if (helper !== undefined) return invalid(text, `a helper is judged as its tool`, `Write "${helper}".`);
  const known = [...ruleNames.keys()];
  const near = nearestName(name, known);
  const hint = near === undefined ? `The names are ${known.join(', ')}.` : `Did you mean "${near}"?`;
  return invalid(text, `there is no action "${name}"`, hint);
}

// A wildcard could stand for anything; what comes before the first must be how a digest begins.
function couldMatchDigest(pattern: string): boolean {
  const wild = pattern.search(/[*?[{\\]/);
  if (wild === -1) return /^sha256:[0-9a-f]{64}$/.test(pattern);
  const start = pattern.slice(0, wild);
  return 'sha256:'.startsWith(start) || /^sha256:[0-9a-f]{0,64}$/.test(start);
}

function invalid(text: string, problem: string, hint: string): PortholeError {
  return new PortholeError('POLICY_INVALID', `Cannot use rule "${text}": ${problem}`, { hint });
}
