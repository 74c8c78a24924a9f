import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { WriteBackReport } from '../contract/write-back.ts';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { nodeSyscalls } from '../fs/syscalls.ts';
import { createWorld, type World } from '../fs/testing/world.ts';
import { copyIn, createWriteBackCalls, writeBackEdits } from './testing/write-back-world.ts';

const rounds = process.env['PORTHOLE_LONG'] === '1' ? 2000 : 200;
const names = ['a', 'd/f', 'z'] as const;
// Always the same name, so that the other side can lie in wait for it.
const temporaryDigits = () => '0'.repeat(16);

describe.runIf(process.platform === 'linux')('while another process swaps it for a link to the outside', () => {
  it.each(['root', 'directory', 'file', 'temporary'])(
    'nothing outside is written: %s',
    { timeout: 600_000 },
    async (kind) => {
      await using world = createWorld();
      await world.furnish([
        ...names.map((file) => ({ file, text: 'old' })),
        ...names.map((outsideFile) => ({ outsideFile, text: 'old' })),
      ]);
      using swapper = await startSwapper(world, kind);
      const tally: Record<string, number> = {};
      const outside = world.snapshot(world.outside);
      for (let round = 0; round < rounds; round++) {
        await swapper.rest();
        using state = pin(world);
        await swapper.go();
        const report = await writeBackUnderAttack(state.baseline);
        expect(world.snapshot(world.outside)).toEqual(outside);
        const ends = endsOf(report);
        tally[ends] = (tally[ends] ?? 0) + 1;
        await swapper.rest();
        expectToldTruly(report, state.read);
      }
      console.log(`write-back race, ${kind}: ${rounds} rounds, ${swapper.flips()} flips, ${JSON.stringify(tally)}`);
      expect(tally['written written written']).toBeGreaterThan(0);
      // Not vacuous: the other side stood in the way.
      expect(Object.keys(tally).length).toBeGreaterThan(1);
      expect(swapper.flips()).toBeGreaterThan(rounds);
    },
  );
});

function writeBackUnderAttack(baseline: ReturnType<typeof copyIn>): Promise<WriteBackReport | null> {
  const edits = Object.fromEntries(names.map((name) => [name, 'new']));
  return writeBackEdits(baseline, edits, { openRoot: openUnsynced, calls: createWriteBackCalls() });
}

// That bytes reach the disk is not what is shown here, and waiting for it would leave the other side little to hit.
function openUnsynced(root: string): DiskRoot {
  let isOpening = true;
  const fsync = (fd: number) => {
    if (isOpening) nodeSyscalls.fsync(fd);
  };
  const syscalls = { ...nodeSyscalls, fsync };
  const disk = createDiskRoot({ root, createDirectories: true, requireRaceFree: true, temporaryDigits, syscalls });
  isOpening = false;
  return disk;
}

// Everything old again, and pinned.
function pin(
  world: World,
): Disposable & { readonly baseline: ReturnType<typeof copyIn>; readonly read: (name: string) => string } {
  for (const name of names) {
    // A link that was planted as a temporary may have taken the name.
    rmSync(`${world.root}/${name}`);
    writeFileSync(`${world.root}/${name}`, 'old');
  }
  const fd = openSync(world.root, 'r');
  return {
    baseline: copyIn({ from: world.root, place: '' }),
    read: (name) => readFileSync(`/proc/self/fd/${fd}/${name}`, 'utf8'),
    [Symbol.dispose]: () => closeSync(fd),
  };
}

function endsOf(report: WriteBackReport | null): string {
  return report?.files.map(({ end }) => (end.kind === 'failed' ? end.code : end.kind)).join(' ') ?? 'none';
}

// What the report calls untouched is untouched, and nothing comes after the first file that did not land.
function expectToldTruly(report: WriteBackReport | null, read: (name: string) => string): void {
  const kinds = report?.files.map(({ end }) => end.kind) ?? [];
  const landed = kinds.indexOf('written') < 0 ? 0 : kinds.lastIndexOf('written') + 1;
  expect(kinds.slice(0, landed).every((kind) => kind === 'written')).toBe(true);
  // Checks go over all files before any lands; after that the first stop is the last thing that happens.
  if (landed > 0) expect(kinds.slice(landed + 1).every((kind) => kind === 'planned')).toBe(true);
  for (const name of names.slice(landed)) expect(read(name)).toBe('old');
  if (landed > 0) expect(read('a')).toBe('new');
}

interface Swapper extends Disposable {
  readonly go: () => Promise<void>;
  readonly rest: () => Promise<void>;
  readonly flips: () => number;
}

async function startSwapper(world: World, kind: string): Promise<Swapper> {
  const script = fileURLToPath(new URL('./testing/swapper.mjs', import.meta.url));
  const child: ChildProcess = fork(script, [world.base, kind], { execArgv: [] });
  await once(child, 'message');
  let flips = 0;
  const tell = async (message: string) => {
    const answer = once(child, 'message');
    child.send(message);
    const [told] = await answer;
    flips = Number(told.flips);
  };
  return {
    go: () => tell('go'),
    rest: () => tell('rest'),
    flips: () => flips,
    [Symbol.dispose]: () => void child.kill(),
  };
}
