import { deepEqual, equal, ok } from 'node:assert/strict';
import { chownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../fs/testing/code-of.ts';
import { asOrdinaryUser } from '../../fs/testing/world.ts';
import { defineAttack, oldFile } from './bench.ts';

const isRoot = process.geteuid?.() === 0;

const seen: number[] = [];

/** Ways to end up with more rights to a file than it granted. Some need two users, and show nothing without root. */
export const attacksOnModes = [
  defineAttack(
    'a temporary never grants more than the file it replaces',
    {
      setup: [{ file: 'f', text: 'old', mode: '0600' }],
      watch: (world) => () => {
        const names = readdirSync(world.root).filter((name) => name !== 'f');
        seen.push(...names.map((name) => statSync(join(world.root, name)).mode));
        return undefined;
      },
    },
    ({ write }) => {
      write('f', 'new');
      ok(seen.length > 0, 'no temporary was seen');
      for (const mode of seen.splice(0)) equal(mode & 0o177, 0, mode.toString(8));
    },
  ),
  defineAttack(
    'a file its user may not write is read-only',
    { setup: [{ file: 'f', text: 'old', mode: '0464' }] },
    async ({ write, path }) => {
      equal(await asOrdinaryUser(() => codeOf(() => write('f', 'new'))), 'READ_ONLY');
      equal(readFileSync(path('f'), 'utf8'), 'old');
    },
  ),
  defineAttack(
    'new content does not inherit the right to act as somebody else',
    { setup: [{ file: 'f', text: 'old', mode: '6755' }] },
    ({ write, path }) => {
      write('f', 'new');
      equal(lstatSync(path('f')).mode & 0o7777, 0o755);
    },
  ),
  defineAttack(
    'an ordinary user replaces a file that is his',
    { setup: [{ file: 'd/f', text: 'old', mode: '0640' }] },
    ({ write, path }) => {
      asOrdinaryUser(() => write('d/f', 'new'));
      equal(readFileSync(path('d/f'), 'utf8'), 'new');
      equal(lstatSync(path('d/f')).mode & 0o7777, 0o640);
    },
  ),
  defineAttack('owner and group are kept where the process may give files away', { setup: oldFile }, (bench) => {
    const path = bench.path('f');
    if (isRoot) chownSync(path, 12, 34);
    const { uid, gid } = lstatSync(path);
    bench.write('f', 'new');
    deepEqual([lstatSync(path).uid, lstatSync(path).gid], [uid, gid]);
  }),
  defineAttack(
    'a file that cannot stay in its group grants the new group no more than everybody',
    { setup: [{ file: 'd/f', text: 'old', mode: '0664' }] },
    ({ write, path }) => {
      if (!isRoot) return;
      chownSync(path('d/f'), 65534, 34);
      asOrdinaryUser(() => write('d/f', 'new'));
      equal(lstatSync(path('d/f')).mode & 0o7777, 0o644);
    },
  ),
] as const;
