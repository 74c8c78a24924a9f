import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskRoot, type DiskRoot } from './disk-root.ts';
import { joinTrees } from './joined-trees.ts';
import type { FileSystem } from './port.ts';
import { codeOf } from './testing/code-of.ts';

let base: string;
let root: DiskRoot;
let other: DiskRoot;
let joined: FileSystem;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-joined-')));
  for (const name of ['root', 'data', 'data-evil']) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, 'a.txt'), name);
  }
  root = createDiskRoot({ root: join(base, 'root') });
  other = createDiskRoot({ root: join(base, 'data') });
  joined = joinTrees(root, [other]);
});

afterEach(() => {
  root.close();
  other.close();
  rmSync(base, { recursive: true, force: true });
});

function read(path: string) {
  const file = joined.openFile(joined.parsePath(path, 'read'));
  const bytes = new Uint8Array(file.size);
  file.read(bytes, 0);
  file.close();
  const { shownPath, resolvedPath } = file;
  return { text: Buffer.from(bytes).toString(), shownPath, resolvedPath };
}

describe('joinTrees()', () => {
  it('is the root itself where nothing is joined', () => {
    expect(joinTrees(root, [])).toBe(root);
  });

  it('shows what is elsewhere as it was written, and judges it by its absolute place', () => {
    symlinkSync('a.txt', join(base, 'data', 'link'));
    expect(read('a.txt')).toEqual({ text: 'root', shownPath: 'a.txt', resolvedPath: 'a.txt' });
    const written = join(base, 'data', '.', 'link');
    expect(read(written)).toEqual({ text: 'data', shownPath: written, resolvedPath: join(base, 'data', 'a.txt') });
  });

  it('writes there', () => {
    const path = join(base, 'data', 'new.txt');
    const target = joined.openForWriting(joined.parsePath(path, 'write'));
    target.replace(Buffer.from('x'));
    target.close();
    expect(readFileSync(path, 'utf8')).toBe('x');
    expect(target.resolvedPath).toBe(path);
  });

  it('refuses every other place, names that only begin alike, and ways out', async () => {
    const refusal = (path: string) => codeOf(() => read(path));
    expect(await refusal('/etc/passwd')).toBe('PATH_OUTSIDE_ROOT');
    expect(await refusal(join(base, 'data-evil/a.txt'))).toBe('PATH_OUTSIDE_ROOT');
    expect(await refusal(join(base, 'data'))).toBe('IS_A_DIRECTORY');
    expect(await refusal(`${base}/data/../root/a.txt`)).toBe('PATH_TRAVERSAL');
    symlinkSync('../root/a.txt', join(base, 'data', 'out'));
    expect(await refusal(join(base, 'data', 'out'))).toBe('PATH_OUTSIDE_ROOT');
  });
});
