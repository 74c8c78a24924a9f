import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { type GrantScope, grantScopes, type Question } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

Given('the approver answers {word}', function (this: PortholeWorld, answer: string) {
  this.useApprover(() => Promise.resolve(answerOf(answer)));
});

Given(
  'the approver answers {word} and meanwhile {text} becomes {text}',
  function (this: PortholeWorld, answer: string, path: string, text: string) {
    this.useApprover(() => {
      writeFileSync(join(this.folder.root, path), text);
      return Promise.resolve(answerOf(answer));
    });
  },
);

Given('the approver never answers', function (this: PortholeWorld) {
  this.useApprover(
    (_, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          this.isAnswerLate = true;
        });
      }),
  );
});

Given('the approver fails', function (this: PortholeWorld) {
  this.useApprover(() => Promise.reject(new Error('the pager is off')));
});

// Approvers come from outside: what they return is whatever they return.
Given('the approver answers with the value {code}', function (this: PortholeWorld, expression: string) {
  this.useApprover(() => Promise.resolve(evaluate(expression) as boolean)); // the library checks what it is given
});

When(
  'the run is aborted once this program has made somebody ask:',
  async function (this: PortholeWorld, source: string) {
    const abortion = new AbortController();
    const poll = setInterval(() => {
      if (this.questions.length > 0) abortion.abort('enough');
    }, 5);
    await this.run([source], { signal: abortion.signal }).finally(() => clearInterval(poll));
  },
);

When('the operator starts anew', async function (this: PortholeWorld) {
  await this.restart();
});

When('the operator starts anew with the root {text}', async function (this: PortholeWorld, path: string) {
  await this.restart({ ...this.runtimeOptions, root: join(this.folder.root, path) });
});

Then('nobody is asked', function (this: PortholeWorld) {
  assert.deepEqual(this.questions, []);
});

Then('the approver is asked once', function (this: PortholeWorld) {
  assert.equal(this.questions.length, 1);
});

Then('the approver is asked {int} times', function (this: PortholeWorld, times: number) {
  assert.equal(this.questions.length, times);
});

Then('the approver is told that the answer no longer counts', function (this: PortholeWorld) {
  assert.equal(this.isAnswerLate, true);
});

Then('the question has:', function (this: PortholeWorld, table: DataTable) {
  const question = questionOf(this);
  const facts = { ...question, scopes: question.scopes.join(' '), files: question.files.length };
  for (const [name = '', value = ''] of table.raw()) {
    assert.equal(String(Reflect.get(facts, name)), this.expand(value), name);
  }
});

Then('the question shows the diff:', function (this: PortholeWorld, diff: string) {
  assert.deepEqual(
    questionOf(this).files.map((file) => file.diff),
    [`${diff}\n`],
  );
});

function questionOf(world: PortholeWorld): Question {
  const [question] = world.questions.slice(-1);
  assert.ok(question !== undefined, 'nobody was asked');
  return question;
}

function answerOf(word: string): boolean | GrantScope {
  const scope = grantScopes.find((known) => known === word);
  assert.ok(scope !== undefined || word === 'no', `${word} is no answer`);
  return scope ?? false;
}
