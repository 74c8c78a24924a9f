import { isAboveLevel, type Level } from '../contract/action.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { type FileMode, isWiderMode } from '../contract/mode.ts';
import { type Action, isWriting } from './action.ts';
import { coveringGrant, type Grant } from './grants.ts';
import type { OperatorFlags, Policy } from './policy.ts';
import { matchesRule, type Rule } from './rules.ts';

/** Everything a decision depends on besides the policy. */
export interface Situation {
  readonly action: Action;
  readonly level: Level;
  /** Why it has that level. */
  readonly levelReason: string;
  /** The run's mode. */
  readonly mode: FileMode;
  /** Whether the host's context holds `_unsafe_mode: true`. */
  readonly unsafeFlag: boolean;
  readonly flags: OperatorFlags;
  /** Only grants that count here and now. */
  readonly grants: readonly Grant[];
}

interface DecisionFacts {
  /** Which of the eleven lines decided, from 1. */
  readonly line: number;
  readonly reason: string;
  readonly rule?: Rule;
  readonly grant?: Grant;
}

/** What is to happen with an action. */
export type Decision =
  | ({ readonly kind: 'allow' } & DecisionFacts)
  | ({ readonly kind: 'deny'; readonly code: ErrorCode; readonly isOwnFile?: true } & DecisionFacts)
  | ({ readonly kind: 'ask' } & DecisionFacts);

/** Is told every rule that was looked at, in order. */
export type ConsiderRule = (rule: Rule, isMatch: boolean) => void;

/** Decides by the first of eleven lines that applies. */
export function decide(policy: Policy, situation: Situation, consider: ConsiderRule = ignore): Decision {
  let number = 0;
  for (const line of lines) {
    number++;
    const verdict = line(policy, situation, consider);
    if (verdict !== undefined) return { ...verdict, line: number };
  }
  return { kind: 'ask', reason: 'nothing has answered it ahead', line: number + 1 };
}

type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
type Line = (policy: Policy, situation: Situation, consider: ConsiderRule) => Without<Decision, 'line'> | undefined;

const protectedPath: Line = (policy, { action }) => {
  if (!isWriting(action)) return undefined;
  const spellings = [action.path, action.writtenAs ?? action.path];
  const found = policy.protectedPaths.find(({ glob }) => spellings.some((path) => glob.matches(path)));
  if (found === undefined) return undefined;
  const { belongsTo } = found;
  if (belongsTo !== undefined) {
    return { kind: 'deny', code: 'PATH_PROTECTED', reason: `the path is protected: ${belongsTo}`, isOwnFile: true };
  }
  return {
    kind: 'deny',
    code: 'PATH_PROTECTED',
    reason: `protectedPaths of the policy covers it: ${found.glob.source}`,
  };
};

const modeTooLow: Line = ({ ceiling }, { action, mode }) => {
  if (action.name === 'run') {
    if (!isWiderMode(mode, ceiling)) return undefined;
    return { kind: 'deny', code: 'MODE_SAFE', reason: `the run wants mode ${mode} and the ceiling is ${ceiling}` };
  }
  const effective = isWiderMode(mode, ceiling) ? ceiling : mode;
  const needed = neededMode(action);
  if (!isWiderMode(needed, effective)) return undefined;
  const whose = effective === mode ? 'the run is in' : "the policy's ceiling is";
  const why = effective === 'safe' ? 'changes no files' : 'changes nothing outside the run';
  return { kind: 'deny', code: 'MODE_SAFE', reason: `${whose} ${effective} mode, which ${why}` };
};

const flagMissing: Line = (_policy, { action, mode, unsafeFlag }) => {
  const needsFlag = mode === 'unsafe' && isWriting(action) && action.name !== 'writeback';
  if (!needsFlag || unsafeFlag) return undefined;
  return {
    kind: 'deny',
    code: 'UNSAFE_FLAG_MISSING',
    reason: 'the invocation context does not hold _unsafe_mode: true',
  };
};

const denyRule: Line = (policy, { action }, consider) => {
  const rule = firstMatch(policy.rules.deny, action, consider);
  return rule && { kind: 'deny', code: 'POLICY_DENIED', reason: `rule deny ${rule.text}`, rule };
};

const dangerousLevel: Line = (_policy, { action, level, levelReason, grants }) => {
  if (level !== 'dangerous') return undefined;
  const grant = coveringGrant(grants, action.name, level);
  if (grant !== undefined) return { kind: 'allow', reason: 'a yes for dangerous actions, given in this run', grant };
  return { kind: 'ask', reason: `${levelReason}: only a person answers it` };
};

const askRule: Line = (policy, { action, level, grants }, consider) => {
  const rule = firstMatch(policy.rules.ask, action, consider);
  if (rule === undefined) return undefined;
  const grant = coveringGrant(grants, action.name, level);
  if (grant !== undefined) return { kind: 'allow', reason: `rule ask ${rule.text}, answered by a grant`, rule, grant };
  return { kind: 'ask', reason: `rule ask ${rule.text}`, rule };
};

const allowRule: Line = (policy, { action }, consider) => {
  const rule = firstMatch(policy.rules.allow, action, consider);
  return rule && { kind: 'allow', reason: `rule allow ${rule.text}`, rule };
};

const belowThreshold: Line = ({ threshold }, { level }) => {
  if (!isAboveLevel(threshold, level)) return undefined;
  return { kind: 'allow', reason: `${level} is below the threshold ${threshold}` };
};

const grantCovers: Line = (_policy, { action, level, grants }) => {
  const grant = coveringGrant(grants, action.name, level);
  return grant && { kind: 'allow', reason: `a grant of scope ${grant.scope} covers it`, grant };
};

const operatorFlag: Line = (policy, situation) => {
  if (policy.file !== undefined) return undefined;
  const flag = answeringFlag(situation);
  return flag === undefined ? undefined : { kind: 'allow', reason: `the operator said ${flag}` };
};

// The order is the promise: nothing further down can undo what stands above.
const lines: readonly Line[] = [
  protectedPath,
  modeTooLow,
  flagMissing,
  denyRule,
  dangerousLevel,
  askRule,
  allowRule,
  belowThreshold,
  grantCovers,
  operatorFlag,
];

function neededMode(action: Action): FileMode {
  if (action.name === 'file_read') return 'safe';
  // Tools act on the private copy of a staged run; only apply writes by itself.
  return action.name === 'apply' ? 'unsafe' : 'staged';
}

function answeringFlag({ action, flags }: Situation): string | undefined {
  if (action.name === 'run') return flags.unsafe ? '--unsafe' : undefined;
  if (action.name === 'writeback') return flags.copyRw ? '--copy-rw' : undefined;
  if (action.name === 'apply') return flags.allow?.some((glob) => glob.matches(action.path)) ? '--allow' : undefined;
  return isWriting(action) && flags.unsafe && flags.allowWrite ? '--unsafe --allow-write' : undefined;
}

function firstMatch(rules: readonly Rule[], action: Action, consider: ConsiderRule): Rule | undefined {
  return rules.find((rule) => {
    const isMatch = matchesRule(rule, action);
    consider(rule, isMatch);
    return isMatch;
  });
}

function ignore(): void {}
