import { classify } from '../../src/policy/classify.ts';
import { explain, renderExplanation } from '../../src/policy/explain.ts';
import { loadPolicyObject } from '../../src/runtime/policy-file.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

const rules = 1000;

/** What a policy author waits for. */
export const policyRows: readonly Row[] = [
  {
    name: 'policy-explain',
    what: `\`policy explain\` over ${rules.toLocaleString('en')} rules`,
    notShown: 'The policy is loaded already; the command adds its own start and the reading of the file.',
    measure: measureExplain,
  },
];

async function measureExplain(): Promise<readonly Comparison[]> {
  const ask = Array.from({ length: rules - 1 }, (_, index) => `edit_file(src/**/module-${index}/**/*.{ts,tsx})`);
  const { policy } = loadPolicyObject(
    { porthole: 1, mode: 'unsafe', permissions: { ask, allow: ['edit_file(src/**)'] } },
    process.cwd(),
  );
  let turn = 0;
  const [porthole = Number.NaN] = await alternate(
    [
      {
        name: 'explain',
        work: () => {
          // Another path each time: an answer that was kept would measure nothing.
          const action = { name: 'edit_file', path: `src/a/b/c/d/e/module-x${++turn}/f/g/file.ts` } as const;
          const { level, reason: levelReason } = classify(action, 'unsafe');
          const situation = {
            action,
            level,
            levelReason,
            mode: 'unsafe',
            unsafeFlag: true,
            flags: {},
            grants: [],
          } as const;
          const explanation = explain(policy, situation);
          mustEqual(explanation.considered.length, rules);
          mustEqual(renderExplanation(policy, situation, explanation).startsWith('allow'), true);
        },
      },
    ],
    { rounds: 200, warmUp: 20 },
  );
  return [{ unit: 'ms', porthole, bar: { kind: 'adds', atMost: 5 } }];
}
