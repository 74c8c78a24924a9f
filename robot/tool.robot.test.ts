import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

const call = (name: string, args: unknown, ...flags: string[]) =>
  porthole(['tool', name, '--args', JSON.stringify(args), ...flags]);
const writing = ({ root }: TempFolder) => ['--root', root, '--unsafe', '--allow-write'];

describe('porthole tool file_read', () => {
  it('prints the envelope a model sees', async () => {
    const folder = createFolder();
    folder.write('root/notes.txt', 'héllo\n');
    expect(await call('file_read', { path: 'notes.txt' }, '--root', folder.root)).toMatchObject({
      exitCode: 0,
      stdout: '[FILE_READ_SUCCESS] notes.txt chars 0-6 of 6\nhéllo\n',
      stderr: '',
    });
    const window = await call('file_read', { path: 'notes.txt', max_chars: 2, offset: 1 }, '--root', folder.root);
    expect(window.stdout).toBe('[FILE_READ_SUCCESS] notes.txt chars 1-3 of ?\nél\n[more: call again with offset 3]\n');
  });

  it('numbers lines', async () => {
    const folder = createFolder();
    folder.write('root/notes.txt', 'one\ntwo\nthree');
    const lines = await call('file_read', { path: 'notes.txt', view: 'lines', limit: 2 }, '--root', folder.root);
    expect(lines.stdout).toBe('1\tone\n2\ttwo\n[more: call again with line 3]\n');
  });

  it('prints a refusal as text, with exit code 1', async () => {
    const folder = createFolder();
    const ended = await call('file_read', { path: '../x' }, '--root', folder.root);
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toMatch(/^\[FILE_READ_ERROR\] PATH_TRAVERSAL: .*\n$/);
  });

  it('prints one JSON value with --json, a refusal as well', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'text');
    const good = await call('file_read', { path: 'a.txt' }, '--root', folder.root, '--json');
    expect(good).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(good.stdout)).toMatchObject({
      ok: true,
      tool: 'file_read',
      text: '[FILE_READ_SUCCESS] a.txt chars 0-4 of 4\ntext',
      result: { path: 'a.txt', text: 'text', totalChars: 4, nextOffset: null, bytes: 4 },
    });
    const bad = await call('file_read', { path: 'b.txt' }, '--root', folder.root, '--json');
    expect(bad).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(bad.stdout)).toMatchObject({
      ok: false,
      tool: 'file_read',
      text: expect.stringContaining('[FILE_READ_ERROR] NOT_FOUND'),
      error: { code: 'NOT_FOUND', path: 'b.txt', message: expect.any(String) },
    });
  });

  it('feeds a program in safe mode', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'one two three');
    const read = await call('file_read', { path: 'a.txt' }, '--root', folder.root, '--json');
    const source = 'return input_data.result.text.split(" ").length';
    expect((await porthole(['run', '-e', source, '--input', '@-'], { input: read.stdout })).stdout).toBe('3\n');
  });

  it.each([
    ['-', ['-']],
    ['--args -', ['--args', '-']],
    ['--args @-', ['--args', '@-']],
  ])('takes its arguments from standard input, for %s', async (_, args) => {
    const folder = createFolder();
    folder.write('root/a.txt', 'text');
    const input = '{"path":"a.txt"}';
    const ended = await porthole(['tool', 'file_read', ...args, '--root', folder.root], { input });
    expect(ended).toMatchObject({ exitCode: 0, stdout: '[FILE_READ_SUCCESS] a.txt chars 0-4 of 4\ntext\n' });
  });
});

describe('porthole tool file_write', () => {
  it('writes, appends and inserts', async () => {
    const folder = createFolder();
    const steps = [
      { path: 'a.txt', content: 'b\n' },
      { path: 'a.txt', content: 'c\n', mode: 'a' },
      { path: 'a.txt', content: 'a\n', mode: 'insert', offset: 0 },
    ];
    const shown: string[] = [];
    for (const step of steps) shown.push((await call('file_write', step, ...writing(folder))).stdout);
    expect(shown).toEqual([
      '[FILE_WRITE_SUCCESS] a.txt w: 2 chars written, now 2 bytes\n',
      '[FILE_WRITE_SUCCESS] a.txt a: 2 chars written, now 4 bytes\n',
      '[FILE_WRITE_SUCCESS] a.txt insert: 2 chars written, now 6 bytes\n',
    ]);
    expect(folder.read('root/a.txt')).toBe('a\nb\nc\n');
  });

  it.each([
    ['without --unsafe', [], 'MODE_SAFE'],
    ['without --allow-write', ['--unsafe'], 'UNSAFE_FLAG_MISSING'],
  ])('is refused %s, with exit code 3, and writes nothing', async (_, flags, code) => {
    const folder = createFolder();
    const ended = await call('file_write', { path: 'a.txt', content: 'x' }, '--root', folder.root, ...flags);
    expect(ended.exitCode).toBe(3);
    expect(ended.stdout).toContain(`[FILE_WRITE_ERROR] ${code}: `);
    expect(folder.list('root')).toEqual([]);
  });

  it('compares what was read, with exit code 5 if it changed', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'old');
    const read = await call('file_read', { path: 'a.txt' }, '--root', folder.root, '--json');
    const digest = JSON.parse(read.stdout).result.digest;
    folder.write('root/a.txt', 'changed');
    const late = await call('file_write', { path: 'a.txt', content: 'new', expect: digest }, ...writing(folder));
    expect(late.exitCode).toBe(5);
    expect(late.stdout).toContain('CHANGED_SINCE_READ');
    expect(folder.read('root/a.txt')).toBe('changed');
    folder.write('root/a.txt', 'old');
    const right = await call('file_write', { path: 'a.txt', content: 'new', expect: digest }, ...writing(folder));
    expect(right.exitCode).toBe(0);
    expect(folder.read('root/a.txt')).toBe('new');
  });
});

describe('porthole tool --list', () => {
  it('names the tools', async () => {
    const { exitCode, stdout } = await porthole(['tool', '--list']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^file_read /m);
    expect(stdout).toMatch(/^file_write /m);
    expect(stdout).toMatch(/^edit_file /m);
  });

  it('names them as JSON', async () => {
    const { stdout } = await porthole(['tool', '--list', '--json']);
    const names = JSON.parse(stdout).map(({ name }: { readonly name: string }) => name);
    expect(names).toEqual(['file_read', 'file_write', 'edit_file']);
  });
});
