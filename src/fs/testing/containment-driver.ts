import { deepEqual, equal, fail, ok } from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeSyscalls, type Syscalls } from '../syscalls.ts';
import { type ContainmentCase, loadContainmentCases } from './containment-case.ts';
import { asOrdinaryUser, createWorld, type World } from './world.ts';

/** Something that reads and writes for somebody: a pair of tools, a pair of helpers. Refusals are thrown, with a code. */
export interface Surface {
  /** Whether refusals are thrown to a guest. Default: false. */
  readonly isGuest?: boolean;
  readonly read: (args: ReadArguments) => string | Promise<string>;
  readonly write: (args: WriteArguments) => unknown;
  /** Ends what the surface stands on; afterwards it refuses. */
  readonly close: () => void | Promise<void>;
}

/** As a tool takes them. What is absent was not given. */
export interface ReadArguments {
  readonly path: unknown;
  readonly offset?: unknown;
  readonly max_chars?: unknown;
}

/** As a tool takes them. */
export interface WriteArguments {
  readonly path: unknown;
  readonly content: unknown;
  readonly mode?: unknown;
  readonly offset?: unknown;
}

/** What a surface is to be built on. */
export interface SurfaceGround {
  readonly root: string;
  readonly protectedPaths: readonly string[];
  readonly syscalls: Syscalls;
}

/** Builds a surface on a ground. */
export type CreateSurface = (ground: SurfaceGround) => Surface | Promise<Surface>;

/** A case that can be run on a surface; it throws when the surface does something else than the table says. */
export interface RunnableCase {
  readonly id: string;
  readonly title: string;
  readonly run: (createSurface: CreateSurface) => Promise<void>;
}

/** Every case of the table, for every surface: a test per case and surface. */
export const containmentCases: readonly RunnableCase[] = loadContainmentCases().map((row) => ({
  id: row.id,
  title: row.title,
  run: (createSurface) => runCase(row, createSurface),
}));

/** What a case works with. */
interface Scene {
  readonly row: ContainmentCase;
  readonly world: World;
  readonly surface: Surface;
}

async function runCase(row: ContainmentCase, createSurface: CreateSurface): Promise<void> {
  await using world = createWorld();
  await world.furnish(row.setup);
  const { op } = row;
  if (op.rootThroughLink) symlinkSync(world.root, join(world.base, 'alias'));
  const root = op.root ?? (op.rootThroughLink ? join(world.base, 'alias') : world.root);
  const syscalls = op.writesAtMost === undefined ? nodeSyscalls : withShortWrites(op.writesAtMost);
  const surface = await createSurface({ root, protectedPaths: ownPlaces(row, world), syscalls });
  try {
    await perform({ row, world, surface });
  } finally {
    await surface.close();
  }
}

async function perform(scene: Scene): Promise<void> {
  const { row, world, surface } = scene;
  const { op } = row;
  if (op.copyThroughHelpers !== undefined) {
    const content = await surface.read({ path: op.copyThroughHelpers });
    await surface.write({ path: op.copyThroughHelpers, content });
    return expectWorld(scene);
  }
  if (op.readWindows !== undefined) return readWindows(scene);
  if (op.concurrently !== undefined) {
    await Promise.all(op.concurrently.map((write) => surface.write({ path: write.write, ...rest(write, 'write') })));
    const lines = readFileSync(join(world.root, 'a.txt'), 'utf8').split('\n').filter(Boolean).sort();
    return deepEqual(lines, [...(row.want.linesInAnyOrder ?? [])].sort());
  }
  if (op.writeToOwn !== undefined) {
    for (const path of ownNames) await expectRefusal(scene, () => surface.write({ path, content: 'new' }));
    return;
  }
  if (op.guestCatches !== undefined) return expectNoHostPath(scene);
  if (op.guest !== undefined) {
    const path = { toString: () => fail('a path was coerced') };
    for (const wrong of [path, 5, ['a.txt'], null, Object('a.txt')]) {
      await expectRefusal(scene, () => surface.read({ path: wrong }));
    }
    return;
  }
  if (op.afterClose !== undefined) {
    await surface.close();
    return expectRefusal(scene, () => surface.read({ path: 'a.txt' }));
  }
  if (row.id === 'C68') await expectLargeRoundTrip(scene);
  if (op.rounds !== undefined) return expectNoLeak(scene, op.rounds);
  return performPlain(scene);
}

// A read or a write, with every variant the row names.
async function performPlain(scene: Scene): Promise<void> {
  const { row, world } = scene;
  const { op } = row;
  const writes = op.write !== undefined;
  const args = rest(op, 'read', 'write', 'root', 'rootThroughLink', 'umask', 'writesAtMost');
  const paths = [op.read ?? op.write, ...(row.alsoFor ?? [])].map((path) => expandPath(path ?? '', world));
  if (op.rootThroughLink) paths.push(`${world.root}/a.txt`, `${world.base}/alias/a.txt`);
  for (const path of [...paths, ...(row.alsoForJson ?? [])]) await attempt(scene, { ...args, path }, writes);
  for (const more of row.alsoForArgs ?? []) await attempt(scene, { path: paths[0], ...more }, false);
  if (row.alsoOp === 'write') await attempt(scene, { path: paths[0], content: 'new' }, true);
  if (row.alsoLink === undefined) return;
  const link = join(world.root, op.read ?? '');
  rmSync(link);
  symlinkSync(row.alsoLink, link);
  await attempt(scene, { path: paths[0] }, false);
}

