import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type DataTable, Then } from '@cucumber/cucumber';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

Then('the warnings are {code}', function (this: PortholeWorld, expression: string) {
  assert.deepEqual(
    this.outcome.warnings.map(({ code }) => code),
    evaluate(expression),
  );
});

Then('the console shows:', function (this: PortholeWorld, table: DataTable) {
  assert.deepEqual(
    this.outcome.console.lines.map(({ level, text }) => [level, text]),
    table.rows(),
  );
});

Then('nothing was printed', function (this: PortholeWorld) {
  assert.deepEqual(this.outcome.console.lines, []);
});

Then('the printed text has {text}', function (this: PortholeWorld, part: string) {
  assert.ok(printedBy(this).includes(part), printedBy(this));
});

Then('the printed text was cut to at most {int} bytes', function (this: PortholeWorld, most: number) {
  assert.equal(this.outcome.console.truncated, true);
  assert.ok(Buffer.byteLength(printedBy(this)) <= most, printedBy(this));
});

Then('the effects are:', function (this: PortholeWorld, table: DataTable) {
  const created = { undefined: '', true: 'yes', false: 'no' };
  assert.deepEqual(
    this.outcome.effects.map((effect) => [
      effect.helper,
      effect.path,
      String(effect.bytes),
      created[`${effect.created}`],
    ]),
    table.rows(),
  );
});

Then('there are no effects', function (this: PortholeWorld) {
  assert.deepEqual(this.outcome.effects, []);
});

Then('the effects have the digests of:', function (this: PortholeWorld, table: DataTable) {
  const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  assert.deepEqual(
    this.outcome.effects.map(({ digest }) => digest),
    table.raw().map(([text = '']) => digestOf(text)),
  );
});

Then('the usage counts:', function (this: PortholeWorld, table: DataTable) {
  const { helperCalls, bytesRead, bytesWritten } = this.outcome.usage;
  assert.deepEqual([[helperCalls, bytesRead, bytesWritten].map(String)], table.rows());
});

function printedBy({ outcome }: PortholeWorld): string {
  return outcome.console.lines.map(({ text }) => text).join('\n');
}
