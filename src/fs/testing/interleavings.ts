import { deepEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../contract/errors.ts';
import type { CreateSurface, Surface } from './containment-driver.ts';
import { skipSync, watchSyscalls } from './watched-syscalls.ts';
import { createWorld, type World } from './world.ts';

/** Something an attacker does to the world between two system calls, and how it is undone. */
interface Swap {
  readonly swap: (world: World) => void;
  readonly swapBack: (world: World) => void;
}

/** An attack at every possible moment of one operation. It throws when anything from outside was reached. */
export interface Interleaving {
  readonly title: string;
  /** Returns how many moments were tried. */
  readonly run: (createSurface: CreateSurface, moments: Moments) => Promise<number>;
}

/** `forth`: the world stays swapped. `forth and back`: it is swapped for the length of one system call. */
export type Moments = 'forth' | 'forth and back';

const inside = 'inside';
const secret = 'secret';

const swaps = {
  directory: swapFor('d', (world) => symlinkSync(world.outside, join(world.root, 'd'))),
  'inner directory': swapFor('d/e', (world) => symlinkSync(join(world.outside, 'e'), join(world.root, 'd/e'))),
  file: swapFor('d/e/f', (world) => symlinkSync(join(world.outside, 'e/f'), join(world.root, 'd/e/f'))),
  'file, for a FIFO,': swapFor('d/e/f', (world) => execFileSync('mkfifo', [join(world.root, 'd/e/f')])),
  'new file': swapFor('d/e/n', (world) => symlinkSync(join(world.outside, 'e/f'), join(world.root, 'd/e/n'))),
  link: swapFor('l', (world) => symlinkSync(join(world.outside, 'e'), join(world.root, 'l'))),
  'directory the link names': swapFor('d', (world) => symlinkSync('../outside', join(world.root, 'd'))),
} as const satisfies Readonly<Record<string, Swap>>;

interface Operation {
  readonly title: string;
  readonly act: (surface: Surface) => unknown;
  /** What an attacker would swap. */
  readonly targets: readonly (keyof typeof swaps)[];
}

const operations: readonly Operation[] = [
  {
    title: 'reading',
    act: (on) => on.read({ path: 'd/e/f' }),
    targets: ['directory', 'inner directory', 'file', 'file, for a FIFO,'],
  },
  {
    title: 'reading through a link',
    act: (on) => on.read({ path: 'l/f' }),
    targets: ['link', 'directory the link names', 'inner directory', 'file'],
  },
  {
    title: 'replacing',
    act: (on) => on.write({ path: 'd/e/f', content: 'new' }),
    targets: ['directory', 'inner directory', 'file', 'file, for a FIFO,'],
  },
  {
    title: 'appending',
    act: (on) => on.write({ path: 'd/e/f', content: 'new', mode: 'a' }),
    targets: ['directory', 'file'],
  },
  {
    title: 'creating',
    act: (on) => on.write({ path: 'd/e/n', content: 'new' }),
    targets: ['directory', 'inner directory', 'new file'],
  },
  {
    title: 'replacing through a link',
    act: (on) => on.write({ path: 'l/f', content: 'new' }),
    targets: ['link', 'directory the link names'],
  },
];

/** Every operation against every swap that could mislead it. */
export const interleavings: readonly Interleaving[] = operations.flatMap(({ title, act, targets }) =>
  targets.map((target) => ({
    title: `${title} while the ${target} is swapped`,
    run: async (createSurface: CreateSurface, moments: Moments) => {
      for (let moment = 1; ; moment++) {
        if (await isOver(createSurface, act, swaps[target], { moment, moments })) return moment - 1;
      }
    },
  })),
);

interface When {
  readonly moment: number;
  readonly moments: Moments;
}

// Answers true when the operation ended before the moment came.
async function isOver(
  createSurface: CreateSurface,
  act: (surface: Surface) => unknown,
  swap: Swap,
  { moment, moments }: When,
): Promise<boolean> {
  await using world = createWorld();
  await world.furnish([
    { file: 'd/e/f', text: inside },
    { link: 'l', to: 'd/e' },
    { outsideFile: 'e/f', text: secret },
    { outsideFile: 'f', text: secret },
  ]);
  const outside = world.snapshot(world.outside);
  const watched = watchSyscalls((call) => {
    if (call.index === moment) swap.swap(world);
    if (call.index === moment + 1 && moments === 'forth and back') swap.swapBack(world);
    return skipSync(call);
  });
  const surface = await createSurface({ root: world.root, protectedPaths: [], syscalls: watched.syscalls });
  watched.start();
  const result = await outcomeOf(() => act(surface));
  const isEnded = watched.names().length < moment;
  deepEqual(world.snapshot(world.outside), outside, 'something outside was changed');
  ok(!JSON.stringify(result).includes(secret), 'something outside was read');
  ok(
    result.kind === 'done' || Object.hasOwn(errorCodes, result.code),
    `not one of our codes: ${JSON.stringify(result)}`,
  );
  await surface.close();
  if (moments === 'forth and back') {
    const names = Object.keys(world.snapshot(world.base)).filter((name) => name.includes('.porthole-'));
    deepEqual(names, [], 'a temporary stayed behind');
  }
  return isEnded;
}

type Outcome = { readonly kind: 'done'; readonly value: unknown } | { readonly kind: 'refused'; readonly code: string };

async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'done', value: await call() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { kind: 'refused', code };
  }
}

// Moves a name away and puts something else there; back again only if that is still what is there.
function swapFor(name: string, put: (world: World) => void): Swap {
  const away = (world: World) => join(world.base, 'away');
  return {
    swap: (world) => {
      if (exists(join(world.root, name))) renameSync(join(world.root, name), away(world));
      put(world);
    },
    swapBack: (world) => {
      rmSync(join(world.root, name), { force: true });
      if (exists(away(world))) renameSync(away(world), join(world.root, name));
      else if (name === 'l') writeFileSync(join(world.root, name), '');
    },
  };
}

function exists(path: string): boolean {
  return existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
