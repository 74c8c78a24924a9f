import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import type { ToolAnswer } from '../../src/index.ts';
import { evaluate } from '../support/evaluate.ts';
import type { PortholeWorld } from '../support/world.ts';
import { tryIn } from './programs.ts';

When('the tool {word} is called with {code}', async function (this: PortholeWorld, name: string, args: string) {
  await this.callTool(name, evaluate(args));
});

When('the tool {word} is refused: {code}', async function (this: PortholeWorld, name: string, args: string) {
  this.refusal = await this.callTool(name, evaluate(args)).catch((error: unknown) => error);
});

When(
  'the tool {word} is called with the digest of {text} and {code}',
  async function (this: PortholeWorld, name: string, path: string, args: string) {
    const read = successOf(await this.callTool('file_read', { path }));
    await this.callTool(name, Object.assign({ expect: read.result['digest'] }, evaluate(args)));
  },
);

// The same call on both surfaces; for the helper, options stand behind the needed arguments.
When('program and tool read {text}', async function (this: PortholeWorld, written: string) {
  const path = this.folder.expand(written);
  await this.run([tryIn(`read_file(${JSON.stringify(path)})`)]);
  await this.callTool('file_read', { path });
});

When('program and tool write {text} to {text}', async function (this: PortholeWorld, content: string, written: string) {
  const path = this.folder.expand(written);
  await this.run([tryIn(`write_file(${JSON.stringify(path)}, ${JSON.stringify(content)})`)]);
  const { before } = this;
  await this.callTool('file_write', { path, content });
  this.before = before;
});

Then('both are refused with {word}', function (this: PortholeWorld, code: string) {
  assert.equal((this.value as { readonly code?: string }).code, code, 'the helper'); // as tryIn() returns it
  assert.equal(failureOf(this.answer).code, code, 'the tool');
});

Then('both read {text}', function (this: PortholeWorld, text: string) {
  assert.deepEqual(this.value, { value: text });
  assert.equal(successOf(this.answer).result['text'], text);
});

Then('both succeed', function (this: PortholeWorld) {
  assert.ok('value' in (this.value as object), JSON.stringify(this.value)); // as tryIn() returns it
  successOf(this.answer);
});

Then('the tool answers:', function (this: PortholeWorld, text: string) {
  assert.equal(successOf(this.answer).text, text);
});

Then('the tool answers {text}', function (this: PortholeWorld, text: string) {
  assert.equal(successOf(this.answer).text, text);
});

Then('the tool is refused with {word}', function (this: PortholeWorld, code: string) {
  assert.equal(failureOf(this.answer).code, code);
});

Then('the model sees a text with {text}', function (this: PortholeWorld, part: string) {
  assert.ok(this.answer?.text.includes(part), this.answer?.text);
});

Then('the result has {word} {code}', function (this: PortholeWorld, field: string, expression: string) {
  assert.deepEqual(successOf(this.answer).result[field], evaluate(expression));
});

function successOf(answer: ToolAnswer | undefined): Extract<ToolAnswer, { readonly ok: true }> {
  assert.ok(answer?.ok === true, JSON.stringify(answer));
  return answer;
}

function failureOf(answer: ToolAnswer | undefined): Extract<ToolAnswer, { readonly ok: false }>['error'] {
  assert.ok(answer?.ok === false, JSON.stringify(answer));
  return answer.error;
}
