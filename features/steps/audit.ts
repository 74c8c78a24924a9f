import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { type DataTable, Given, Then, When } from '@cucumber/cucumber';
import { createRuntime, type Receipt } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

interface LoggedEvent {
  readonly kind: string;
  readonly hash: string;
  readonly details: Readonly<Record<string, unknown>>;
}

Given('the audit log is a file', function (this: PortholeWorld) {
  this.useRuntime({ ...this.runtimeOptions, audit: { path: this.auditLog } });
});

Given('somebody else writes the log', async function (this: PortholeWorld) {
  const other = await createRuntime({ audit: { path: this.auditLog } });
  this.putBack.push(() => void other.close()); // nothing of it is running
});

Given('the program {code} has run', async function (this: PortholeWorld, source: string) {
  await this.run([source]);
});

// Who keeps the head elsewhere can tell a cut end.
When('the log is closed', async function (this: PortholeWorld) {
  await this.restart();
  this.head = eventsOf(this).at(-1)?.hash;
});

Given('the approver answers once and takes the log away', function (this: PortholeWorld) {
  this.useApprover(() => {
    unlinkSync(this.auditLog);
    return Promise.resolve('once');
  });
});

When('the log is removed', function (this: PortholeWorld) {
  unlinkSync(this.auditLog);
});

When('in the log {text} becomes {text}', function (this: PortholeWorld, old: string, given: string) {
  const text = readFileSync(this.auditLog, 'utf8');
  assert.ok(text.includes(old), text);
  writeFileSync(this.auditLog, text.replace(old, given));
});

When('line {int} of the log is removed', function (this: PortholeWorld, number: number) {
  changeLines(this, (lines) => lines.toSpliced(number - 1, 1));
});

When('line {int} of the log is written twice', function (this: PortholeWorld, number: number) {
  changeLines(this, (lines) => lines.toSpliced(number, 0, lines[number - 1] ?? ''));
});

When('line {int} of the log is moved to the end', function (this: PortholeWorld, number: number) {
  changeLines(this, (lines) => [...lines.toSpliced(number - 1, 1), lines[number - 1] ?? '']);
});

When('the last line of the log is cut off', function (this: PortholeWorld) {
  changeLines(this, (lines) => lines.slice(0, -1));
});

When('the last line of the log is torn', function (this: PortholeWorld) {
  appendFileSync(this.auditLog, '{"v":1,"seq":');
});

Then('decision line {int} says {word}', function (this: PortholeWorld, line: number, decision: string) {
  const [last] = eventsOf(this)
    .filter(({ kind }) => kind === 'policy.decision')
    .slice(-1);
  assert.deepEqual([last?.details['line'], last?.details['decision']], [line, decision], JSON.stringify(last));
});

Then('the log holds the events:', function (this: PortholeWorld, table: DataTable) {
  assert.deepEqual(
    eventsOf(this).map(({ kind }) => kind),
    table.raw().map(([kind]) => kind),
  );
});

Then('the event {word} has {code}', function (this: PortholeWorld, kind: string, expression: string) {
  const [last] = eventsOf(this)
    .filter((event) => event.kind === kind)
    .slice(-1);
  assert.ok(last !== undefined, `there is no ${kind}`);
  const wanted = Object.entries(Object(evaluate(expression)));
  assert.deepEqual(
    wanted.map(([name]) => [name, last.details[name]]),
    wanted,
  );
});

Then('the log holds no {text}', function (this: PortholeWorld, text: string) {
  assert.ok(!readFileSync(this.auditLog, 'utf8').includes(text));
});

Then('the receipt has the outcome {word}', function (this: PortholeWorld, outcome: string) {
  assert.equal(this.outcome.receipt.outcome, outcome);
  assert.equal(this.outcome.receipt.run, this.outcome.runId);
});

Then('the receipt lists the {word} {code}', function (this: PortholeWorld, list: keyof Receipt, expression: string) {
  const wanted = evaluate(expression);
  assert.ok(Array.isArray(wanted));
  const found = this.outcome.receipt[list];
  assert.ok(Array.isArray(found), `a receipt has no list ${list}`);
  // Only the fields that the scenario names.
  const shown = found.map((entry, index) => pick(entry, Object.keys(Object(wanted[index] ?? wanted[0]))));
  assert.deepEqual(shown, wanted);
});

Then(
  'the receipt lists {int} files and counts {int} more',
  function (this: PortholeWorld, shown: number, rest: number) {
    const { files, more } = this.outcome.receipt;
    assert.deepEqual([files.length, more.files], [shown, rest]);
  },
);

Then('the receipt has the head {text}', function (this: PortholeWorld, head: string) {
  assert.equal(this.outcome.receipt.auditHead, head);
});

Then('the log ends with the head of the receipt', function (this: PortholeWorld) {
  assert.equal(eventsOf(this).at(-1)?.hash, this.outcome.receipt.auditHead);
});

Then('it prints the receipt of the run', function (this: PortholeWorld) {
  assert.deepEqual(JSON.parse(this.command.out), this.outcome.receipt);
});

function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name)]));
}

function linesOf(world: PortholeWorld): string[] {
  return readFileSync(world.auditLog, 'utf8').trimEnd().split('\n');
}

function eventsOf(world: PortholeWorld): readonly LoggedEvent[] {
  return linesOf(world).map((line) => JSON.parse(line));
}

function changeLines(world: PortholeWorld, change: (lines: string[]) => string[]): void {
  writeFileSync(world.auditLog, `${change(linesOf(world)).join('\n')}\n`);
}
