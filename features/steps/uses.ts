import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import type { PortholeWorld } from '../support/world.ts';
import { tryIn } from './programs.ts';

/** Every way to a file, each in a call that changes "a.txt" or reads it. */
const uses = {
  read_file: 'read_file("a.txt")',
  write_file: 'write_file("a.txt", "new")',
  file_read: { path: 'a.txt' },
  file_write: { path: 'a.txt', content: 'new' },
  edit_file: { path: 'a.txt', mode: 'write', content: 'new' },
} as const;

When('{word} is used', async function (this: PortholeWorld, surface: keyof typeof uses) {
  this.uses = [...this.uses, await use(this, surface)];
});

When('{word} is used in two runs', async function (this: PortholeWorld, surface: keyof typeof uses) {
  for (let run = 1; run <= 2; run++) this.uses = [...this.uses, await use(this, surface)];
});

When('{word} is used twice in each of two runs', async function (this: PortholeWorld, helper: 'read_file') {
  const attempt = `(() => { ${tryIn(uses[helper])} })()`;
  for (let run = 1; run <= 2; run++) {
    await this.run([`return [${attempt}, ${attempt}]`]);
    assert.ok(Array.isArray(this.value));
    this.uses = [...this.uses, ...this.value.map(endOf)];
  }
});

Then('each use is/ends {word}', function (this: PortholeWorld, end: string) {
  assert.ok(this.uses.length > 0, 'nothing was used');
  assert.deepEqual(
    this.uses.filter((other) => other !== end),
    [],
  );
});

// "done", or the code or name of what was caught.
async function use(world: PortholeWorld, surface: keyof typeof uses): Promise<string> {
  const call = uses[surface];
  if (typeof call === 'string') {
    await world.run([tryIn(call)]);
    return endOf(world.value);
  }
  const answer = await world.callTool(surface, call);
  return answer.ok ? 'done' : answer.error.code;
}

function endOf(caught: { readonly code?: string; readonly name?: string } | unknown): string {
  const { code, name } = Object(caught);
  return code ?? name ?? 'done';
}
