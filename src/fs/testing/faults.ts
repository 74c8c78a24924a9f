import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../../contract/errors.ts';
import { nodeSyscalls } from '../syscalls.ts';
import { codeOf } from './code-of.ts';
import type { CreateSurface, Surface } from './containment-driver.ts';
import { skipSync, systemError, type Watcher, watchSyscalls } from './watched-syscalls.ts';
import { createWorld } from './world.ts';

/** A fault at every possible moment of one write. It throws when the file is torn or something stays behind. */
export interface FaultCase {
  readonly title: string;
  /** Returns how many moments were tried. */
  readonly run: (createSurface: CreateSurface) => Promise<number>;
}

const before = 'old '.repeat(2000);
const after = 'new '.repeat(3000);

const operations: readonly Operation[] = [
  { title: 'creating', name: 'n', old: null, fresh: after, act: (on) => on.write({ path: 'n', content: after }) },
  { title: 'replacing', name: 'f', old: before, fresh: after, act: (on) => on.write({ path: 'f', content: after }) },
  {
    title: 'appending',
    name: 'f',
    old: before,
    fresh: before + after,
    act: (on) => on.write({ path: 'f', content: after, mode: 'a' }),
  },
];

const errors = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EDQUOT'] as const;

const lies: readonly { readonly title: string; readonly calls: readonly string[]; readonly lie: Lie }[] = [
  { title: 'a short write', calls: ['write'], lie: (args, real) => real([args[0], args[1], args[2], 1]) },
  { title: 'a write of nothing', calls: ['write'], lie: () => 0 },
  { title: 'a write that claims too much', calls: ['write'], lie: (args, real) => Number(real(args)) + 1 },
  {
    title: 'a write that keeps half and claims all',
    calls: ['write'],
    lie: (args, real) => {
      real([args[0], args[1], args[2], Math.floor(Number(args[3]) / 2)]);
      return args[3];
    },
  },
  { title: 'a short read', calls: ['read'], lie: (args, real) => real([args[0], args[1], args[2], 1, args[4]]) },
];

/** Every write against every error and every lie of the operating system. */
export const faultCases: readonly FaultCase[] = operations.flatMap((operation) => [
  ...errors.map((code) => ({
    title: `${operation.title} with ${code}`,
    run: (createSurface: CreateSurface) =>
      atEveryMoment(createSurface, operation, () => {
        throw systemError(code);
      }),
  })),
  // A file that is not there is not read.
  ...lies
    .filter(({ calls }) => operation.old !== null || !calls.includes('read'))
    .map(({ title, calls, lie }) => ({
      title: `${operation.title} with ${title}`,
      run: (createSurface: CreateSurface) => atEveryMoment(createSurface, operation, lie, calls),
    })),
]);

interface Operation {
  readonly title: string;
  readonly name: string;
  readonly old: string | null;
  readonly fresh: string;
  readonly act: (surface: Surface) => unknown;
}

type Lie = (args: readonly unknown[], real: (args: readonly unknown[]) => unknown) => unknown;

async function atEveryMoment(
  createSurface: CreateSurface,
  operation: Operation,
  lie: Lie,
  only?: readonly string[],
): Promise<number> {
  for (let moment = 1; ; moment++) {
    if (!(await strikes(createSurface, operation, { lie, moment, only }))) return moment - 1;
  }
}

interface Strike {
  readonly lie: Lie;
  readonly moment: number;
  readonly only: readonly string[] | undefined;
}

// Answers false when the operation ended before the fault's moment came.
async function strikes(createSurface: CreateSurface, operation: Operation, strike: Strike): Promise<boolean> {
  await using world = createWorld();
  await world.furnish([{ file: 'f', text: before }]);
  let seen = 0;
  const watcher: Watcher = (call, real) => {
    const { name, args } = call;
    if (strike.only !== undefined && !strike.only.includes(name)) return skipSync(call);
    if (++seen !== strike.moment) return skipSync(call);
    // The descriptor of a close that fails is gone all the same.
    if (name === 'close') real();
    return { answer: strike.lie(args, (changed) => direct(name, changed)) };
  };
  const watched = watchSyscalls(watcher);
  const surface = await createSurface({ root: world.root, protectedPaths: [], syscalls: watched.syscalls });
  watched.start();
  const code = await codeOf(() => operation.act(surface));
  const names = readdirSync(world.root);
  const holds = names.includes(operation.name) ? readFileSync(join(world.root, operation.name), 'utf8') : null;
  const isInPlace = code === null || code === 'WRITE_NOT_DURABLE';
  const story = `${operation.title}, moment ${strike.moment} (${watched.names().at(-1)}): ${code ?? 'done'}`;
  equal(holds, isInPlace ? operation.fresh : operation.old, story);
  deepEqual(
    names.filter((name) => name !== operation.name && name !== 'f'),
    [],
    story,
  );
  equal(watched.openDescriptors(), 0, `a descriptor leaked, ${story}`);
  ok(code === null || Object.hasOwn(errorCodes, code), `not one of our codes, ${story}`);
  await surface.close();
  return seen >= strike.moment;
}

function direct(name: keyof typeof nodeSyscalls, args: readonly unknown[]): unknown {
  return (nodeSyscalls[name] as (...args: readonly unknown[]) => unknown)(...args); // the same call, other arguments
}
