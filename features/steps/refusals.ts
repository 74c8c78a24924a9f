import assert from 'node:assert/strict';
import { Then } from '@cucumber/cucumber';
import { PortholeError } from '../../src/index.ts';
import type { PortholeWorld } from '../support/world.ts';

/** What a program returns that tried one call. */
interface Caught {
  readonly name?: string;
  readonly code?: string;
  readonly path?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly isError?: boolean;
  readonly value?: unknown;
}

Then('it catches a/an {word} with the code {word}', function (this: PortholeWorld, name: string, code: string) {
  const caught = caughtBy(this);
  assert.deepEqual([caught.name, caught.code, caught.isError], [name, code, true]);
});

Then('it catches a ReferenceError', function (this: PortholeWorld) {
  assert.deepEqual([caughtBy(this).name, caughtBy(this).isError], ['ReferenceError', true]);
});

Then('the message is {text}', function (this: PortholeWorld, message: string) {
  assert.equal(caughtBy(this).message, message);
});

Then('the message is:', function (this: PortholeWorld, message: string) {
  assert.equal(caughtBy(this).message, message);
});

Then('the message says {text}', function (this: PortholeWorld, part: string) {
  const { message = 'no message' } = caughtBy(this);
  assert.ok(message.includes(part), message);
});

Then('the path is {text}', function (this: PortholeWorld, path: string) {
  assert.equal(caughtBy(this).path, path);
});

Then('there is no path', function (this: PortholeWorld) {
  assert.equal(caughtBy(this).path, undefined);
});

Then('nothing of the host is in it', function (this: PortholeWorld) {
  const all = JSON.stringify(caughtBy(this));
  for (const trace of [this.folder.base, '/proc/self', 'node:', 'src/', '.ts']) {
    assert.ok(!all.includes(trace), `${trace} is in ${all}`);
  }
});

Then('it is refused with {word}', function (this: PortholeWorld, code: string) {
  assert.ok(this.refusal instanceof Error && 'code' in this.refusal, String(this.refusal));
  assert.equal(this.refusal.code, code);
});

Then('the refusal says {text}', function (this: PortholeWorld, part: string) {
  assert.ok(this.refusal instanceof Error && this.refusal.message.includes(part), String(this.refusal));
});

Then('the hint of the refusal says {text}', function (this: PortholeWorld, part: string) {
  assert.ok(this.refusal instanceof PortholeError && this.refusal.hint.includes(part), String(this.refusal));
});

function caughtBy(world: PortholeWorld): Caught {
  const caught = world.value as Caught; // what the step before made the program return
  assert.ok(!('value' in caught), `the call was not refused: ${JSON.stringify(caught)}`);
  return caught;
}
