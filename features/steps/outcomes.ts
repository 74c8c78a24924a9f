import assert from 'node:assert/strict';
import { Then } from '@cucumber/cucumber';
import { evaluate } from '../support/evaluate.ts';
import { type PortholeWorld, showOutcome } from '../support/world.ts';

Then('the run completes', function (this: PortholeWorld) {
  assert.equal(this.outcome.status, 'completed', showOutcome(this.outcome));
});

Then('the run completes with {code}', function (this: PortholeWorld, expression: string) {
  assert.deepStrictEqual(this.value, evaluate(expression));
});

Then('the run completes with a true and an invalid date', function (this: PortholeWorld) {
  const [isInvalidInside, date] = Array.isArray(this.value) ? this.value : [];
  assert.equal(isInvalidInside, true);
  assert.ok(date instanceof Date && Number.isNaN(date.getTime()), String(date));
});

Then('the result is an Error with {code}', function (this: PortholeWorld, fields: string) {
  assertError(this.value, fields);
});

Then('its cause is an Error with {code}', function (this: PortholeWorld, fields: string) {
  assertError(this.value instanceof Error ? this.value.cause : undefined, fields);
});

Then('the run is limited by {word} at {int}', function (this: PortholeWorld, limit: string, ceiling: number) {
  const { outcome } = this;
  assert.ok(outcome.status === 'limited', showOutcome(outcome));
  assert.deepEqual([outcome.limit, outcome.ceiling], [limit, ceiling]);
});

Then('it used {int}', function (this: PortholeWorld, used: number) {
  const { outcome } = this;
  assert.ok(outcome.status === 'limited', showOutcome(outcome));
  assert.equal(outcome.used, used);
});

Then('the run is denied with {word}', function (this: PortholeWorld, code: string) {
  const { outcome } = this;
  assert.ok(outcome.status === 'denied', showOutcome(outcome));
  assert.equal(outcome.code, code);
});

Then('the run is aborted because of {text}', function (this: PortholeWorld, reason: string) {
  const { outcome } = this;
  assert.ok(outcome.status === 'aborted', showOutcome(outcome));
  assert.equal(outcome.reason, reason);
});

function assertError(value: unknown, fields: string): void {
  assert.ok(value instanceof Error, String(value));
  const { name, message, code } = value as Error & { readonly code?: string }; // absent where there is none
  assert.deepEqual({ name, message, ...(code === undefined ? {} : { code }) }, evaluate(fields));
}
