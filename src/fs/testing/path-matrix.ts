import { deepEqual, equal } from 'node:assert/strict';
import { nodeSyscalls } from '../syscalls.ts';
import { codeOf } from './code-of.ts';
import type { CreateSurface, Surface } from './containment-driver.ts';
import { createWorld, type Furnishing, type World } from './world.ts';

/** One way to spell a name, one thing that has it, one operation: every combination is a row of the matrix. */
export interface MatrixRow {
  readonly title: string;
  /** Throws when the answer or the world afterwards is not what the rules say. */
  readonly run: (createSurface: CreateSurface) => Promise<void>;
}

const spellings = {
  plain: 'x',
  'with a slash': 'x/',
  'through a parent segment': 'd/../x',
  'through a parent segment, with a slash': 'd/../x/',
  'through the root': '../root/x',
  'through the root, with a slash': '../root/x/',
  absolute: '{root}/x',
  'absolute, with a slash': '{root}/x/',
} as const;

const operations = {
  reading: (on: Surface, path: string) => on.read({ path }),
  replacing: (on: Surface, path: string) => on.write({ path, content: 'N' }),
  appending: (on: Surface, path: string) => on.write({ path, content: 'N', mode: 'a' }),
  inserting: (on: Surface, path: string) => on.write({ path, content: 'N', mode: 'insert', offset: 0 }),
} as const;

interface Kind {
  readonly setup: readonly Furnishing[];
  /** Refused for this reason, whatever is done. */
  readonly always?: string;
  /** Refused for this reason when it is written with a slash. */
  readonly withSlash?: string;
  /** The file that is meant. */
  readonly file?: string;
}

const kinds: Readonly<Record<string, Kind>> = {
  nothing: { setup: [] },
  'a file': { setup: [{ file: 'x', text: 'old' }], withSlash: 'NOT_A_DIRECTORY', file: 'x' },
  'a directory': { setup: [{ dir: 'x' }], always: 'IS_A_DIRECTORY' },
  'a link to a file inside': {
    setup: [
      { file: 'f', text: 'old' },
      { link: 'x', to: 'f' },
    ],
    withSlash: 'NOT_A_DIRECTORY',
    file: 'f',
  },
  'a link to a directory inside': { setup: [{ link: 'x', to: 'd' }], always: 'IS_A_DIRECTORY' },
  'a link to a file outside': { setup: [{ link: 'x', to: '{outside}/f' }], always: 'PATH_OUTSIDE_ROOT' },
  'a link to a directory outside': { setup: [{ link: 'x', to: '../outside' }], always: 'PATH_OUTSIDE_ROOT' },
  'a link to nothing inside': { setup: [{ link: 'x', to: 'none' }], always: 'LINK_DANGLING' },
  'a link to nothing outside': { setup: [{ link: 'x', to: '{outside}/none' }], always: 'PATH_OUTSIDE_ROOT' },
  'a link to itself': { setup: [{ link: 'x', to: 'x' }], always: 'LINK_LOOP' },
  'a FIFO': { setup: [{ fifo: 'x' }], withSlash: 'NOT_A_DIRECTORY', always: 'NOT_A_REGULAR_FILE' },
  'a socket': { setup: [{ socket: 'x' }], withSlash: 'NOT_A_DIRECTORY', always: 'NOT_A_REGULAR_FILE' },
};

/** All of them. */
export const pathMatrix: readonly MatrixRow[] = Object.entries(kinds).flatMap(([what, kind]) =>
  Object.entries(spellings).flatMap(([how, spelling]) =>
    Object.entries(operations).map(([title, operate]) => ({
      title: `${title} ${what}, spelled ${how}`,
      run: (createSurface: CreateSurface) =>
        runRow(createSurface, kind, spelling, { operate, want: expectedCode(kind, spelling, title) }),
    })),
  ),
);

// The rules, said once more and in another way.
function expectedCode(kind: Kind, spelling: string, operation: string): string | null {
  if (spelling.includes('..')) return 'PATH_TRAVERSAL';
  if (spelling.endsWith('/') && kind.withSlash !== undefined) return kind.withSlash;
  if (kind.always !== undefined) return kind.always;
  if (kind.file !== undefined) return null;
  if (operation === 'reading') return 'NOT_FOUND';
  if (spelling.endsWith('/')) return 'IS_A_DIRECTORY';
  return operation === 'inserting' ? 'NOT_FOUND' : null;
}

interface Attempt {
  readonly operate: (on: Surface, path: string) => unknown;
  readonly want: string | null;
}

async function runRow(createSurface: CreateSurface, kind: Kind, spelling: string, attempt: Attempt): Promise<void> {
  await using world = createWorld();
  await world.furnish([{ dir: 'd' }, { outsideFile: 'f', text: 'outside' }, ...kind.setup]);
  const surface = await createSurface({ root: world.root, protectedPaths: [], syscalls: nodeSyscalls });
  const before = world.snapshot();
  const code = await codeOf(() => attempt.operate(surface, world.expand(spelling)));
  await surface.close();
  equal(code, attempt.want);
  deepEqual(otherThan(kind.file ?? 'x', world), without(before, `root/${kind.file ?? 'x'}`));
  if (attempt.want !== null) deepEqual(world.snapshot(), before);
}

function otherThan(file: string, world: World): Readonly<Record<string, string>> {
  return without(world.snapshot(), `root/${file}`);
}

function without(snapshot: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(snapshot).filter(([key]) => key !== name));
}
