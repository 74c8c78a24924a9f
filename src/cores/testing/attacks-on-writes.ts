import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../fs/testing/code-of.ts';
import { systemError } from '../../fs/testing/watched-syscalls.ts';
import type { Furnishing } from '../../fs/testing/world.ts';
import { defineAttack, oldFile } from './bench.ts';
import { corePowers } from './core-surface.ts';

interface Meddling {
  readonly title: string;
  readonly setup: readonly Furnishing[];
  readonly meddle: (path: string) => void;
}

const meddlings: readonly Meddling[] = [
  { title: 'changed in place, to the same length', setup: oldFile, meddle: (path) => writeFileSync(path, 'OLD') },
  { title: 'made longer', setup: oldFile, meddle: (path) => writeFileSync(path, 'older') },
  { title: 'made shorter', setup: oldFile, meddle: (path) => writeFileSync(path, 'ol') },
  { title: 'exchanged for another with the same content', setup: oldFile, meddle: exchange },
  { title: 'removed', setup: oldFile, meddle: (path) => rmSync(path) },
  { title: 'made read-only', setup: oldFile, meddle: (path) => chmodSync(path, 0o444) },
  { title: 'created', setup: [], meddle: (path) => writeFileSync(path, 'theirs') },
  { title: 'created as a link', setup: [], meddle: (path) => symlinkSync('elsewhere', path) },
];

const temporary = `.porthole-${'0'.repeat(16)}.tmp`;
const knownDigits = { temporaryDigits: () => '0'.repeat(16) };

/** Ways to make a write land on something else than was planned for, or not whole. */
export const attacksOnWrites = [
  ...meddlings.flatMap(({ title, setup, meddle }) =>
    ['w', 'a'].map((mode) =>
      defineAttack(
        `a file that was ${title} between plan and commit is left alone (${mode})`,
        { setup },
        async ({ plan, path, world }) => {
          using planned = plan('f', 'new', { mode });
          meddle(path('f'));
          const before = world.snapshot();
          equal(await codeOf(planned.commit), 'CHANGED_SINCE_READ');
          deepEqual(world.snapshot(), before);
        },
      ),
    ),
  ),
  defineAttack('a file that was not read is compared by its identity', { setup: oldFile }, async ({ disk, path }) => {
    using target = disk.openForWriting(disk.parsePath('f', 'write'));
    writeFileSync(path('f'), 'OLDER');
    equal(await codeOf(() => target.replace(new Uint8Array(1))), 'CHANGED_SINCE_READ');
    equal(readFileSync(path('f'), 'utf8'), 'OLDER');
  }),
  defineAttack('a second name given between plan and commit is noticed', { setup: oldFile }, async ({ plan, path }) => {
    using planned = plan('f', 'new');
    linkSync(path('f'), path('g'));
    equal(await codeOf(planned.commit), 'LINK_COUNT');
  }),
  defineAttack('links are split where that is wanted', { setup: oldFile, options: { hardLinks: 'split' } }, (bench) => {
    linkSync(bench.path('f'), bench.path('g'));
    equal(bench.write('f', 'new').splitFromLinks, 2);
    equal(readFileSync(bench.path('g'), 'utf8'), 'old');
  }),
  defineAttack('a digest that is not the one of the file is refused', { setup: oldFile }, async ({ write, world }) => {
    const before = world.snapshot();
    const expect = corePowers().digest(Buffer.from('else'));
    equal(await codeOf(() => write('f', 'new', { expect })), 'CHANGED_SINCE_READ');
    equal(await codeOf(() => write('gone', 'new', { expect })), 'CHANGED_SINCE_READ');
    deepEqual(world.snapshot(), before);
  }),
  defineAttack(
    'a link planted under the name of a temporary is not followed',
    {
      setup: [...oldFile, { outsideFile: 'f', text: 'outside' }, { link: temporary, to: '{outside}/f' }],
      options: knownDigits,
    },
    async ({ write, path, world }) => {
      equal(await codeOf(() => write('f', 'new')), 'IO_FAILED');
      equal(readFileSync(join(world.outside, 'f'), 'utf8'), 'outside');
      equal(readFileSync(path('f'), 'utf8'), 'old');
    },
  ),
  defineAttack(
    'a file planted under the name of a temporary is not used',
    { setup: [...oldFile, { file: temporary, text: 'planted' }], options: knownDigits },
    async ({ write, path }) => {
      equal(await codeOf(() => write('f', 'new')), 'IO_FAILED');
      equal(readFileSync(path(temporary), 'utf8'), 'planted');
    },
  ),
  defineAttack(
    'content is on the disk before it takes the name, and the name after that',
    { setup: oldFile },
    (bench) => {
      bench.write('f', 'new');
      const steps = bench.syscallNames().filter((name) => ['write', 'fchmod', 'fsync', 'rename'].includes(name));
      deepEqual(steps, ['write', 'fchmod', 'fsync', 'rename', 'fsync']);
    },
  ),
  defineAttack(
    'a disk that takes nothing is an error and no endless loop',
    {
      setup: oldFile,
      watch: () => {
        let writes = 0;
        // Takes everything in the end, so that a writer that asks again is found out and not waited for.
        return ({ name }) => (name === 'write' && ++writes < 100 ? { answer: 0 } : undefined);
      },
    },
    async ({ write, path }) => {
      equal(await codeOf(() => write('f', 'new')), 'IO_FAILED');
      equal(readFileSync(path('f'), 'utf8'), 'old');
    },
  ),
  defineAttack(
    'a directory that the disk does not confirm is reported, and the new content stays',
    {
      setup: oldFile,
      watch: () => {
        let syncs = 0;
        return ({ name }) => {
          if (name === 'fsync' && ++syncs === 2) throw systemError('EIO');
          return undefined;
        };
      },
    },
    async ({ write, path }) => {
      equal(await codeOf(() => write('f', 'new')), 'WRITE_NOT_DURABLE');
      equal(readFileSync(path('f'), 'utf8'), 'new');
    },
  ),
  defineAttack('directories are made where that is wanted', { options: { createDirectories: true } }, (bench) => {
    bench.write('a/b/c/f', 'new');
    equal(bench.read('a/b/c/f'), 'new');
    ok(lstatSync(bench.path('a')).isDirectory());
    const before = bench.syscallNames().length;
    bench.write('a/b/n', 'new');
    ok(!bench.syscallNames().slice(before).includes('mkdir'));
  }),
  defineAttack(
    'directories made for a file that could not be written are removed again',
    {
      setup: oldFile,
      options: { createDirectories: true },
      watch:
        () =>
        ({ name }) => {
          if (name === 'write') throw systemError('ENOSPC');
          return undefined;
        },
    },
    async ({ write, world }) => {
      equal(await codeOf(() => write('a/b/n', 'new')), 'NO_SPACE');
      deepEqual(Object.keys(world.snapshot(world.root)), ['f']);
    },
  ),
  defineAttack(
    'a link put where a directory was just made is not entered',
    {
      options: { createDirectories: true },
      watch:
        (world) =>
        ({ name }, real) => {
          if (name !== 'mkdir') return undefined;
          real();
          rmSync(join(world.root, 'a'), { recursive: true });
          symlinkSync(world.outside, join(world.root, 'a'));
          return { answer: undefined };
        },
    },
    async ({ write, world }) => {
      equal(await codeOf(() => write('a/n', 'new')), 'CHANGED_SINCE_READ');
      deepEqual(readdirSync(world.outside), []);
    },
  ),
] as const;

function exchange(path: string): void {
  writeFileSync(`${path}2`, readFileSync(path));
  renameSync(`${path}2`, path);
}
