import { dirname, join } from 'node:path';
import { Given } from '@cucumber/cucumber';
import type { FileMode } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

Given('safe mode', function (this: PortholeWorld) {
  this.mode = 'safe';
});

Given('unsafe mode', function (this: PortholeWorld) {
  this.mode = 'unsafe';
});

Given('unsafe mode with the write flag', function (this: PortholeWorld) {
  this.mode = 'unsafe';
  this.runOptions = { ...this.runOptions, context: { _unsafe_mode: true } };
});

Given('the mode {word}', function (this: PortholeWorld, mode: FileMode) {
  this.mode = mode;
});

Given('the invocation context {code}', function (this: PortholeWorld, expression: string) {
  // The library checks what it is given; here it is given anything.
  this.runOptions = { ...this.runOptions, context: evaluate(expression) as Readonly<Record<string, unknown>> };
});

Given('the input {code}', function (this: PortholeWorld, expression: string) {
  this.runOptions = { ...this.runOptions, input: evaluate(expression) };
});

Given('the limit {word} of {int}', function (this: PortholeWorld, name: string, value: number) {
  this.runOptions = { ...this.runOptions, limits: { ...this.runOptions.limits, [name]: value } };
});

Given('the seed {int}', function (this: PortholeWorld, seed: number) {
  this.runOptions = { ...this.runOptions, seed };
});

Given('the clock stopped at {text}', function (this: PortholeWorld, now: string) {
  this.runOptions = { ...this.runOptions, now };
});

Given('the language {word}', function (this: PortholeWorld, language: 'js' | 'ts') {
  this.runOptions = { ...this.runOptions, language };
});

Given('the protected path {text}', function (this: PortholeWorld, path: string) {
  this.useRuntime({ ...this.runtimeOptions, protectedPaths: [join(this.folder.root, path)] });
});

Given('the root is reached through a link', async function (this: PortholeWorld) {
  await this.folder.furnish([{ link: '../door', to: '{root}' }]);
  this.useRuntime({ ...this.runtimeOptions, root: this.expand('{door}') });
});

Given('no root', function (this: PortholeWorld) {
  const { root: _, ...others } = this.runtimeOptions;
  this.useRuntime(others);
});

Given('the root {text}', function (this: PortholeWorld, path: string) {
  this.useRuntime({ ...this.runtimeOptions, root: join(this.folder.root, path) });
});

Given('the runtime option {code}', function (this: PortholeWorld, expression: string) {
  this.useRuntime(Object.assign({}, this.runtimeOptions, evaluate(expression)));
});

Given('the root is the current directory', function (this: PortholeWorld) {
  const before = process.cwd();
  process.chdir(this.folder.root);
  this.putBack.push(() => process.chdir(before));
});

Given('the state directory is {text} in the root', function (this: PortholeWorld, path: string) {
  const before = process.env['XDG_STATE_HOME'];
  process.env['XDG_STATE_HOME'] = join(this.folder.root, dirname(path));
  this.putBack.push(() => {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
  });
});
