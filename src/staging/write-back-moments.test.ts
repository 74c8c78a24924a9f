import { cpSync, lstatSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WriteBackReport } from '../contract/write-back.ts';
import { createDiskRoot } from '../fs/disk-root.ts';
import { skipSync, watchSyscalls } from '../fs/testing/watched-syscalls.ts';
import { createWorld, type World } from '../fs/testing/world.ts';
import { copyIn, writeBackEdits } from './testing/write-back-world.ts';

// Between two system calls lies every moment at which somebody else can act. All of them, or every tenth.
const step = process.env['PORTHOLE_LONG'] === '1' ? 1 : 10;

interface Swap {
  readonly title: string;
  /** Does it, or answers false where there is nothing to do any more. */
  readonly act: (world: World) => boolean;
  /** Where somebody else's file stands afterwards, and what it holds. */
  readonly theirs?: { readonly path: string; readonly text: string };
}

const swaps: readonly Swap[] = [
  { title: 'the input becomes a link', act: (world) => replace(world, 'src', (at) => symlinkSync(world.outside, at)) },
  {
    title: 'a directory above the input becomes a link',
    act: (world) => replace(world, '', (at) => symlinkSync(join(world.base, 'outside-root'), at)),
  },
  {
    title: 'the input becomes a copy of itself',
    act: (world) => replace(world, 'src', (at, parked) => cpSync(parked, at, { recursive: true })),
  },
  {
    title: 'a directory becomes a link',
    act: (world) => replace(world, 'src/d', (at) => symlinkSync(join(world.outside, 'd'), at)),
  },
  {
    title: 'a directory becomes a link to where it went',
    act: (world) => replace(world, 'src/d', (at, parked) => symlinkSync(parked, at)),
  },
  {
    title: 'a file becomes a link',
    act: (world) => replace(world, 'src/d/f', (at) => symlinkSync(join(world.outside, 'd/f'), at)),
  },
  {
    title: 'a file becomes another with the same bytes',
    act: (world) => replace(world, 'src/d/f', (at) => writeFileSync(at, 'old')),
    theirs: { path: 'src/d/f', text: 'old' },
  },
  {
    title: 'a file becomes another with other bytes',
    act: (world) => replace(world, 'src/d/f', (at) => writeFileSync(at, 'theirs')),
    theirs: { path: 'src/d/f', text: 'theirs' },
  },
  {
    title: 'a file appears where one is to be created',
    act: (world) => {
      const at = join(world.root, 'src/d/n');
      if (lstatSync(at, { throwIfNoEntry: false }) !== undefined) return false;
      writeFileSync(at, 'theirs');
      return true;
    },
    theirs: { path: 'src/d/n', text: 'theirs' },
  },
];

describe('at whatever moment somebody interferes', () => {
  it.each(swaps)(
    'nothing outside is written, and nothing once it is noticed: $title',
    { timeout: 120_000 },
    async (swap) => {
      const lost: string[] = [];
      let isOver = false;
      let stops = 0;
      for (let moment = 1; !isOver; moment += step) {
        const end = await interfereAt(moment, swap);
        isOver = end.isOver;
        if (end.lost !== null) lost.push(end.lost);
        if (end.wasStopped) stops++;
      }
      expect(stops).toBeGreaterThan(0);
      // The kernel replaces whatever has the name: what appears between the last look and the rename is lost, and only that.
      expect(lost.filter((before) => before !== 'rename')).toEqual([]);
      expect(lost.length).toBeLessThanOrEqual(1);
    },
  );
});

interface End {
  readonly isOver: boolean;
  readonly wasStopped: boolean;
  /** The system call before which somebody else's file appeared that is gone now. */
  readonly lost: string | null;
}

async function interfereAt(moment: number, { act, theirs }: Swap): Promise<End> {
  await using world = createWorld();
  await world.furnish([
    { file: 'src/a', text: 'old' },
    { file: 'src/d/f', text: 'old' },
    { file: 'src/z', text: 'old' },
    { outsideFile: 'd/f', text: 'old' },
    { outsideFile: 'src/d/f', text: 'old' },
  ]);
  symlinkSync(world.outside, join(world.base, 'outside-root'));
  const outside = world.snapshot(world.outside);
  const baseline = copyIn({ from: join(world.root, 'src'), place: '' });
  let hasActed = false;
  let isOpening = false;
  const watched = watchSyscalls((call) => {
    if (call.index === moment) hasActed = act(world);
    // Opening tries what descriptors can do, and needs the true answers.
    return isOpening ? undefined : skipSync(call);
  });
  const openRoot = (root: string) => {
    isOpening = true;
    try {
      return createDiskRoot({ root, createDirectories: true, requireRaceFree: true, syscalls: watched.syscalls });
    } finally {
      isOpening = false;
    }
  };
  watched.start();
  const edits = { a: 'new', 'd/f': 'new', 'd/n': 'new', z: 'new' };
  const report = await writeBackEdits(baseline, edits, { openRoot });
  expect(world.snapshot(world.outside)).toEqual(outside);
  expect(watched.openDescriptors()).toBe(0);
  expectOrder(report);
  const names = watched.names();
  const isOver = names.length < moment;
  const wasStopped = report?.files.some(({ end }) => end.kind === 'link' || end.kind === 'replaced') ?? false;
  const isLost =
    hasActed && theirs !== undefined && readFileSync(join(world.root, theirs.path), 'utf8') !== theirs.text;
  return { isOver, wasStopped, lost: isLost ? String(names[moment - 1]) : null };
}

function expectOrder(report: WriteBackReport | null): void {
  const kinds = report?.files.map(({ end }) => end.kind) ?? [];
  const landed = kinds.lastIndexOf('written') + 1;
  expect(kinds.slice(0, landed).every((kind) => kind === 'written')).toBe(true);
  if (landed > 0) expect(kinds.slice(landed + 1).every((kind) => kind === 'planned')).toBe(true);
}

function replace(world: World, name: string, put: (at: string, parked: string) => void): boolean {
  const at = join(world.root, name);
  const parked = join(world.base, 'parked');
  renameSync(at, parked);
  put(at, parked);
  return true;
}
