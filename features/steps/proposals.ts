import assert from 'node:assert/strict';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { isPortholeError } from '../../src/index.ts';
import type { PortholeWorld } from '../support/world.ts';

Given('the evidence {text}', function (this: PortholeWorld, text: string) {
  this.evidence = [{ name: 'evidence.txt', text }];
});

When('a proposal for {text} sets:', async function (this: PortholeWorld, allow: string, table: DataTable) {
  const runtime = await this.runtime();
  const proposal = verdictOf(table.hashes());
  this.applied = await runtime.apply({ proposal, allow: [allow], evidence: this.evidence });
});

When(
  'a proposal for the change {text} is applied {int} times',
  async function (this: PortholeWorld, change: string, times: number) {
    const runtime = await this.runtime();
    const evidence = [{ name: 'evidence.txt', text: '1.2.3 1.2.4' }];
    for (let round = 0; round < times; round++) {
      const [from = '', to = ''] = round % 2 === 0 ? ['1.2.3', '1.2.4'] : ['1.2.4', '1.2.3'];
      const proposal = verdictOf([{ path: 'deploy/a.yaml', key: '/tag', from, to }]);
      this.refusal = await runtime.apply({ proposal, allow: ['deploy/**'], evidence, change }).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
  },
);

Then('the proposal is applied', function (this: PortholeWorld) {
  assert.equal(this.applied?.outcome, 'applied', JSON.stringify(this.applied?.rejected));
});

Then('the proposal is already done', function (this: PortholeWorld) {
  assert.equal(this.applied?.outcome, 'already');
});

Then('the proposal is rejected with {text}', function (this: PortholeWorld, text: string) {
  assert.equal(this.applied?.outcome, 'rejected');
  assert.deepEqual(
    this.applied?.rejected.map(({ message }) => message),
    [text],
  );
});

Then('the verdict is now {text}', function (this: PortholeWorld, classification: string) {
  assert.equal(this.applied?.verdict.classification, classification);
});

Then('the last of them is refused with {word}', function (this: PortholeWorld, code: string) {
  assert.ok(isPortholeError(this.refusal), String(this.refusal));
  assert.equal(this.refusal.code, code);
});

function verdictOf(edits: readonly Readonly<Record<string, string>>[]): object {
  const words = { summary: 's', reasoning: 'r', escalationReason: '' };
  return { classification: 'mechanical', ...words, edits: edits.map((edit) => ({ rationale: '', ...edit })) };
}
