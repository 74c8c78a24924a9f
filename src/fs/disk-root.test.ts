import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskRoot } from './disk-root.ts';
import { nodeSyscalls, type Syscalls } from './syscalls.ts';
import { codeOf } from './testing/code-of.ts';
import { systemError } from './testing/watched-syscalls.ts';

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-disk-')));
});

afterEach(() => {
  rmSync(base, { recursive: true });
});

const textIn = (disk: ReturnType<typeof createDiskRoot>, path: string): string => {
  using file = disk.openFile(disk.parsePath(path, 'read'));
  const buffer = new Uint8Array(file.size);
  file.read(buffer, 0);
  return Buffer.from(buffer).toString();
};

describe('createDiskRoot()', () => {
  it.each([[''], ['a\0'], [5], [undefined]])('refuses %j as a root', async (root) => {
    // A caller without types.
    expect(await codeOf(() => createDiskRoot({ root: root as string }))).toBe('ROOT_INVALID');
  });

  it('refuses a root that is not there, or is no directory', async () => {
    writeFileSync(join(base, 'f'), '');
    expect(await codeOf(() => createDiskRoot({ root: join(base, 'none') }))).toBe('ROOT_INVALID');
    expect(await codeOf(() => createDiskRoot({ root: join(base, 'f') }))).toBe('ROOT_INVALID');
  });

  it('knows its root by the spelling it was given and by the real one', () => {
    mkdirSync(join(base, 'real'));
    writeFileSync(join(base, 'real/f'), 'text');
    symlinkSync('real', join(base, 'alias'));
    using disk = createDiskRoot({ root: join(base, 'alias') });
    expect(disk.rootPath).toBe(join(base, 'real'));
    expect(disk.spellings).toEqual([join(base, 'alias'), join(base, 'real')]);
    expect(textIn(disk, join(base, 'alias/f'))).toBe('text');
    expect(textIn(disk, join(base, 'real/f'))).toBe('text');
  });

  it('refuses a root that is swapped for a link while it is opened, and never falls back for it', async () => {
    mkdirSync(join(base, 'root'));
    const swapping: Syscalls = {
      ...nodeSyscalls,
      open: (path, flags, mode) => {
        if (path === join(base, 'root')) {
          nodeSyscalls.rename(path, join(base, 'moved'));
          symlinkSync('moved', path);
        }
        return nodeSyscalls.open(path, flags, mode);
      },
    };
    const options = { root: join(base, 'root'), syscalls: swapping };
    using plain = createDiskRoot({ root: base });
    if (plain.containment !== 'descriptor walk') return;
    expect(await codeOf(() => createDiskRoot(options))).toBe('ROOT_INVALID');
  });

  it('knows which directory its root is, and whether its path still leads there', () => {
    mkdirSync(join(base, 'root'));
    using disk = createDiskRoot({ root: join(base, 'root') });
    const { dev, ino } = nodeSyscalls.lstat(join(base, 'root'));
    expect(disk.rootInode()).toEqual({ device: `${dev}`, inode: `${ino}` });
    expect(disk.isInPlace()).toBe(true);
    nodeSyscalls.rename(join(base, 'root'), join(base, 'moved'));
    expect(disk.isInPlace()).toBe(false);
    symlinkSync('moved', join(base, 'root'));
    expect(disk.isInPlace()).toBe(false);
    nodeSyscalls.unlink(join(base, 'root'));
    mkdirSync(join(base, 'root'));
    expect(disk.isInPlace()).toBe(false);
    nodeSyscalls.rmdir(join(base, 'root'));
    nodeSyscalls.rename(join(base, 'moved'), join(base, 'root'));
    expect(disk.isInPlace()).toBe(true);
  });

  it('does not hide that it cannot look', () => {
    let isBroken = false;
    const realpath = (path: string) => {
      if (isBroken) throw systemError('EIO');
      return nodeSyscalls.realpath(path);
    };
    using disk = createDiskRoot({ root: base, syscalls: { ...nodeSyscalls, realpath } });
    isBroken = true;
    expect(() => disk.isInPlace()).toThrow('EIO');
  });

  it('takes a relative root, and then only its real spelling', () => {
    using disk = createDiskRoot({ root: relative(process.cwd(), base) });
    expect(disk.spellings).toEqual([base]);
  });

  it('keeps to the directory it opened when another takes its name', () => {
    mkdirSync(join(base, 'root'));
    writeFileSync(join(base, 'root/f'), 'text');
    using disk = createDiskRoot({ root: join(base, 'root') });
    if (disk.containment !== 'descriptor walk') return;
    nodeSyscalls.rename(join(base, 'root'), join(base, 'moved'));
    mkdirSync(join(base, 'root'));
    writeFileSync(join(base, 'root/f'), 'planted');
    expect(textIn(disk, 'f')).toBe('text');
  });
});

