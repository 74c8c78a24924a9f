import { describe, expect, it } from 'vitest';
import { porthole, runToEnd } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

const edit = (folder: TempFolder, args: object, ...flags: string[]) =>
  porthole(['tool', 'edit_file', '--args', JSON.stringify(args), '--root', folder.root, ...flags]);
const writing = ['--unsafe', '--allow-write'];

describe('porthole tool edit_file', () => {
  it('replaces the line that a page of file_read numbered', async () => {
    const folder = createFolder();
    folder.write('root/notes.md', '# Notes\r\n\r\nfirst\r\n');
    const page = { path: 'notes.md', view: 'lines' };
    const read = await porthole(['tool', 'file_read', '--args', JSON.stringify(page), '--root', folder.root]);
    expect(read.stdout).toContain('3\tfirst\n');
    const args = { path: 'notes.md', mode: 'replace', line: 3, content: 'opening' };
    expect(await edit(folder, args, ...writing)).toMatchObject({
      exitCode: 0,
      stdout: 'replaced at line 3 of notes.md; now 20 bytes; line 3 now: "opening"\n',
      stderr: '',
    });
    expect(folder.read('root/notes.md')).toBe('# Notes\r\n\r\nopening\r\n');
  });

  it('prints text and structure as one JSON value', async () => {
    const folder = createFolder();
    folder.write('root/b.py', 'def f():\n    return 1\n');
    const args = { path: 'b.py', mode: 'replace', line: 1, find: 'return 1', content: 'return 10' };
    const ended = await edit(folder, args, ...writing, '--json');
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: true,
      tool: 'edit_file',
      text:
        'line 1 did not contain "return 1"; replaced line 2 of b.py, the one line that does, ' +
        'keeping the line\'s indentation (4 spaces); now 23 bytes; line 2 now: "    return 10"',
      result: {
        path: 'b.py',
        mode: 'replace',
        created: false,
        bytesBefore: 22,
        bytesAfter: 23,
        digestBefore: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        digestAfter: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        edits: [{ line: 2, movedFrom: 1, keptIndentation: '    ' }],
      },
    });
  });

  it('answers a dry run with a diff that git applies', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'one\ntwo\nthree');
    const args = {
      path: 'a.txt',
      mode: 'replace',
      edits: [
        { line: 1, content: '1' },
        { find: 'three', content: '3' },
      ],
    };
    const dry = JSON.parse((await edit(folder, { ...args, dry_run: true }, ...writing, '--json')).stdout);
    expect(folder.read('root/a.txt')).toBe('one\ntwo\nthree');
    const patch = folder.write('patch', dry.result.diff);
    expect(await runToEnd('git', ['apply', patch], { cwd: folder.root })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(folder.read('root/a.txt')).toBe('1\ntwo\n3');
  });

  it.each([
    [1, 'FIND_NOT_UNIQUE', { find: 'x', content: 'y' }, 'error: text to replace occurs 2 times (lines 1, 2), include'],
    [1, 'FIND_NOT_FOUND', { find: 'Z', content: 'y' }, 'error: text to replace not found: "Z"'],
    [1, 'LINE_PAST_END', { line: 9, content: 'y' }, 'error: no line 9: the file has 3 lines'],
    [1, 'ARGUMENT_INVALID', { content: 'y' }, 'error: '],
    [5, 'CHANGED_SINCE_READ', { line: 1, content: 'y', expect: `sha256:${'0'.repeat(64)}` }, 'error: '],
  ])('exits with %i for %s, and changes nothing', async (exitCode, code, place, says) => {
    const folder = createFolder();
    folder.write('root/a.txt', 'x\nx\nz\n');
    const args = { path: 'a.txt', mode: 'replace', ...place };
    const ended = await edit(folder, args, ...writing, '--json');
    expect(ended).toMatchObject({ exitCode, stderr: '' });
    const answer = JSON.parse(ended.stdout);
    expect(answer).toMatchObject({ ok: false, tool: 'edit_file', error: { code, message: expect.any(String) } });
    expect(answer.text).toContain(says);
    expect((await edit(folder, args, ...writing)).stdout).toBe(`${answer.text}\n`);
    expect(folder.read('root/a.txt')).toBe('x\nx\nz\n');
  });

  it.each([
    ['without --unsafe', [], 'MODE_SAFE'],
    ['without --allow-write', ['--unsafe'], 'UNSAFE_FLAG_MISSING'],
  ])('exits with 3 %s', async (_, flags, code) => {
    const folder = createFolder();
    const ended = await edit(folder, { path: 'a.txt', mode: 'write', content: 'x' }, ...flags, '--json');
    expect(ended.exitCode).toBe(3);
    expect(JSON.parse(ended.stdout).error.code).toBe(code);
    expect(folder.list('root')).toEqual([]);
  });
});
