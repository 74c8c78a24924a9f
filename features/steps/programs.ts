import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { When } from '@cucumber/cucumber';
import type { PortholeWorld } from '../support/world.ts';

When('this program runs:', async function (this: PortholeWorld, source: string) {
  await this.run([source]);
});

When('the program {code} runs', async function (this: PortholeWorld, source: string) {
  await this.run([source]);
});

// What a program sees of a refusal, and nothing a host could add.
When('a program tries {code}', async function (this: PortholeWorld, call: string) {
  await this.run([tryIn(call)]);
});

When('a program is refused to start: {code}', async function (this: PortholeWorld, source: string) {
  this.refusal = await this.run([source]).then(
    () => new Error('it started'),
    (error: unknown) => error,
  );
});

When('the run is aborted while this program runs:', async function (this: PortholeWorld, source: string) {
  const abortion = new AbortController();
  const running = this.run([source], { signal: abortion.signal });
  // The reason is plain text, so that a scenario can name it.
  setTimeout(() => abortion.abort('enough'), 50);
  await running;
});

When(
  'the run is aborted as soon as this program has written {text}:',
  async function (this: PortholeWorld, file: string, source: string) {
    const abortion = new AbortController();
    const poll = setInterval(() => {
      if (existsSync(join(this.folder.root, file))) abortion.abort('enough');
    }, 5);
    await this.run([source], { signal: abortion.signal }).finally(() => clearInterval(poll));
  },
);

When('the run is aborted before this program runs:', async function (this: PortholeWorld, source: string) {
  await this.run([source], { signal: AbortSignal.abort('enough') });
});

/** A program that makes one call and returns what it caught. */
export function tryIn(call: string): string {
  return `try {
    const value = ${call};
    return { value };
  } catch (error) {
    const { name, code, path, message, stack } = error;
    return { name, code, path, message, stack, isError: error instanceof Error };
  }`;
}
