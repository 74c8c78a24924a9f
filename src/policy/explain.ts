import { isAboveLevel } from '../contract/action.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import { type Decision, decide, type Situation } from './decide.ts';
import type { Policy } from './policy.ts';
import { type Rule, ruleEffects } from './rules.ts';

/** A decision with the whole way to it. */
export interface Explanation {
  readonly decision: Decision;
  readonly considered: readonly ConsideredRule[];
  /** Rules the decision came before. */
  readonly notReached: number;
}

/** A rule that was looked at, and what was found. */
export interface ConsideredRule {
  readonly rule: Rule;
  readonly result: 'matches' | 'other action' | 'other path';
}

/** Decides as {@link decide} does, in the same steps, and keeps what was looked at. */
export function explain(policy: Policy, situation: Situation): Explanation {
  const considered: ConsideredRule[] = [];
  const decision = decide(policy, situation, (rule, isMatch) => {
    const isNamed = rule.names.includes(situation.action.name);
    considered.push({ rule, result: isMatch ? 'matches' : isNamed ? 'other path' : 'other action' });
  });
  const all = ruleEffects.reduce((sum, effect) => sum + policy.rules[effect].length, 0);
  return { decision, considered, notReached: all - considered.length };
}

/** The explanation for people, ending in a line feed. */
export function renderExplanation(policy: Policy, situation: Situation, explanation: Explanation): string {
  const { decision, considered, notReached } = explanation;
  const { action, mode, level, levelReason } = situation;
  const what = renderVisibleLine(`${action.name} ${action.path}`);
  const code = decision.kind === 'deny' ? ` ${decision.code}` : '';
  const lines = [
    `${decision.kind}${code}: ${what} in mode ${mode}, level ${level}: ${levelReason}`,
    `decided by line ${decision.line} of 11: ${decision.reason}`,
  ];
  if (decision.rule !== undefined) lines.push(`rule: ${renderRule(policy, decision.rule)}`);
  if (isAboveLevel(level, 'moderate') && decision.kind === 'ask') lines.push('no rule, threshold or flag answers it');
  lines.push(considered.length === 0 ? 'no rule was considered' : 'considered:');
  for (const { rule, result } of considered) lines.push(`  ${result.padEnd(12)}  ${renderRule(policy, rule)}`);
  if (notReached > 0) lines.push(`not reached: ${notReached} ${notReached === 1 ? 'rule' : 'rules'}`);
  return `${lines.join('\n')}\n`;
}

function renderRule(policy: Policy, rule: Rule): string {
  const place = policy.file === undefined ? '' : `  ${policy.file}:${rule.line}:${rule.column}`;
  return `${rule.effect} ${renderVisibleLine(rule.text)}${place}`;
}
