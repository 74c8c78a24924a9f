import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Given, Then } from '@cucumber/cucumber';
import type { PortholeWorld } from '../support/world.ts';

Given('the file {text} holds {text}', async function (this: PortholeWorld, file: string, text: string) {
  await this.folder.furnish([{ file, text }]);
});

Given('the file {text} holds:', async function (this: PortholeWorld, file: string, text: string) {
  await this.folder.furnish([{ file, text }]);
});

Given('the file {text} holds the bytes {text}', async function (this: PortholeWorld, file: string, hex: string) {
  await this.folder.furnish([{ file, hex: hex.replaceAll(' ', '') }]);
});

Given('the file {text} holds {int} bytes', async function (this: PortholeWorld, file: string, size: number) {
  await this.folder.furnish([{ file, text: 'x'.repeat(size) }]);
});

Given(
  'outside the root, the file {text} holds {text}',
  async function (this: PortholeWorld, outsideFile: string, text: string) {
    await this.folder.furnish([{ outsideFile, text }]);
  },
);

Given('a directory {text}', async function (this: PortholeWorld, dir: string) {
  await this.folder.furnish([{ dir }]);
});

Given('a link {text} to {text}', async function (this: PortholeWorld, link: string, to: string) {
  await this.folder.furnish([{ link, to }]);
});

Given('a hard link {text} to {text}', async function (this: PortholeWorld, hardlink: string, to: string) {
  await this.folder.furnish([{ hardlink, to }]);
});

Given('a FIFO {text}', async function (this: PortholeWorld, fifo: string) {
  await this.folder.furnish([{ fifo }]);
});

Given('a socket {text}', async function (this: PortholeWorld, socket: string) {
  await this.folder.furnish([{ socket }]);
});

Given('the file {text} may be read only', function (this: PortholeWorld, file: string) {
  chmodSync(join(this.folder.root, file), 0o444);
});

Then('the file {text} now holds {text}', function (this: PortholeWorld, file: string, text: string) {
  assert.equal(readFileSync(join(this.folder.root, file), 'utf8'), text);
});

Then('the file {text} now holds:', function (this: PortholeWorld, file: string, text: string) {
  assert.equal(readFileSync(join(this.folder.root, file), 'utf8'), text);
});

Then('the file {text} now holds the bytes {text}', function (this: PortholeWorld, file: string, hex: string) {
  assert.equal(readFileSync(join(this.folder.root, file)).toString('hex'), hex.replaceAll(' ', ''));
});

Then('{text} is still a link', function (this: PortholeWorld, link: string) {
  assert.match(this.folder.snapshot(this.folder.root)[link] ?? 'nothing', /^link to /);
});

Then('there is no file {text}', function (this: PortholeWorld, file: string) {
  assert.equal(existsSync(join(this.folder.root, file)), false);
});

// Kind, mode, inode and bytes of everything inside and outside the root, temporary files included.
Then('nothing on the disk has changed', function (this: PortholeWorld) {
  assert.deepEqual(this.folder.snapshot(), this.before);
});

Then('nothing outside the root has changed', function (this: PortholeWorld) {
  const outside = ([name]: readonly [string, string]) => name.startsWith('outside/');
  assert.deepEqual(Object.entries(this.folder.snapshot()).filter(outside), Object.entries(this.before).filter(outside));
});

Then('no temporary file is left', function (this: PortholeWorld) {
  assert.deepEqual(
    Object.keys(this.folder.snapshot()).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

Given('the file {text} may be written', function (this: PortholeWorld, file: string) {
  chmodSync(join(this.folder.root, file), 0o644);
});

Given('the file {text} has the mode {word}', function (this: PortholeWorld, file: string, mode: string) {
  chmodSync(join(this.folder.root, file), Number.parseInt(mode, 8));
});

Given('the file {text} is removed', function (this: PortholeWorld, file: string) {
  unlinkSync(join(this.folder.root, file));
});

Then('the file {text} still has the mode {word}', function (this: PortholeWorld, file: string, mode: string) {
  assert.equal((statSync(join(this.folder.root, file)).mode & 0o777).toString(8), mode);
});

Then('the file {text} now holds {int} lines', function (this: PortholeWorld, file: string, count: number) {
  assert.equal(readFileSync(join(this.folder.root, file), 'utf8').split('\n').length - 1, count);
});
