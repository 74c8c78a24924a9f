import { join } from 'node:path';
import type { DiskRootOptions } from '../../fs/disk-root.ts';
import { type Watcher, watchSyscalls } from '../../fs/testing/watched-syscalls.ts';
import { createWorld, type Furnishing, type World } from '../../fs/testing/world.ts';
import { type CoreModules, corePowers } from './core-surface.ts';

/** Something that must not work, or must be noticed. It throws when it does work. */
export interface Attack {
  readonly title: string;
  readonly run: (modules: CoreModules) => Promise<void>;
}

/** What an attack starts from. */
export interface Scene {
  readonly setup?: readonly Furnishing[];
  readonly options?: Partial<DiskRootOptions> | ((world: World) => Partial<DiskRootOptions>);
  /** What happens around each system call. */
  readonly watch?: (world: World) => Watcher;
}

/** Where an attack works: a furnished world and a disk root in it. */
export interface Bench {
  readonly world: World;
  /** The host path of a name below the root. */
  readonly path: (name: string) => string;
  readonly disk: ReturnType<CoreModules['createDiskRoot']>;
  readonly read: (path: string, more?: object) => string;
  readonly write: (path: string, content: string, more?: object) => ReturnType<CoreModules['writeFile']>;
  readonly plan: (path: string, content: string, more?: object) => ReturnType<CoreModules['planWrite']>;
  /** The system calls so far, by name. */
  readonly syscallNames: () => readonly string[];
}

/** Describes an attack. */
export function defineAttack(title: string, scene: Scene, act: (bench: Bench) => void | Promise<void>): Attack {
  return { title, run: (modules) => runOnBench(modules, scene, act) };
}

/** A file named `f` that holds `old`: most attacks need no more. */
export const oldFile: readonly Furnishing[] = [{ file: 'f', text: 'old' }];

async function runOnBench(
  modules: CoreModules,
  { setup = [], options = {}, watch }: Scene,
  act: (bench: Bench) => void | Promise<void>,
): Promise<void> {
  await using world = createWorld();
  await world.furnish(setup);
  const watched = watchSyscalls(watch?.(world));
  const chosen = typeof options === 'function' ? options(world) : options;
  using disk = modules.createDiskRoot({ root: world.root, syscalls: watched.syscalls, ...chosen });
  watched.start();
  const powers = corePowers();
  await act({
    world,
    disk,
    path: (name) => join(world.root, name),
    read: (path, more) => Buffer.from(modules.readFile(disk, { path, ...more }, powers).bytes).toString(),
    write: (path, content, more) => modules.writeFile(disk, { path, content, ...more }, powers),
    plan: (path, content, more) => modules.planWrite(disk, { path, content, ...more }, powers),
    syscallNames: watched.names,
  });
}
