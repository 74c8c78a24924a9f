import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findChanges } from './changes.ts';
import { renderPatch } from './render-patch.ts';
import { createBaseline, type Tree } from './testing/staged-tree.ts';

const patchPowers = {
  deflate: (bytes: Uint8Array) => deflateSync(bytes),
  sha1Hex: (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex'),
};
const digest = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const base = mkdtempSync(join(tmpdir(), 'porthole-patch-'));
afterAll(() => rmSync(base, { recursive: true }));

// Nothing of the machine's or a user's settings, and no repository around the temporary directory.
const env = {
  PATH: process.env['PATH'],
  HOME: base,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CEILING_DIRECTORIES: dirname(base),
};

function patchOf(before: Tree, after: Tree): string {
  const baseline = createBaseline(before);
  const files = new Map(Object.entries(after).map(([path, content]) => [path, Buffer.from(content)]));
  return renderPatch(findChanges(baseline, files, { digest }), { baseline, files }, patchPowers);
}

let trees = 0;

function layOut(tree: Tree): string {
  const root = join(base, `${trees++}`);
  mkdirSync(root);
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

function lookAt(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path).toString('hex')]));
}

const inHex = (tree: Tree) =>
  Object.fromEntries(Object.entries(tree).map(([path, content]) => [path, Buffer.from(content).toString('hex')]));

function applyWithGit(root: string, patch: string, ...options: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', ...options], {
    cwd: root,
    input: patch,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
}

function expectApplied(before: Tree, after: Tree): void {
  const patch = patchOf(before, after);
  const root = layOut(before);
  if (patch === '') expect(inHex(before)).toEqual(inHex(after));
  else applyWithGit(root, patch);
  expect(lookAt(root)).toEqual(inHex(after));
  if (patch !== '') applyWithGit(root, patch, '-R');
  expect(lookAt(root)).toEqual(inHex(before));
  rmSync(root, { recursive: true });
}

