import { proposalCases } from './cases.ts';
import { createRealGround, createScriptedGround, type EvalProvider } from './proposal-ground.ts';
import { renderProposalReport, renderTable } from './render-proposal-report.ts';
import { runCases, runWrongAnswers, verdictOf } from './run-proposal-evals.ts';

/**
 * Runs the set with two scripted callers, over both protocols, and prints the table; true when nothing unsafe landed
 * and every refusal was exact. With PORTHOLE_EVAL_PROVIDER, a provider as JSON, a real model is scored beside them.
 */
export async function runProposalEvals(print: (text: string) => void): Promise<boolean> {
  let isGood = true;
  for (const kind of ['anthropic', 'openai'] as const) {
    await using right = await createScriptedGround(kind, ({ classification, edits }) =>
      verdictOf(classification, edits),
    );
    await using wrong = await createScriptedGround(kind, (one) => verdictOf('mechanical', one.wrong?.edits ?? []));
    const rightEnds = await runCases(proposalCases, right);
    const wrongEnds = await runWrongAnswers(proposalCases, wrong);
    if (kind === 'anthropic') print(renderTable(rightEnds, wrongEnds));
    print(renderProposalReport(`${kind}, script that is right`, rightEnds));
    print(renderProposalReport(`${kind}, script that is misled`, wrongEnds));
    isGood &&= [...rightEnds, ...wrongEnds].every(({ isPass, isUnsafe }) => isPass && !isUnsafe);
  }
  const provider = process.env['PORTHOLE_EVAL_PROVIDER'];
  if (provider !== undefined) {
    await using real = createRealGround(JSON.parse(provider) as EvalProvider); // the policy's schema checks it
    print(renderProposalReport('the provider that is configured', await runCases(proposalCases, real)));
  }
  return isGood;
}
