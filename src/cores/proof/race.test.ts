import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isPortholeError } from '../../contract/errors.ts';
import { createDiskRoot } from '../../fs/disk-root.ts';
import { createWorld, type World } from '../../fs/testing/world.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { readFile } from '../read-file.ts';
import { corePowers } from '../testing/core-surface.ts';
import { writeFile } from '../write-file.ts';

const isLong = process.env['PORTHOLE_LONG'] === '1';
const reads = isLong ? 100_000 : 10_000;
const writes = isLong ? 5_000 : 500;
const paths = ['d/f', 'e/f', 'l/f'] as const;

const descriptorsWork = process.platform === 'linux';

it.runIf(descriptorsWork)(
  'nothing outside is read or written while another process swaps directories, files and links',
  { timeout: 600_000 },
  async () => {
    await using world = createWorld();
    await world.furnish([
      { file: 'd/f', text: 'inside' },
      { file: 'e/f', text: 'inside' },
      { link: 'l', to: 'e' },
      { outsideFile: 'f', text: 'secret' },
      { outsideFile: 'n', text: 'secret' },
    ]);
    symlinkSync(world.outside, `${world.base}/link-d`);
    symlinkSync(`${world.outside}/f`, `${world.base}/link-f`);
    const outside = world.snapshot(world.outside);
    const attacker = await startAttacker(world);
    const byCores = tally(reads, (path) => readByCores(world, path));
    const written = tally(writes, (path) => writeByCores(world, path.replace('f', 'n')));
    const byNaive = tally(reads, (path) => readNaively(world, path), 20);
    const flips = await attacker.stop();
    console.log(`race: ${flips} flips; cores ${show(byCores)}; writes ${show(written)}; naive ${show(byNaive)}`);
    expect(byCores.secret ?? 0).toBe(0);
    expect(world.snapshot(world.outside)).toEqual(outside);
    expect(byCores.inside).toBeGreaterThan(0);
    expect(written.done).toBeGreaterThan(0);
    expect(flips).toBeGreaterThan(0);
    // The same attackers beat the usual way: resolve, compare the prefix, open.
    expect(byNaive.secret).toBeGreaterThan(0);
  },
);

type Tally = Partial<Record<string, number>>;

// Counts what came back. Goes on for up to so many times as long until a secret was seen.
function tally(count: number, act: (path: string) => string, patience = 1): Tally {
  const result: Tally = {};
  for (let index = 0; index < count * patience; index++) {
    if (index >= count && (patience === 1 || result['secret'] !== undefined)) break;
    const kind = act(paths[index % paths.length] ?? 'd/f');
    result[kind] = (result[kind] ?? 0) + 1;
  }
  return result;
}

const disks = new WeakMap<World, ReturnType<typeof createDiskRoot>>();
const powers = corePowers();

function diskOf(world: World): ReturnType<typeof createDiskRoot> {
  const disk = disks.get(world) ?? createDiskRoot({ root: world.root, requireRaceFree: true });
  disks.set(world, disk);
  return disk;
}

function readByCores(world: World, path: string): string {
  return refusalOr(() => decodeUtf8(readFile(diskOf(world), { path }, powers).bytes));
}

function writeByCores(world: World, path: string): string {
  return refusalOr(() => {
    writeFile(diskOf(world), { path, content: 'mine' }, powers);
    return 'done';
  });
}

function refusalOr(act: () => string): string {
  try {
    return act();
  } catch (error) {
    if (isPortholeError(error)) return error.code;
    throw error;
  }
}

function readNaively(world: World, path: string): string {
  try {
    const real = realpathSync(`${world.root}/${path}`);
    if (!real.startsWith(`${world.root}/`)) return 'outside';
    return readFileSync(real, 'utf8');
  } catch {
    return 'failed';
  }
}

async function startAttacker(world: World): Promise<{ readonly stop: () => Promise<number> }> {
  const script = fileURLToPath(new URL('../../fs/testing/attacker.mjs', import.meta.url));
  const child = fork(script, [world.base], { execArgv: [] });
  await once(child, 'message');
  return {
    stop: async () => {
      const answer = once(child, 'message');
      child.send('stop');
      const [message] = await answer;
      await once(child, 'exit');
      return Number(message.flips);
    },
  };
}

function show(counts: Tally): string {
  return JSON.stringify(counts);
}
