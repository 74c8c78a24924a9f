import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One thing a world is furnished with. `{root}` and `{outside}` in link targets are replaced. */
export interface Furnishing {
  readonly file?: string;
  readonly outsideFile?: string;
  readonly text?: string;
  readonly hex?: string;
  readonly dir?: string;
  readonly link?: string;
  readonly hardlink?: string;
  readonly to?: string;
  readonly fifo?: string;
  readonly socket?: string;
  readonly mode?: string;
}

/** A temporary directory with a root and, beside it, what no call may reach. */
export interface World extends AsyncDisposable {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  readonly furnish: (things: readonly Furnishing[]) => Promise<void>;
  /** `{root}` and `{outside}` in a text, replaced. */
  readonly expand: (text: string) => string;
  /** Everything below a directory: kind, mode and content by name. */
  readonly snapshot: (below?: string) => Readonly<Record<string, string>>;
}

/** Makes an empty world. Its owner is an ordinary user even where the tests run as root. */
export function createWorld(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-world-')));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  const closing: (() => Promise<void>)[] = [];
  for (const directory of [root, outside]) mkdirSync(directory);
  for (const directory of [base, root, outside]) giveAway(directory);
  const expand = (text: string) => text.replaceAll('{root}', root).replaceAll('{outside}', outside);
  return {
    base,
    root,
    outside,
    expand,
    furnish: async (things) => {
      const later: (() => void)[] = [];
      for (const thing of things) await place({ root, outside, expand, closing, later }, thing);
      for (const step of later) step();
    },
    snapshot: (below = base) => snapshot(below),
    [Symbol.asyncDispose]: async () => {
      for (const close of closing) await close();
      makeRemovable(base);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

// An ordinary user cannot empty a directory that he may not write.
function makeRemovable(directory: string): void {
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) makeRemovable(join(directory, entry.name));
  }
}

interface Workshop {
  readonly root: string;
  readonly outside: string;
  readonly expand: (text: string) => string;
  readonly closing: (() => Promise<void>)[];
  /** What must wait until everything stands: modes that would forbid going on. */
  readonly later: (() => void)[];
}

async function place(shop: Workshop, thing: Furnishing): Promise<void> {
  const inside = thing.file ?? thing.dir ?? thing.link ?? thing.hardlink ?? thing.fifo ?? thing.socket;
  const path = inside === undefined ? join(shop.outside, thing.outsideFile ?? '') : join(shop.root, inside);
  makeParents(dirname(path));
  if (thing.dir !== undefined) makeParents(path);
  else if (thing.link !== undefined) symlinkSync(shop.expand(thing.to ?? ''), path);
  else if (thing.hardlink !== undefined) linkSync(join(shop.root, thing.to ?? ''), path);
  else if (thing.fifo !== undefined) execFileSync('mkfifo', [path]);
  else if (thing.socket !== undefined) shop.closing.push(await listen(path));
  else writeFileSync(path, Buffer.from(thing.hex ?? thing.text ?? '', thing.hex === undefined ? 'utf8' : 'hex'));
  if (thing.link === undefined && thing.socket === undefined) giveAway(path);
  const { mode } = thing;
  if (mode !== undefined) shop.later.push(() => chmodSync(path, Number.parseInt(mode, 8)));
}

function makeParents(path: string): void {
  if (existsSync(path)) return;
  makeParents(dirname(path));
  mkdirSync(path);
  giveAway(path);
}

function listen(path: string): Promise<() => Promise<void>> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve(() => new Promise((closed) => server.close(() => closed()))));
  });
}

// The user and group of nobody, by convention.
const ordinary = 65534;

const isRoot = process.geteuid?.() === 0;

function giveAway(path: string): void {
  if (isRoot) chownSync(path, ordinary, ordinary);
}

/** Runs synchronous work as an ordinary user: the one the process has, or nobody where that is root. */
export function asOrdinaryUser<T>(work: () => T): T {
  if (!isRoot) return work();
  process.setegid?.(ordinary);
  process.seteuid?.(ordinary);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

function snapshot(base: string): Record<string, string> {
  const result: Record<string, string> = {};
  const visit = (directory: string, shown: string): void => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      const facts = lstatSync(path);
      const key = `${shown}${name}`;
      const mode = (facts.mode & 0o7777).toString(8);
      if (facts.isSymbolicLink()) result[key] = `link to ${readlinkSync(path)}`;
      else if (facts.isFile()) result[key] = `file ${mode} ${facts.ino} ${readFileSync(path).toString('hex')}`;
      else if (facts.isDirectory()) {
        result[`${key}/`] = `directory ${mode}`;
        visit(path, `${key}/`);
      } else result[key] = `other ${mode} ${facts.ino}`;
    }
  };
  visit(base, '');
  return result;
}
