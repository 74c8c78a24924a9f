import { chmodSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

const writing = (folder: TempFolder) => ['--root', folder.root, '--unsafe', '--allow-write'];

describe('a program on real files', () => {
  it('reads and writes them under its root', async () => {
    const folder = createFolder();
    folder.write('root/in.csv', 'name,count\npear,2\n');
    const source = `
      const rows = read_file('in.csv').trim().split('\\n').slice(1).map((row) => row.split(','));
      return write_file('out.json', JSON.stringify(Object.fromEntries(rows)));`;
    const ended = await porthole(['run', '-', ...writing(folder)], { input: source });
    expect(ended).toMatchObject({ exitCode: 0, stdout: '12\n', stderr: '' });
    expect(folder.read('root/out.json')).toBe('{"pear":"2"}');
    expect(folder.list('root')).toEqual(['in.csv', 'out.json']);
  });

  it('takes the current directory as its root where none is named', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'here');
    const ended = await porthole(['run', '-e', 'return read_file("a.txt")', '--unsafe'], { cwd: folder.root });
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'here\n' });
  });

  it('lists what it did in --json, with digests', async () => {
    const folder = createFolder();
    const source = 'write_file("a.txt", "hello"); return read_file("a.txt")';
    const { stdout } = await porthole(['run', '-e', source, '--json', ...writing(folder)]);
    const digest = 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
    expect(JSON.parse(stdout)).toMatchObject({
      effects: [
        { helper: 'write_file', path: 'a.txt', bytes: 5, digest, created: true },
        { helper: 'read_file', path: 'a.txt', bytes: 5, digest },
      ],
      usage: { helperCalls: 2, bytesRead: 5, bytesWritten: 5 },
    });
  });

  it('gives a new file the permissions of the umask, and keeps those of an old one', async () => {
    const folder = createFolder();
    const old = folder.write('root/old.sh', 'x');
    chmodSync(old, 0o750);
    const before = process.umask(0o027);
    try {
      await porthole(['run', '-e', 'write_file("old.sh", "y"); write_file("new.txt", "z")', ...writing(folder)]);
    } finally {
      process.umask(before);
    }
    const mode = (name: string) => (statSync(`${folder.root}/${name}`).mode & 0o777).toString(8);
    expect([mode('old.sh'), mode('new.txt')]).toEqual(['750', '640']);
  });
});

describe('a program without permission', () => {
  it('finds no helper without --unsafe', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'secret');
    const ended = await porthole(['run', '-e', 'return typeof read_file', '--root', folder.root]);
    expect(ended.stdout).toBe('undefined\n');
  });

  it('reads, but does not write without --allow-write', async () => {
    const folder = createFolder();
    folder.write('root/a.txt', 'old');
    const source =
      'const text = read_file("a.txt"); try { write_file("a.txt", "new") } catch (e) { return text + e.code }';
    const ended = await porthole(['run', '-e', source, '--root', folder.root, '--unsafe']);
    expect(ended.stdout).toBe('oldUNSAFE_FLAG_MISSING\n');
    expect(folder.read('root/a.txt')).toBe('old');
    expect(folder.list('root')).toEqual(['a.txt']);
  });

  it('is not let in by a context that only looks like the flag', async () => {
    const folder = createFolder();
    const args = ['--root', folder.root, '--unsafe', '--context', '{"_unsafe_mode":"true"}'];
    const ended = await porthole(['run', '-e', 'write_file("a.txt", "new")', ...args]);
    expect(ended.exitCode).toBe(7);
    expect(folder.list('root')).toEqual([]);
  });

  it('is let in by a context that holds the flag', async () => {
    const folder = createFolder();
    const args = ['--root', folder.root, '--unsafe', '--context', '{"_unsafe_mode":true}'];
    expect((await porthole(['run', '-e', 'write_file("a.txt", "new")', ...args])).exitCode).toBe(0);
    expect(folder.read('root/a.txt')).toBe('new');
  });
});

describe('what lies outside the root', () => {
  it('is neither read nor written, whatever the path', async () => {
    const folder = createFolder();
    folder.write('outside/secret.txt', 'secret');
    folder.write('root-evil/secret.txt', 'secret');
    folder.link('root/file', `${folder.outside}/secret.txt`);
    folder.link('root/directory', folder.outside);
    folder.link('root/up', '..');
    folder.link('root/new', `${folder.outside}/new.txt`);
    const paths = [
      '../outside/secret.txt',
      `${folder.outside}/secret.txt`,
      `${folder.root}-evil/secret.txt`,
      'file',
      'directory/secret.txt',
      'directory/new.txt',
      'up/outside/secret.txt',
      'new',
      '~/secret.txt',
      '/etc/hostname',
    ];
    const source = `return input_data.map((path) => [() => read_file(path), () => write_file(path, 'x')].map((call) => {
      try { return call(); } catch (error) { return error.code; }
    }).join(' '))`;
    const ended = await porthole(['run', '-e', source, '--input', JSON.stringify(paths), ...writing(folder)]);
    const twice = (code: string) => `${code} ${code}`;
    expect(JSON.parse(ended.stdout)).toEqual(paths.map((path) => twice(codeOf(path))));
    expect(folder.read('outside/secret.txt')).toBe('secret');
    expect(folder.list('outside')).toEqual(['secret.txt']);
    expect(folder.list('root')).toEqual(['directory', 'file', 'new', 'up']);
  });

  it('is not named in what a program sees', async () => {
    const folder = createFolder();
    folder.link('root/file', `${folder.outside}/secret.txt`);
    const source = 'try { read_file("file") } catch (e) { return e.message + e.stack + e.path }';
    const { stdout } = await porthole(['run', '-e', source, ...writing(folder)]);
    expect(stdout).toContain('file');
    expect(stdout).not.toContain(folder.path);
    expect(stdout).not.toMatch(/\/proc|node:|\.js:\d+:\d+\)\n.*node/);
  });

  it('cannot be reached as the policy of the next run', async () => {
    const folder = createFolder();
    const source = 'try { write_file("porthole.policy.yaml", "porthole: 1") } catch (e) { return e.code }';
    const ended = await porthole(['run', '-e', source, '--unsafe', '--allow-write'], { cwd: folder.root });
    expect(ended.stdout).toBe('PATH_PROTECTED\n');
    expect(folder.list('root')).toEqual([]);
  });
});

function codeOf(path: string): string {
  if (path.startsWith('..')) return 'PATH_TRAVERSAL';
  return path.startsWith('~') ? 'PATH_HOME' : 'PATH_OUTSIDE_ROOT';
}