describe('renderPatch()', () => {
  it('is empty where nothing changed', () => {
    expect(patchOf({ a: 'x' }, { a: 'x' })).toBe('');
  });

  it('renders a text change as git does', () => {
    expect(patchOf({ 'a b.txt': 'one\ntwo' }, { 'a b.txt': 'one\r\ntwo', 'é"\t': '' })).toBe(
      [
        'diff --git a/a b.txt b/a b.txt',
        '--- a/a b.txt\t',
        '+++ b/a b.txt\t',
        '@@ -1,2 +1,2 @@',
        '-one',
        '+one\r',
        ' two',
        '\\ No newline at end of file',
        'diff --git "a/\\303\\251\\"\\t" "b/\\303\\251\\"\\t"',
        'new file mode 100644',
        '',
      ].join('\n'),
    );
  });

  it.each<readonly [string, Tree, Tree]>([
    ['a file that appears, and one that goes', { old: 'a\n' }, { new: 'b\n' }],
    ['empty files that come and go', { gone: '' }, { come: '', 'deep/down/here': '' }],
    ['a file that becomes empty, and one that is filled', { a: 'x\n', b: '' }, { a: '', b: 'y' }],
    ['a last line that loses its line feed', { a: 'x\ny\n' }, { a: 'x\ny' }],
    ['a last line that gains its line feed', { a: 'x\ny' }, { a: 'x\ny\n' }],
    ['CRLF that becomes LF', { a: 'x\r\ny\r\n' }, { a: 'x\ny\n' }],
    ['lone carriage returns', { a: 'x\ry\rz' }, { a: 'x\ry!\rz\r' }],
    ['a file in whose place a directory appears', { a: 'x\n', b: 'y' }, { 'a/b': 'x\n', b: 'y' }],
    ['a directory in whose place a file appears', { 'a/b/c': 'x\n', 'a/d': 'y' }, { a: 'z' }],
    ['text that becomes binary', { a: 'x\n' }, { a: Buffer.from([1, 0, 2]) }],
    ['binary that becomes text', { a: Buffer.from([1, 0, 2]) }, { a: 'x\n' }],
    ['an empty file that becomes binary', { a: '' }, { a: Buffer.from([0]) }],
    ['a binary file that becomes empty', { a: Buffer.from([0]) }, { a: '' }],
    ['binary files that come and go', { a: Buffer.alloc(5000, 0) }, { 'b c': Buffer.from([0, 255, 254]) }],
    ['bytes that are no UTF-8', { a: Buffer.from('caf\xe9\n', 'latin1') }, { a: 'café\n' }],
    ['a byte order mark', { a: '\ufeffx\n' }, { a: '\ufeffy\n' }],
    [
      'lines that look like a patch',
      { a: '-- a/x\n++ b/x\n' },
      { a: '@@ -1 +1 @@\n-- a/x\n++ b/y\ndiff --git a/q b/q\n' },
    ],
    [
      'names that look like something else',
      { '-': '1\n', '"': '1\n', '\\n': '1\n' },
      { '-': '2\n', '"': '2\n', '\\n': '2\n' },
    ],
    ['a name with a side inside', { 'x b/x': '1\n' }, { 'x b/x': '2\n', 'y b/y': '' }],
    ['a name that begins or ends with a blank', { ' a': '1\n', 'b ': '1\n' }, { ' a': '2\n', 'b ': '2\n', ' ': '' }],
    [
      'a directory whose name ends with a blank',
      { ' /a': '1\n' },
      { ' /a': '2\n', 'b /c d': '', 'e /f': Buffer.from([0]) },
    ],
    ['a name with a line feed and a control character', { 'a\nb': '1\n' }, { 'a\nb': '2\n', 'c\x7f\x01': '' }],
    ['a name in a root called /dev/null', { 'dev/null': '1\n' }, { 'dev/null': '2\n' }],
  ])('git applies %s, and takes it back', (_, before, after) => {
    expectApplied(before, after);
  });

  it('survives a JSON string, whatever the bytes are', () => {
    const patch = patchOf({ a: Buffer.from([0xff, 0x0a]) }, { a: Buffer.from([0xfe, 0x0a]), ü: '\u2028\n' });
    expect(JSON.parse(JSON.stringify(patch))).toBe(patch);
    expect(Buffer.from(patch).toString()).toBe(patch);
  });

  it('is read by git as it was meant: each path once, with its kind', () => {
    const patch = patchOf({ m: 'a\n', d: 'b\n' }, { m: 'c\n', 'n ü': 'd\n' });
    const numbers = execFileSync('git', ['apply', '--numstat', '-z'], {
      cwd: base,
      input: patch,
      env,
      encoding: 'utf8',
    });
    expect(numbers).toBe('0\t1\td\0' + '1\t1\tm\0' + '1\t0\tn ü\0');
  });
});

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'src') },
  {
    weight: 2,
    arbitrary: fc
      .string({
        unit: fc.constantFrom('a', 'b', ' ', '"', "'", '\t', '\n', '\r', 'é', '日', '😀', '\\', '-', '\x7f', '.'),
        minLength: 1,
        maxLength: 5,
      })
      .filter((name) => name !== '.' && name !== '..'),
  },
);
const line = fc.constantFrom(
  'a',
  'b',
  'c',
  '',
  'diff --git a/a b/a',
  '--- a/a',
  '+++ b/a',
  '@@ -1 +1 @@',
  '\\ No newline at end of file',
  '-- ',
  'GIT binary patch',
  'literal 3',
  'ü',
  '\ta',
  'b ',
  'new file mode 100644',
  '\ufeff',
);
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const text = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 12 }), fc.constantFrom('', '', 'end'))
  .map(([lines, end]) => Buffer.from(lines.flat().join('') + end));
const content = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(0)) },
);
const entries = fc.uniqueArray(
  fc.tuple(
    fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    content,
  ),
  {
    selector: ([path]) => path,
    maxLength: 8,
  },
);
// From one tree to another: some files stay, some go, some get another content, some come.
const changeSet = fc
  .tuple(entries, fc.array(fc.tuple(fc.nat(3), content), { maxLength: 8 }), entries)
  .map(([old, fates, more]) => {
    const kept = old.flatMap(([path, bytes], index): (readonly [string, Buffer])[] => {
      const [fate, other] = fates[index] ?? [0, bytes];
      if (fate === 0) return [[path, bytes]];
      return fate === 1 ? [] : [[path, fate === 2 ? other : Buffer.concat([bytes, other])]];
    });
    return { before: asTree(old), after: asTree([...kept, ...more]) };
  });

// Drops what cannot stand beside what came before: a file below a file, or a file where a directory is.
function asTree(files: readonly (readonly [string, Buffer])[]): Tree {
  const tree = new Map<string, Buffer>();
  for (const [path, bytes] of files) {
    const collides = [...tree.keys()].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
    if (!collides) tree.set(path, bytes);
  }
  return Object.fromEntries(tree);
}

const sets = process.env['PORTHOLE_LONG'] === '1' ? 200 : 20;

it(`git turns the baseline into the result and back, for ${sets} random change sets`, { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(changeSet, ({ before, after }) => {
      expectApplied(before, after);
    }),
    { numRuns: sets },
  );
});
