import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import type { StagedOptions } from '../contract/staged-options.ts';
import { createMemoryTree, type MemoryTree } from '../fs/memory-tree.ts';
import { copyIn } from './copy-in.ts';
import { flagLabels, parseInputs } from './inputs.ts';
import type { Baseline } from './staged-files.ts';

const digest = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

let base: string;
let before: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-copy-')));
  before = process.cwd();
  process.chdir(base);
  put('src/a.txt', 'a');
  put('src/lib/b.bin', Buffer.from([0, 255]));
  put('other/c.txt', 'c');
});

afterEach(() => {
  process.chdir(before);
  rmSync(base, { recursive: true });
});

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

interface Copied {
  readonly tree: MemoryTree;
  readonly baseline: Baseline;
  readonly paths: readonly string[];
}

const plenty = { treeBytes: 1_000_000, treeNodes: 1000 };

async function copy(options: StagedOptions, more: Partial<Parameters<typeof copyIn>[2]> = {}): Promise<Copied> {
  const tree = createMemoryTree({ id: 't', quota: more.quota ?? plenty });
  const powers = { digest, quota: plenty, breathe: () => Promise.resolve(), ...more };
  const baseline = await copyIn(parseInputs(options, flagLabels), tree, powers);
  expect([...baseline.files.keys()].sort()).toEqual([...tree.files().keys()].sort());
  return { tree, baseline, paths: [...tree.files().keys()].sort() };
}

async function refusal(options: StagedOptions, more?: Parameters<typeof copy>[1]): Promise<unknown> {
  try {
    return await copy(options, more);
  } catch (error) {
    return error instanceof PortholeError ? `${error.code}: ${error.message}` : error;
  }
}

