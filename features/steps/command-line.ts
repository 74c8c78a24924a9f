import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { errorCodes, limitNames } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

When('an operator calls {code}', async function (this: PortholeWorld, line: string) {
  const [, ...args] = line.split(' ').map((word) => this.expand(word));
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runCommandLine({
    args,
    env: {},
    out: { write: (text) => void out.push(text), isTerminal: false },
    err: { write: (text) => void err.push(text), isTerminal: false },
    readStandardInput: () => Promise.resolve(new Uint8Array()),
    onInterrupt: () => () => undefined,
  });
  this.commandBefore = this.command;
  this.command = { exitCode, out: out.join(''), err: err.join('') };
});

Then('the exit code is {int}', function (this: PortholeWorld, code: number) {
  assert.equal(this.command.exitCode, code, this.command.err);
});

Then('it prints {text}', function (this: PortholeWorld, part: string) {
  assert.ok(this.command.out.includes(this.expand(part)), this.command.out);
});

Then('it prints no {text}', function (this: PortholeWorld, part: string) {
  assert.ok(!this.command.out.includes(part), this.command.out);
});

Then('it prints the JSON {code}', function (this: PortholeWorld, expression: string) {
  assert.deepEqual(JSON.parse(this.command.out), evaluate(expression));
});

Then('it complains with {text}', function (this: PortholeWorld, part: string) {
  assert.ok(this.command.err.includes(this.expand(part)), this.command.err);
});

Then('it prints every limit', function (this: PortholeWorld) {
  assertAll(this.command.out, limitNames);
});

Then('it prints every error code', function (this: PortholeWorld) {
  assertAll(this.command.out, Object.keys(errorCodes));
});

Then('it prints JSON with the fields {code}', function (this: PortholeWorld, expression: string) {
  assert.deepEqual(Object.keys(JSON.parse(this.command.out)), evaluate(expression));
});

function assertAll(text: string, names: readonly string[]): void {
  assert.deepEqual(
    names.filter((name) => !text.includes(name)),
    [],
  );
}
