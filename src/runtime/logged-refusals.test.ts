import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { errorCodes } from '../contract/errors.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';

const context = { _unsafe_mode: true };
const secret = 'ZANZIBAR';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'porthole-refusals-'));
  const lines = [`key ${secret}`, 'twice', 'twice', 'z'];
  writeFileSync(join(root, 'f.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(root, 'cr'), `a\r${secret}\nb\n`);
  writeFileSync(join(root, 'binary'), `${secret}\0`);
  writeFileSync(join(root, 'latin1'), Buffer.from(`${secret} \xe9`, 'latin1'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function open(content: boolean): Promise<Runtime> {
  const audit = { path: join(root, 'log.jsonl'), content };
  const runtime = await createRuntime({ root, mode: 'unsafe', workers: 1, audit });
  onTestFinished(runtime.close);
  return runtime;
}

const logText = () => readFileSync(join(root, 'log.jsonl'), 'utf8');
const refusals = () =>
  logText()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    .flatMap(({ kind, details }) => (kind === 'file.refused' ? [details] : []));

// Every code that an edit, a write or a read can be refused with because of what the file or the call holds.
const replace = { path: 'f.txt', mode: 'replace' };
const calls: readonly (readonly [string, string, object])[] = [
  ['FIND_NOT_FOUND', 'edit_file', { ...replace, find: `key  ${secret}`, content: secret }],
  ['FIND_NOT_UNIQUE', 'edit_file', { ...replace, find: 'twice', content: secret }],
  ['FIND_EMPTY', 'edit_file', { ...replace, find: '', content: secret }],
  ['LINE_PAST_END', 'edit_file', { ...replace, line: 99, content: secret }],
  ['LINE_MISMATCH', 'edit_file', { ...replace, line: 1, find: `other ${secret}`, content: secret }],
  ['CONTENT_NOT_ONE_LINE', 'edit_file', { ...replace, line: 1, content: `${secret}\n${secret}` }],
  ['CONTENT_NOT_WELL_FORMED', 'edit_file', { ...replace, line: 1, content: `${secret}\ud800` }],
  ['NO_CHANGE', 'edit_file', { ...replace, line: 1, content: `key ${secret}` }],
  ['EDIT_GUARD', 'edit_file', { ...replace, path: 'cr', find: secret, content: '' }],
  [
    'EDITS_OVERLAP',
    'edit_file',
    {
      ...replace,
      edits: [
        { find: `key ${secret}`, content: '' },
        { find: `y ${secret}`, content: '' },
      ],
    },
  ],
  ['CHANGED_SINCE_READ', 'edit_file', { ...replace, line: 1, content: secret, expect: `sha256:${'0'.repeat(64)}` }],
  ['ARGUMENT_INVALID', 'edit_file', { path: 'f.txt', mode: secret }],
  ['ARGUMENT_INVALID', 'edit_file', { ...replace, line: secret, content: '' }],
  ['FILE_BINARY', 'edit_file', { ...replace, path: 'binary', line: 1, content: secret }],
  ['NOT_UTF8', 'file_read', { path: 'latin1' }],
  ['OFFSET_PAST_END', 'file_write', { path: 'f.txt', mode: 'insert', offset: 999, content: secret }],
  ['FILE_TOO_LARGE', 'file_write', { path: 'f.txt', content: secret.repeat(2_200_000) }],
];

describe('a refusal in the log', () => {
  it.each(calls)('of the code %s (%s) tells no content', async (code, tool, args) => {
    const runtime = await open(false);
    expect(await runtime.callTool(tool, args, { context })).toMatchObject({ ok: false, error: { code } });
    expect(refusals()).toMatchObject([{ action: tool, code }]);
    expect(logText()).not.toContain(secret);
  });

  it('names the code and its sentence, and the receipt says the same', async () => {
    const runtime = await open(false);
    await runtime.callTool('edit_file', { ...replace, find: secret.repeat(2), content: '' }, { context });
    expect(refusals()).toEqual([
      { action: 'edit_file', path: 'f.txt', code: 'FIND_NOT_FOUND', reason: errorCodes.FIND_NOT_FOUND.meaning },
    ]);
    const source = `try { write_file('f.txt', '${secret}', '${secret}') } catch (error) { return error.message }`;
    const outcome = await runtime.run({ source, context });
    expect(outcome).toMatchObject({ status: 'completed', value: expect.stringContaining('write_file') });
    expect(outcome.receipt.refusals).toMatchObject([{ code: 'ARGUMENT_INVALID' }]);
    expect(JSON.stringify(outcome.receipt)).not.toContain(secret);
  });

  it('tells what speaks of paths and rules in the words of the refusal', async () => {
    const runtime = await open(false);
    await runtime.callTool('file_read', { path: '../x' }, { context });
    expect(refusals()).toMatchObject([{ reason: 'Cannot read "../x": path contains ".."' }]);
  });

  it('tells all of it where content is asked for', async () => {
    const runtime = await open(true);
    await runtime.callTool('edit_file', { ...replace, find: `key  ${secret}`, content: '' }, { context });
    expect(refusals()[0].reason).toContain(secret);
  });
});
