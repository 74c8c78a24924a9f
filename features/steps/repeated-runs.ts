import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import type { RunOutcome } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

When('this program runs twice:', async function (this: PortholeWorld, source: string) {
  await runTwice(this, [{}, {}], source);
});

When(
  'this program runs with the seeds {int} and {int}:',
  async function (this: PortholeWorld, one: number, other: number, source: string) {
    await runTwice(this, [{ seed: one }, { seed: other }], source);
  },
);

When('this program runs {int} times at once:', async function (this: PortholeWorld, times: number, source: string) {
  await this.run(Array.from({ length: times }, () => source));
});

Then('all runs complete with {code}', function (this: PortholeWorld, expression: string) {
  for (const outcome of this.outcomes) assert.deepStrictEqual(valueIn(outcome), evaluate(expression));
});

Then('both runs return the same', function (this: PortholeWorld) {
  const [one, other] = this.outcomes.map(valueIn);
  assert.deepStrictEqual(one, other);
});

Then('the runs return different values', function (this: PortholeWorld) {
  const [one, other] = this.outcomes.map(valueIn);
  assert.notDeepStrictEqual(one, other);
});

Then('both outcomes are equal except for ids, times and usage', function (this: PortholeWorld) {
  const [one, other] = this.outcomes.map(({ runId: _, usage: __, receipt: { run: ___, ...receipt }, ...rest }) => ({
    ...rest,
    receipt,
  }));
  assert.deepStrictEqual(one, other);
});

async function runTwice(
  world: PortholeWorld,
  runs: readonly { readonly seed?: number }[],
  source: string,
): Promise<void> {
  const outcomes: RunOutcome[] = [];
  for (const more of runs) {
    await world.run([source], more);
    outcomes.push(world.outcome);
  }
  world.outcomes = outcomes;
}

function valueIn(outcome: RunOutcome): unknown {
  assert.ok(outcome.status === 'completed', `the run ended ${outcome.status}`);
  return outcome.value;
}