async function attempt(scene: Scene, args: Readonly<Record<string, unknown>>, writes: boolean): Promise<void> {
  const { row, surface } = scene;
  const content = row.op.writesAtMost === undefined ? args['content'] : 'é'.repeat(1024);
  const call = () => {
    const act = () =>
      writes ? surface.write({ path: undefined, ...args, content }) : surface.read({ path: undefined, ...args });
    return row.id === 'C63' ? asOrdinaryUser(act) : act();
  };
  const started = performance.now();
  if (row.want.refused !== undefined) {
    await expectRefusal(scene, call);
  } else if (row.want.treeIsExactly !== undefined) {
    await caught(call);
    expectWorld(scene);
  } else {
    const result = await underUmask(row.op.umask, call);
    if (!writes) equal(result, row.want.text);
    expectWorld(scene);
  }
  if (row.withinMs !== undefined) ok(performance.now() - started < row.withinMs, 'it took too long');
}

async function expectRefusal({ row, world }: Scene, call: () => unknown): Promise<void> {
  const before = world.snapshot();
  const error = await caught(call);
  equal(error.code, row.want.refused, error.message);
  if (row.want.says !== undefined) ok(error.message.includes(row.want.says), error.message);
  deepEqual(world.snapshot(), before, 'a refused call changed something');
}

function expectWorld({ row, world }: Scene): void {
  const { want } = row;
  if (want.file !== undefined) {
    const path = join(world.root, want.file);
    const bytes = readFileSync(path);
    if (want.text !== undefined) equal(bytes.toString(), want.text);
    if (want.hex !== undefined) equal(bytes.toString('hex'), want.hex);
    if (want.bytes !== undefined) equal(bytes.length, want.bytes);
    if (want.mode !== undefined) equal(lstatSync(path).mode & 0o7777, Number.parseInt(want.mode, 8));
  }
  if (want.stillLink !== undefined) ok(lstatSync(join(world.root, want.stillLink)).isSymbolicLink());
  if (want.treeIsExactly !== undefined) deepEqual(Object.keys(world.snapshot(world.root)), want.treeIsExactly);
}

async function readWindows({ row, surface }: Scene): Promise<void> {
  for (const size of row.op.sizes ?? []) {
    let text = '';
    for (let offset = 0; ; offset += size) {
      const part = await surface.read({ path: row.op.readWindows, offset, max_chars: size });
      if (part === '') break;
      ok([...part].length <= size);
      text += part;
    }
    equal(text, row.want.text);
  }
}

async function expectNoHostPath({ row, world, surface }: Scene): Promise<void> {
  const error = await caught(() => surface.read({ path: 'l' }));
  // The stack of a host error is the host's own; what a guest catches must be clean throughout.
  const seen = `${error.message}\n${error.path}\n${surface.isGuest ? error.stack : ''}`;
  for (const hidden of row.want.noneOf ?? []) ok(!seen.includes(world.expand(hidden)), seen);
}

async function expectNoLeak({ world, surface }: Scene, rounds: number): Promise<void> {
  symlinkSync(world.outside, join(world.root, 'out'));
  const count = () => readdirSync('/proc/self/fd').length;
  const before = count();
  for (let round = 0; round < rounds; round++) {
    await surface.read({ path: 'a.txt' });
    await caught(() => surface.read({ path: 'missing' }));
    await caught(() => surface.read({ path: 'a.txt/x' }));
    await caught(() => surface.read({ path: 'out/x' }));
    await caught(() => surface.write({ path: 'a.txt', content: 'x', mode: 'insert', offset: 99 }));
    if (round % 20 === 0) await surface.write({ path: 'b.txt', content: `${round}` });
  }
  ok(count() <= before, `${before} descriptors became ${count()}`);
}

async function expectLargeRoundTrip({ surface }: Scene): Promise<void> {
  const content = 'aé漢👍\r\n'.repeat((10 * 1024 * 1024) / 12);
  await surface.write({ path: 'large', content });
  ok((await surface.read({ path: 'large' })) === content, 'what was read back is not what was written');
}

interface Refusal {
  readonly code?: unknown;
  readonly message: string;
  readonly stack?: unknown;
  readonly path?: unknown;
}

async function caught(call: () => unknown): Promise<Refusal> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    return error as Refusal; // whatever was thrown is compared below
  }
  return fail(`nothing was refused, the answer was ${JSON.stringify(result)}`);
}

// Places that belong to Porthole, put inside the root for the sake of the case; some exist and some do not.
const ownNames = [
  'audit.jsonl',
  'state/approvals.json',
  'state/later.json',
  'state-to-come',
  'policy.yaml',
  'porthole.policy.yaml',
  'porthole.policy.yml',
  'porthole.policy.json',
] as const;

function ownPlaces(row: ContainmentCase, world: World): readonly string[] {
  if (row.op.writeToOwn === undefined) return [];
  mkdirSync(join(world.root, 'state'));
  for (const name of ['audit.jsonl', 'state/approvals.json', 'policy.yaml']) writeFileSync(join(world.root, name), '');
  const places = [...ownNames.filter((name) => !name.startsWith('state/')), 'state'];
  return places.map((name) => join(world.root, name));
}

function withShortWrites(most: number): Syscalls {
  return {
    ...nodeSyscalls,
    write: (fd, source, offset, length) => nodeSyscalls.write(fd, source, offset, Math.min(length, most)),
  };
}

function underUmask<T>(umask: string | undefined, work: () => T): T {
  if (umask === undefined) return work();
  const before = process.umask(Number.parseInt(umask, 8));
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

// `{300 x}` stands for that many letters.
function expandPath(path: string, world: World): string {
  return world.expand(path).replace(/^\{(\d+) (.+)\}$/, (_, count, letter) => String(letter).repeat(Number(count)));
}

function rest(from: object, ...without: readonly string[]): Readonly<Record<string, unknown>> & { content: unknown } {
  const entries = Object.entries(from).filter(([key]) => !without.includes(key));
  return { content: undefined, ...Object.fromEntries(entries) };
}
