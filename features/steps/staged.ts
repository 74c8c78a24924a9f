import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Given, Then, When } from '@cucumber/cucumber';
import type { WriteBackReport } from '../../src/index.ts';
import { exitCodeOfReport, renderReport } from '../../src/staging/render-report.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';

Given('a copy of {text}', function (this: PortholeWorld, input: string) {
  stage(this, { copy: [this.expand(input)] });
});

Given('a writable copy of {text}', function (this: PortholeWorld, input: string) {
  stage(this, { copyRw: [this.expand(input)] });
});

Given('a copy without {text}', function (this: PortholeWorld, pattern: string) {
  stage(this, { exclude: [pattern] });
});

// What somebody else does between the copy and the write-back.
When('{text} becomes a link to {text}', function (this: PortholeWorld, path: string, target: string) {
  const place = join(this.folder.root, path);
  rmSync(place, { recursive: true });
  symlinkSync(this.expand(target), place);
});

When('{text} is replaced by a file with the same bytes', function (this: PortholeWorld, path: string) {
  const place = join(this.folder.root, path);
  writeFileSync(`${place}.new`, readFileSync(place));
  renameSync(`${place}.new`, place);
});

When('{text} is moved to {text}', function (this: PortholeWorld, from: string, to: string) {
  renameSync(join(this.folder.root, from), join(this.folder.root, to));
});

When('the changes are written back', async function (this: PortholeWorld) {
  await writeBack(this, {});
});

When('the changes are written back, skips not being allowed', async function (this: PortholeWorld) {
  await writeBack(this, { failOnSkip: true });
});

When('the write-back is planned only', async function (this: PortholeWorld) {
  await writeBack(this, { dryRun: true });
});

// Every line of it, in order, and nothing else.
Then('the report is:', function (this: PortholeWorld, report: string) {
  assert.equal(this.command.err, `${this.expand(report)}\n`);
});

Then('there is no report', function (this: PortholeWorld) {
  assert.ok(!this.command.err.includes('write-back:'), this.command.err);
});

Then('the changes are {code}', function (this: PortholeWorld, expression: string) {
  assert.deepEqual(
    this.outcome.changes?.map(({ kind, path }) => `${kind} ${path}`),
    evaluate(expression),
  );
});

Then('git applies what it printed', function (this: PortholeWorld) {
  applyPatch(this, '-', this.command.out);
});

Then('git applies the file {text}', function (this: PortholeWorld, file: string) {
  applyPatch(this, file);
});

Then('it prints exactly:', function (this: PortholeWorld, text: string) {
  assert.equal(this.command.out, `${text}\n`);
});

Then('it prints exactly nothing', function (this: PortholeWorld) {
  assert.equal(this.command.out, '');
});

Then('it prints the same as the call before', function (this: PortholeWorld) {
  assert.notEqual(this.command.out, '');
  assert.equal(this.command.out, this.commandBefore.out);
});

Then('all it complains about is the same but for the report', function (this: PortholeWorld) {
  assert.deepEqual(withoutReport(this.command.err), withoutReport(this.commandBefore.err));
  assert.notEqual(this.command.err, this.commandBefore.err);
});

Then('the value, the console and the changes are those of the call before', function (this: PortholeWorld) {
  assert.deepEqual(factsIn(this.command.out), factsIn(this.commandBefore.out));
});

function stage(world: PortholeWorld, more: Readonly<Record<string, readonly string[]>>): void {
  world.mode = 'staged';
  const staged: Record<string, unknown> = { ...world.runtimeOptions.staged };
  for (const [name, values] of Object.entries(more)) {
    const before = staged[name];
    staged[name] = [...(Array.isArray(before) ? before : []), ...values];
  }
  world.useRuntime({ ...world.runtimeOptions, staged });
}

interface WriteBackChoices {
  readonly dryRun?: boolean;
  readonly failOnSkip?: boolean;
}

// As the command does it, which leaves no moment between the run and this to change something in.
async function writeBack(
  world: PortholeWorld,
  { dryRun = false, failOnSkip = false }: WriteBackChoices,
): Promise<void> {
  const runtime = await world.runtime();
  world.before = world.folder.snapshot();
  const report: WriteBackReport | null = await runtime.writeBack(world.outcome, { dryRun });
  assert.ok(report !== null, 'a run that did not complete has no report');
  const err = renderReport(report).map((line) => `${line}\n`);
  world.command = { exitCode: exitCodeOfReport(report, { failOnSkip }), out: '', err: err.join('') };
}

// Whatever repository may lie around the folder is none of git's business here.
function applyPatch({ folder }: PortholeWorld, patch: string, input = ''): void {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder.base };
  execFileSync('git', ['apply', patch], { input, cwd: folder.root, env, stdio: 'pipe' });
}

function withoutReport(text: string): readonly string[] {
  return text.split('\n').filter((line) => !line.startsWith('write-back: '));
}

function factsIn(json: string): unknown {
  const { value, console: shown, changes, diff } = JSON.parse(json);
  return { value, shown, changes, diff };
}