describe('copyIn()', () => {
  it('puts a directory and a file below their own names', async () => {
    const { paths, tree } = await copy({ copy: ['src', 'other/c.txt'] });
    expect(paths).toEqual(['c.txt', 'src/a.txt', 'src/lib/b.bin']);
    expect(tree.files().get('src/lib/b.bin')).toEqual(new Uint8Array([0, 255]));
  });

  it.each<[StagedOptions, readonly string[]]>([
    [{ copy: ['src=/'] }, ['a.txt', 'lib/b.bin']],
    [{ copy: ['src/'] }, ['src/a.txt', 'src/lib/b.bin']],
    [{ copy: ['./src/.'] }, ['src/a.txt', 'src/lib/b.bin']],
    [{ copy: ['src=/x/y'] }, ['x/y/a.txt', 'x/y/lib/b.bin']],
    [{ copy: ['other/c.txt=/'] }, ['c.txt']],
    [{ copy: ['other/c.txt=/d/'] }, ['d/c.txt']],
    [{ copy: ['other/c.txt=/d'] }, ['d']],
    [{ copy: ['other/c.txt=/src', 'src'] }, ['src/a.txt', 'src/c.txt', 'src/lib/b.bin']],
    [{ copy: ['other/c.txt=/src/lib', 'src'] }, ['src/a.txt', 'src/lib/b.bin', 'src/lib/c.txt']],
    [{ copy: ['src=/deep/src', 'other/c.txt=/deep'] }, ['deep/c.txt', 'deep/src/a.txt', 'deep/src/lib/b.bin']],
    [{}, []],
  ])('copies %j to %j', async (options, paths) => {
    expect((await copy(options)).paths).toEqual(paths);
  });

  it('names "." and ".." by what they are', async () => {
    process.chdir('src');
    expect((await copy({ copy: ['.'] })).paths).toEqual(['src/a.txt', 'src/lib/b.bin']);
    process.chdir('lib');
    expect((await copy({ copy: ['..'] })).paths).toEqual(['src/a.txt', 'src/lib/b.bin']);
  });

  it('remembers of every file where it came from and what it was', async () => {
    const { baseline } = await copy({ copy: ['other/c.txt=/one'], copyRw: ['src'] });
    const [file, directory] = baseline.inputs;
    expect(file).toMatchObject({ given: 'other/c.txt', hostPath: `${base}/other/c.txt`, place: 'one', kind: 'file' });
    expect(file?.isWritable).toBe(false);
    expect(directory).toMatchObject({ hostPath: `${base}/src`, place: 'src', kind: 'directory', isWritable: true });
    expect(directory?.directory.inode).toBe(String(lstatSync('src').ino));
    expect(file?.directory.inode).toBe(String(lstatSync('other').ino));
    const copied = baseline.files.get('src/a.txt');
    const { ino, dev } = lstatSync('src/a.txt');
    expect(copied?.pin).toEqual({ device: String(dev), inode: String(ino), digest: digest(Buffer.from('a')) });
    expect(copied?.input).toBe(directory);
  });

  it('fills a place from the input that is nearest to it', async () => {
    put('src/lib/own.txt', 'own');
    const { paths, baseline, tree } = await copy({
      copy: ['src'],
      copyRw: ['other=/src/lib', 'other/c.txt=/src/a.txt'],
    });
    expect(paths).toEqual(['src/a.txt', 'src/lib/c.txt']);
    expect(Buffer.from(tree.files().get('src/a.txt') ?? []).toString()).toBe('c');
    expect(baseline.files.get('src/lib/c.txt')?.input.given).toBe('other');
  });

  it('leaves out what is excluded, links and pipes as well', async () => {
    symlinkSync('a.txt', 'src/link');
    execFileSync('mkfifo', ['src/lib/pipe']);
    const { paths } = await copy({ copy: ['src'], exclude: ['link', 'lib/p*'] });
    expect(paths).toEqual(['src/a.txt', 'src/lib/b.bin']);
    expect((await copy({ copy: ['src'], exclude: ['l*'] })).paths).toEqual(['src/a.txt']);
  });

  it('follows links on the way to an input', async () => {
    symlinkSync('.', 'here');
    const { baseline } = await copy({ copy: ['here/src'] });
    expect(baseline.inputs[0]).toMatchObject({ given: 'here/src', hostPath: `${base}/src` });
  });

  it.each<[string, string]>([
    ['missing', 'NOT_FOUND: Cannot copy "missing": there is no such file'],
    ['missing/x', 'NOT_FOUND: Cannot copy "missing/x": there is no such file'],
    ['src/a.txt/', 'NOT_A_DIRECTORY: Cannot copy "src/a.txt/": it is written like a directory and is none'],
    ['src/a.txt/x', 'NOT_A_DIRECTORY: Cannot copy "src/a.txt/x": a component of the path is not a directory'],
    ['link', 'NOT_A_REGULAR_FILE: Cannot copy "link": it is a symbolic link, and none is copied'],
    ['link/', 'NOT_A_REGULAR_FILE: Cannot copy "link/": it is a symbolic link, and none is copied'],
    ['link/.', 'NOT_A_REGULAR_FILE: Cannot copy "link/.": it is a symbolic link, and none is copied'],
    ['file-link', 'NOT_A_REGULAR_FILE: Cannot copy "file-link": it is a symbolic link, and none is copied'],
    ['with-link', 'NOT_A_REGULAR_FILE: Cannot copy "with-link/d/l": it is a symbolic link, and none is copied'],
    ['with-pipe/', 'NOT_A_REGULAR_FILE: Cannot copy "with-pipe/p": it is no regular file and no directory'],
    ['with-pipe/p', 'NOT_A_REGULAR_FILE: Cannot copy "with-pipe/p": it is no regular file and no directory'],
  ])('refuses %s', async (input, message) => {
    symlinkSync('src', 'link');
    symlinkSync('src/a.txt', 'file-link');
    mkdirSync('with-link/d', { recursive: true });
    symlinkSync('/nowhere', 'with-link/d/l');
    mkdirSync('with-pipe');
    execFileSync('mkfifo', ['with-pipe/p']);
    expect(await refusal({ copy: [input] })).toBe(message);
  });

  it.each<[StagedOptions, string]>([
    [{ copy: ['src', 'src'] }, '--copy "src": it lands on /src, as --copy "src" does'],
    [{ copy: ['src'], copyRw: ['./src'] }, '--copy-rw "./src": it lands on /src, as --copy "src" does'],
    [{ copy: ['src=/x', 'other=/x'] }, '--copy "other=/x": it lands on /x, as --copy "src=/x" does'],
    [
      { copy: ['other/c.txt', 'src=/c.txt/d'] },
      '--copy "src=/c.txt/d": /c.txt is a file by --copy "other/c.txt", and nothing lies below it',
    ],
    [{ copy: ['/'] }, '--copy "/": the root of the file system has no name to go by'],
    [{ copy: ['src='] }, '--copy "src=": its place "" does not begin with "/"'],
    [{ copy: ['src=lib'] }, '--copy "src=lib": its place "lib" does not begin with "/"'],
  ])('refuses %j as a mistake of the command line', async (options, message) => {
    expect(await refusal(options)).toBe(`ARGUMENT_INVALID: Cannot use ${message}`);
  });

  it('says from where a name is read, where nothing has it', async () => {
    await expect(copy({ copy: ['missing'] })).rejects.toMatchObject({
      path: 'missing',
      hint: 'Check the name: inputs are named from the current directory, those of a policy file from its own.',
    });
  });

  it('takes a name with "=" for itself where there is such a file', async () => {
    put('a=b', 'x');
    expect((await copy({ copy: ['a=b'] })).paths).toEqual(['a=b']);
  });

  it('refuses a file that holds more than it says', async () => {
    expect(await refusal({ copy: ['/proc/self/status'] })).toBe(
      'CHANGED_SINCE_READ: Cannot copy "/proc/self/status": it grew while it was copied',
    );
  });

  it('takes names that look like a home directory or a drive to the top of the tree', async () => {
    for (const name of ['~x', 'C:/y', '\\lead', 'file:x']) put(`odd/${name}`, name);
    expect((await copy({ copy: ['odd=/'] })).paths).toEqual(['C:/y', '\\lead', 'file:x', '~x']);
  });

  it('refuses a name that no helper could name, as something it cannot copy', async () => {
    put('odd/a\\..\\b', 'x');
    await expect(copy({ copy: ['odd'] })).rejects.toMatchObject({
      code: 'PATH_TRAVERSAL',
      message: expect.stringContaining('Cannot copy '),
    });
  });

  it('refuses a name that is not UTF-8', async () => {
    writeFileSync(Buffer.concat([Buffer.from('src/'), Buffer.from([0xff])]), '');
    expect(await refusal({ copy: ['src'] })).toContain('PATH_INVALID: Cannot copy "src/\ufffd": its name is not UTF-8');
  });

  it('refuses what has no room before it reads it', async () => {
    const small = { treeBytes: 10, treeNodes: 4 };
    put('large', '');
    truncateSync('large', 2 ** 40);
    expect(await refusal({ copy: ['large'] }, { quota: small })).toContain(
      'TREE_FULL: Cannot copy "large": it has 1099511627776',
    );
    expect(await refusal({ copy: ['src', 'other'] }, { quota: small })).toContain('more than 4 files and directories');
    expect((await copy({ copy: ['src'] }, { quota: small })).paths).toHaveLength(2);
  });

  it('refuses a tree of more nodes than it may hold within a second, before it reads one', async () => {
    // Made in memory where that can be: a disk takes longer than the test.
    const many = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : base, 'porthole-many-'));
    try {
      for (let index = 0; index < 20_000; index++) mkdirSync(`${many}/${index}`);
      const started = performance.now();
      expect(await refusal({ copy: [many] }, { quota: { ...plenty, treeNodes: 16_384 } })).toContain('TREE_FULL');
      expect(performance.now() - started).toBeLessThan(1000);
    } finally {
      rmSync(many, { recursive: true });
    }
  });

  it('tells how far it is, lets others have their turn, and stops where they say so', async () => {
    for (let index = 0; index < 200; index++) put(`many/${index}`, '');
    const seen: [number, number][] = [];
    await copy({ copy: ['many'] }, { onProgress: (done, total) => void seen.push([done, total]) });
    expect([seen.length, seen.at(-1)]).toEqual([200, [200, 200]]);
    let turns = 0;
    const breathe = () => (++turns === 2 ? Promise.reject(new Error('enough')) : Promise.resolve());
    expect(await refusal({ copy: ['many'] }, { breathe })).toEqual(new Error('enough'));
  });

  it('copies without links, also where a file becomes one between listing and reading', async () => {
    put('src/z.txt', 'z');
    let done = 0;
    const swap = (): void => {
      if (++done !== 1) return;
      rmSync('src/z.txt');
      symlinkSync('../other/c.txt', 'src/z.txt');
    };
    const refused = await refusal({ copy: ['src'], exclude: ['lib'] }, { onProgress: swap });
    expect(refused).toBe('NOT_A_REGULAR_FILE: Cannot copy "src/z.txt": it is a symbolic link by now');
  });

  it('enters no directory that became a link, or went away, after it was listed', async () => {
    for (const [index, turn] of [() => symlinkSync('../other', 'src/lib'), () => undefined].entries()) {
      put('src/lib/b.bin', 'b');
      let isDone = false;
      const swap = (): void => {
        if (isDone) return;
        isDone = true;
        rmSync('src/lib', { recursive: true });
        turn();
      };
      const code = ['NOT_A_REGULAR_FILE', 'NOT_FOUND'][index];
      expect(await refusal({ copy: ['src'] }, { onProgress: swap })).toContain(`${code}: Cannot copy "src/lib"`);
      rmSync('src/lib', { force: true });
    }
  });
});
