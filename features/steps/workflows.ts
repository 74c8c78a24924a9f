import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import { isPortholeError, type WorkflowOutcome } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

When('this agent file runs:', async function (this: PortholeWorld, text: string) {
  await this.runAgentFile(text);
});

When('an agent file is checked that says:', async function (this: PortholeWorld, text: string) {
  await this.checkAgentFile(text);
});

When(/^an agent file is checked that has (.+) as its agent "a"$/, async function (this: PortholeWorld, agent: string) {
  await this.checkAgentFile(`porthole: 1\nagents:\n  a: ${agent}\nstart: a\n`);
});

Then(/^the workflow's value is (.+)$/, function (this: PortholeWorld, expected: string) {
  const outcome = outcomeOf(this);
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome));
  assert.deepEqual(outcome.status === 'completed' && outcome.value, evaluate(expected));
});

Then('the workflow fails with {word} at line {int}', function (this: PortholeWorld, code: string, line: number) {
  const outcome = outcomeOf(this);
  assert.equal(outcome.status === 'failed' && outcome.error.code, code, JSON.stringify(outcome));
  assert.equal(outcome.at?.line, line);
});

Then('the workflow is denied with {word} at line {int}', function (this: PortholeWorld, code: string, line: number) {
  const outcome = outcomeOf(this);
  assert.equal(outcome.status === 'denied' && outcome.code, code, JSON.stringify(outcome));
  assert.equal(outcome.at?.line, line);
});

Then('the workflow is limited by {word} at line {int}', function (this: PortholeWorld, limit: string, line: number) {
  const outcome = outcomeOf(this);
  assert.equal(outcome.status === 'limited' && outcome.limit, limit, JSON.stringify(outcome));
  assert.equal(outcome.at?.line, line);
});

Then(
  /^agent "(\w+)" was visited (\d+) times? with the value (.+)$/,
  function (this: PortholeWorld, name: string, visits: string, expected: string) {
    const report = outcomeOf(this).agents[name];
    assert.deepEqual([report?.visits, report?.value], [Number(visits), evaluate(expected)]);
  },
);

Then(
  'the receipt of the workflow names {text} as read and {text} as written',
  function (this: PortholeWorld, read: string, written: string) {
    const { receipt } = outcomeOf(this);
    assert.deepEqual(
      [receipt.reads.map(({ path }) => path), receipt.files.map(({ path }) => path)],
      [[read], [written]],
    );
  },
);

Then(
  /^it is refused at (\d+):(\d+) because (.+)$/,
  function (this: PortholeWorld, line: string, column: string, reason: string) {
    assert.ok(isPortholeError(this.refusal, 'AGENT_FILE_INVALID'), String(this.refusal));
    const { message } = this.refusal;
    assert.ok(message.includes(`:${line}:${column}: `) && message.includes(reason), message);
  },
);

function outcomeOf({ workflow }: PortholeWorld): WorkflowOutcome {
  assert.ok(workflow, 'no workflow has run in this scenario');
  return workflow;
}
