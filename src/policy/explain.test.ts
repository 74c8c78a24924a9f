import { describe, expect, it } from 'vitest';
import { decide, type Situation } from './decide.ts';
import { explain, renderExplanation } from './explain.ts';
import { createFilelessPolicy, type Policy } from './policy.ts';
import { parseRule, type RuleEffect } from './rules.ts';

const rules = (effect: RuleEffect, texts: readonly string[], from: number) =>
  texts.map((text, index) => parseRule(effect, text, { line: from + index, column: 9 }));

const policy: Policy = {
  file: 'porthole.policy.yaml',
  digest: 'd',
  ceiling: 'unsafe',
  rules: {
    deny: rules('deny', ['write(**/*.lock)'], 5),
    ask: rules('ask', ['file_write(**)', 'edit_file(src/**)', 'edit_file(src/b/**)'], 7),
    allow: rules('allow', ['read(**)'], 11),
  },
  threshold: 'moderate',
  protectedPaths: [],
};

const situation: Situation = {
  action: { name: 'edit_file', path: 'src/a.ts' },
  level: 'moderate',
  levelReason: 'it changes a file',
  mode: 'unsafe',
  unsafeFlag: true,
  flags: {},
  grants: [],
};

describe('explain()', () => {
  it('decides as decide() does', () => {
    expect(explain(policy, situation).decision).toEqual(decide(policy, situation));
  });

  it('tells the rule, its line, every rule considered, and how many were not reached', () => {
    const explanation = explain(policy, situation);
    expect(renderExplanation(policy, situation, explanation)).toBe(
      [
        'ask: edit_file src/a.ts in mode unsafe, level moderate: it changes a file',
        'decided by line 6 of 11: rule ask edit_file(src/**)',
        'rule: ask edit_file(src/**)  porthole.policy.yaml:8:9',
        'considered:',
        '  other path    deny write(**/*.lock)  porthole.policy.yaml:5:9',
        '  other action  ask file_write(**)  porthole.policy.yaml:7:9',
        '  matches       ask edit_file(src/**)  porthole.policy.yaml:8:9',
        'not reached: 2 rules',
        '',
      ].join('\n'),
    );
  });

  it('says that nothing but a person answers what is dangerous', () => {
    const dangerous: Situation = { ...situation, level: 'dangerous', levelReason: 'it holds a key' };
    const text = renderExplanation(policy, dangerous, explain(policy, dangerous));
    expect(text).toContain('in mode unsafe, level dangerous: it holds a key\n');
    expect(text).toContain('decided by line 5 of 11: it holds a key: only a person answers it');
  });

  it('names the code of a refusal', () => {
    const locked: Situation = { ...situation, action: { name: 'edit_file', path: 'a.lock' } };
    expect(renderExplanation(policy, locked, explain(policy, locked))).toMatch(/^deny POLICY_DENIED: /);
  });

  it('works without a policy file', () => {
    const none = createFilelessPolicy('unsafe');
    expect(renderExplanation(none, situation, explain(none, situation))).toContain('no rule was considered');
  });

  it('shows a path that would act on a terminal', () => {
    const odd: Situation = { ...situation, action: { name: 'edit_file', path: 'a\u001b[2J' } };
    expect(renderExplanation(policy, odd, explain(policy, odd))).toContain('a\\u{1b}[2J');
  });

  it('explains over 1,000 rules within 5 ms', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `edit_file(packages/p${index}/**/*.{ts,tsx}/[a-f]*-?.ts)`);
    const large: Policy = { ...policy, rules: { deny: rules('deny', many, 1), ask: [], allow: [] } };
    const deep: Situation = { ...situation, action: { name: 'edit_file', path: 'packages/p9999/src/a/b/c/d-1.ts' } };
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now();
      renderExplanation(large, deep, explain(large, deep));
      return performance.now() - start;
    });
    expect(explain(large, deep).considered).toHaveLength(1000);
    // The quickest: what another process takes of the core is no cost of this one.
    expect(Math.min(...times)).toBeLessThan(5);
  });
});
