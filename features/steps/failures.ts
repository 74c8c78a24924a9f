import assert from 'node:assert/strict';
import { Then } from '@cucumber/cucumber';
import type { ProgramError } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import { type PortholeWorld, showOutcome } from '../support/world.ts';

Then('the run fails with {word}: {text}', function (this: PortholeWorld, name: string, message: string) {
  const error = errorOf(this);
  assert.deepEqual([error.name, error.message], [name, message]);
});

Then('the run fails with {word} in line {int}', function (this: PortholeWorld, name: string, line: number) {
  const error = errorOf(this);
  assert.deepEqual([error.name, error.line], [name, line]);
});

Then('the position is line {int}, column {int}', function (this: PortholeWorld, line: number, column: number) {
  const error = errorOf(this);
  assert.deepEqual([error.line, error.column], [line, column]);
});

Then('the run fails with the code {word}', function (this: PortholeWorld, code: string) {
  assert.equal(errorOf(this).code, code);
});

Then('the run fails as {word}', function (this: PortholeWorld, kind: string) {
  assert.equal(errorOf(this).kind, kind);
});

Then('the run fails with the thrown value {code}', function (this: PortholeWorld, expression: string) {
  const error = errorOf(this);
  assert.equal(error.name, 'Thrown');
  assert.ok('thrown' in error, 'the outcome does not say what was thrown');
  assert.deepStrictEqual(error.thrown, evaluate(expression));
});

Then('the error says {text}', function (this: PortholeWorld, part: string) {
  const { message } = errorOf(this);
  assert.ok(message.includes(part), message);
});

Then('its hint says {text}', function (this: PortholeWorld, part: string) {
  const { hint = 'no hint' } = errorOf(this);
  assert.ok(hint.includes(part), hint);
});

Then('its cause is {word}: {text}', function (this: PortholeWorld, name: string, message: string) {
  const { cause } = errorOf(this);
  assert.deepEqual([cause?.name, cause?.message], [name, message]);
});

function errorOf({ outcome }: PortholeWorld): ProgramError {
  assert.ok(outcome.status === 'failed', showOutcome(outcome));
  return outcome.error;
}