describe('the containment of a disk root', () => {
  const without = (broken: Partial<Syscalls>): Syscalls => ({ ...nodeSyscalls, ...broken });
  const noProc = without({
    fileSystemType: () => {
      throw systemError('ENOENT');
    },
  });
  const fakeProc = without({ fileSystemType: () => 0xef53 });
  const followsLinks = without({ open: (path, _, mode) => nodeSyscalls.open(path, 0, mode) });

  it.runIf(process.platform === 'linux')('is the descriptor walk where the machine can do it', () => {
    using disk = createDiskRoot({ root: base, requireRaceFree: true });
    expect(disk.containment).toBe('descriptor walk');
  });

  it.each([
    ['there is no procfs', noProc],
    ['what looks like procfs is none', fakeProc],
    ['links are followed all the same', followsLinks],
  ])('is verified opening where %s, and that can be refused', async (_, syscalls) => {
    using disk = createDiskRoot({ root: base, syscalls });
    expect(disk.containment).toBe('verified open');
    const strict = { root: base, syscalls, requireRaceFree: true };
    expect(await codeOf(() => createDiskRoot(strict))).toBe('CONTAINMENT_UNAVAILABLE');
  });
});

describe('a root below a special tree', () => {
  it.runIf(process.platform === 'linux')('in shared memory works', () => {
    const shared = mkdtempSync('/dev/shm/porthole-');
    try {
      writeFileSync(join(shared, 'f'), 'text');
      using disk = createDiskRoot({ root: shared });
      expect(textIn(disk, 'f')).toBe('text');
    } finally {
      rmSync(shared, { recursive: true });
    }
  });
});

describe('what a disk root tells about a file', () => {
  it('shows the path as it was written, and the place it led to', () => {
    mkdirSync(join(base, 'd'));
    writeFileSync(join(base, 'd/f'), 'text');
    symlinkSync('d', join(base, 'l'));
    using disk = createDiskRoot({ root: base });
    using file = disk.openFile(disk.parsePath(`${base}//l/./f`, 'read'));
    expect(file).toMatchObject({ shownPath: 'l/f', resolvedPath: 'd/f', size: 4 });
    using target = disk.openForWriting(disk.parsePath('l/n', 'write'));
    expect(target).toMatchObject({ shownPath: 'l/n', resolvedPath: 'd/n', existing: null });
  });

  it('gives it another identity when its content changes', () => {
    writeFileSync(join(base, 'f'), 'text');
    using disk = createDiskRoot({ root: base });
    const identity = () => {
      using file = disk.openFile(disk.parsePath('f', 'read'));
      return file.identity();
    };
    const before = identity();
    expect(identity()).toBe(before);
    writeFileSync(join(base, 'f'), 'text and more');
    expect(identity()).not.toBe(before);
  });

  it('does not give more of it than is asked for', async () => {
    writeFileSync(join(base, 'f'), 'text');
    using disk = createDiskRoot({ root: base });
    using target = disk.openForWriting(disk.parsePath('f', 'write'));
    expect(await codeOf(() => target.existing?.readAll(3))).toBe('FILE_TOO_LARGE');
    expect(target.existing?.readAll(4)).toHaveLength(4);
  });
});

describe('leftovers()', () => {
  it('are the temporaries of killed writers, at any depth, and nothing that merely resembles them', () => {
    const name = '.porthole-0123456789abcdef.tmp';
    for (const directory of ['a/b', `a/.porthole-${'0'.repeat(16)}.tmp`])
      mkdirSync(join(base, directory), { recursive: true });
    for (const file of [name, `a/b/${name}`, 'a/.porthole-0123.tmp', `a/x${name}`]) writeFileSync(join(base, file), '');
    symlinkSync('a', join(base, 'link'));
    symlinkSync('/', join(base, 'out'));
    using disk = createDiskRoot({ root: base });
    expect(disk.leftovers()).toEqual([name, `a/b/${name}`]);
    using byPath = createDiskRoot({ root: base, forceVerifiedOpen: true });
    expect(byPath.leftovers()).toEqual([name, `a/b/${name}`]);
  });

  it('in directories that cannot be read are passed over', () => {
    mkdirSync(join(base, 'a'));
    const broken: Syscalls = {
      ...nodeSyscalls,
      readdir: (path) => {
        if (path.startsWith('/proc/self/fd/')) throw systemError('EACCES');
        return nodeSyscalls.readdir(path);
      },
    };
    using disk = createDiskRoot({ root: base, syscalls: broken });
    expect(disk.leftovers()).toEqual([]);
  });
});
