import { deepEqual, equal } from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { codeOf } from '../../fs/testing/code-of.ts';
import { createWorld, type World } from '../../fs/testing/world.ts';
import { defineAttack, oldFile } from './bench.ts';

/** Ways to reach a place that is not for the caller, or no longer. */
export const attacksOnPlaces = [
  defineAttack('names the disk would take are judged before the disk is asked', {}, async ({ disk, syscallNames }) => {
    for (const path of ['x'.repeat(256), 'a/'.repeat(2048), 'a\0', '']) {
      equal(await codeOf(() => disk.parsePath(path, 'read')), 'PATH_INVALID');
    }
    deepEqual(syscallNames(), []);
  }),
  defineAttack(
    'a file found in a procfs that is mounted elsewhere is not opened',
    {
      setup: oldFile,
      watch:
        () =>
        ({ name }, real) => {
          if (name === 'fileSystemType') return { answer: 0x9fa0 };
          return name === 'fstat' ? { answer: onAnotherDevice(real()) } : undefined;
        },
    },
    async ({ read, write }) => {
      equal(await codeOf(() => read('f')), 'NOT_A_REGULAR_FILE');
      equal(await codeOf(() => write('f', 'new')), 'NOT_A_REGULAR_FILE');
      equal(await codeOf(() => write('n', 'new')), 'NOT_A_REGULAR_FILE');
    },
  ),
  defineAttack(
    'a link found in a procfs that is mounted elsewhere is not followed',
    {
      setup: [...oldFile, { link: 'l', to: 'f' }],
      watch:
        () =>
        ({ name }, real) => {
          if (name === 'fileSystemType') return { answer: 0x9fa0 };
          return name === 'stat' ? { answer: onAnotherDevice(real()) } : undefined;
        },
    },
    async ({ read, write }) => {
      equal(await codeOf(() => read('l')), 'NOT_A_REGULAR_FILE');
      equal(await codeOf(() => write('l', 'new')), 'NOT_A_REGULAR_FILE');
    },
  ),
  defineAttack('what lies below a special tree is judged by its path', { options: { root: '/' } }, async (bench) => {
    const { read, write } = bench;
    if (!existsSync('/dev/shm')) return;
    // An ordinary file of an ordinary file system, but below /dev.
    await inSharedMemory(async (directory) => {
      const path = join(directory, 'f').slice(1);
      symlinkSync(directory, bench.path('l'));
      equal(await codeOf(() => read(path)), 'NOT_A_REGULAR_FILE');
      equal(await codeOf(() => read(`${bench.path('l')}/f`)), 'NOT_A_REGULAR_FILE');
      equal(await codeOf(() => write(path, 'new')), 'NOT_A_REGULAR_FILE');
    });
  }),
  defineAttack(
    'nine links on one path are too many, eight are not',
    { setup: [...oldFile, { link: 's', to: '.' }] },
    async ({ read }) => {
      equal(read(`${'s/'.repeat(8)}f`), 'old');
      equal(await codeOf(() => read(`${'s/'.repeat(9)}f`)), 'LINK_LOOP');
    },
  ),
  defineAttack(
    'a link that loops outside, and one to nothing behind a file outside, are outside',
    {
      setup: [
        { outsideFile: 'f', text: 'outside' },
        { link: 'a', to: '{outside}/loop' },
        { link: 'b', to: '{outside}/f/x' },
      ],
    },
    async ({ read, world }) => {
      symlinkSync('loop', join(world.outside, 'loop'));
      for (const path of ['a', 'b', 'a/x']) equal(await codeOf(() => read(path)), 'PATH_OUTSIDE_ROOT');
    },
  ),
  defineAttack(
    'a link that leaves the root and comes back works, and follows a root that was moved',
    { setup: [...oldFile, { link: 'out', to: '{outside}/back' }, { link: 'l', to: 'f' }] },
    ({ read, world }) => {
      symlinkSync('../root/f', join(world.outside, 'back'));
      equal(read('out'), 'old');
      renameSync(world.root, join(world.base, 'moved'));
      equal(read('l'), 'old');
    },
  ),
  defineAttack(
    'a protected place to come is protected, with everything on the way to it',
    {
      options: (world) => ({
        createDirectories: true,
        protectedPaths: [join(world.root, 'own/state'), join(world.root, 'Policy.yaml')],
      }),
    },
    async ({ write, path }) => {
      for (const name of ['own/state', 'own/state/f', 'own/state/deep/f', 'own', 'policy.YAML', 'Policy.yaml']) {
        equal(await codeOf(() => write(name, 'mine')), 'PATH_PROTECTED', name);
      }
      deepEqual(readdirSync(path('.')), []);
      write('own/other', 'mine');
      equal(await codeOf(() => write('own/state', 'mine')), 'PATH_PROTECTED');
      mkdirSync(path('own/state'));
      symlinkSync('own/state', path('alias'));
      equal(await codeOf(() => write('alias/f', 'mine')), 'PATH_PROTECTED');
    },
  ),
  defineAttack(
    'a protected file is protected under its other names, a protected directory behind its links',
    {
      setup: [
        { file: 'real/f', text: 'own' },
        { file: 'log', text: 'own' },
      ],
      options: (world) => ({
        hardLinks: 'split',
        protectedPaths: [join(world.outside, 'own'), join(world.root, 'log')],
      }),
    },
    async ({ write, path, world }) => {
      symlinkSync(path('real'), join(world.outside, 'own'));
      linkSync(path('log'), path('second-name'));
      equal(await codeOf(() => write('real/f', 'mine')), 'PATH_PROTECTED');
      equal(await codeOf(() => write('real/n', 'mine')), 'PATH_PROTECTED');
      equal(await codeOf(() => write('second-name', 'mine')), 'PATH_PROTECTED');
    },
  ),
  defineAttack(
    'a root inside a protected directory is protected as a whole',
    { options: (world) => ({ protectedPaths: [`${world.base}/`] }) },
    async ({ write }) => {
      equal(await codeOf(() => write('n', 'mine')), 'PATH_PROTECTED');
    },
  ),
  ...[false, true].map((forceVerifiedOpen) =>
    defineAttack(
      `nothing works after the root was closed (${forceVerifiedOpen ? 'by path' : 'by descriptor'})`,
      { setup: oldFile, options: { forceVerifiedOpen } },
      async ({ plan, disk, path }) => {
        using planned = plan('f', 'new');
        using file = disk.openFile(disk.parsePath('f', 'read'));
        const toRead = disk.parsePath('f', 'read');
        const toWrite = disk.parsePath('n', 'write');
        disk.close();
        const calls = [
          () => disk.openFile(toRead),
          () => disk.openForWriting(toWrite),
          () => file.read(new Uint8Array(3), 0),
          () => disk.leftovers(),
          planned.commit,
        ];
        for (const call of calls) equal(await codeOf(call), 'RUNTIME_CLOSED');
        equal(readFileSync(path('f'), 'utf8'), 'old');
      },
    ),
  ),
  defineAttack('closing twice closes once', { setup: oldFile }, ({ disk, path, read }) => {
    const file = disk.openFile(disk.parsePath('f', 'read'));
    file.close();
    // Takes the number that was just given back.
    using other = disk.openFile(disk.parsePath('f', 'read'));
    file.close();
    equal(other.read(new Uint8Array(9), 0), 3);
    equal(read('f'), readFileSync(path('f'), 'utf8'));
  }),
  defineAttack(
    'by path, a file that was exchanged before it was opened is not taken for the other',
    {
      setup: [...oldFile, { file: 'g', text: 'other' }],
      options: { forceVerifiedOpen: true },
      watch: (world) => {
        let opens = 0;
        return ({ name, args }) => {
          if (name === 'open' && basename(String(args[0])) === 'f' && ++opens === 1) exchange(world);
          return undefined;
        };
      },
    },
    async ({ read }) => {
      equal(await codeOf(() => read('f')), 'PATH_OUTSIDE_ROOT');
    },
  ),
] as const;

function onAnotherDevice(facts: unknown): unknown {
  return Object.assign(Object(facts), { dev: 424242n });
}

function exchange(world: World): void {
  const copy = join(world.base, 'copy');
  writeFileSync(copy, readFileSync(join(world.root, 'g')));
  renameSync(copy, join(world.root, 'f'));
}

async function inSharedMemory(use: (directory: string) => Promise<void>): Promise<void> {
  await using world = createWorld();
  const directory = join('/dev/shm', basename(world.base));
  mkdirSync(directory);
  writeFileSync(join(directory, 'f'), 'shared');
  try {
    await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
