import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFile, anyText, encode } from './testing/random-files.ts';
import { type FileChange, renderUnifiedDiff } from './unified-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'unified-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `git apply` makes of patches, all in one call, in a directory that holds the files as they were before. */
function applyByGit(name: string, changes: readonly FileChange[]): { directory: string; output: string } {
  const directory = join(folder, name);
  mkdirSync(directory, { recursive: true });
  for (const { path, before } of changes) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    if (before !== null) writeFileSync(join(directory, path), before);
  }
  const patch = Buffer.concat(changes.map(renderUnifiedDiff));
  const { stdout, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], {
    cwd: directory,
    input: patch,
    // Settings of the machine and of a repository around this directory must not matter.
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_CEILING_DIRECTORIES: folder,
    },
  });
  return { directory, output: `${stdout}${stderr}` };
}

function expectApplied(name: string, changes: readonly FileChange[]): void {
  const { directory, output } = applyByGit(name, changes);
  expect(output).toBe('');
  for (const { path, after } of changes) {
    const file = join(directory, path);
    if (after === null) expect(existsSync(file), path).toBe(false);
    else expect(readFileSync(file).equals(after), path).toBe(true);
  }
}

const oddNames = [
  'plain.txt',
  'with space.txt',
  ' leading and trailing ',
  'tab\there',
  'new\nline',
  'quote"back\\slash',
  'é/漢字.md',
  '🙂',
  '-dash',
  'deep/er/file',
  'a\u00a0b',
  'b',
  '\u0001\u007f',
];

describe('renderUnifiedDiff()', () => {
  it('gives git apply what turns one file into the other, byte for byte', () => {
    const edited = fc.tuple(anyFile, anyFile, anyFile, anyText.map(encode)).map(([head, tail, one, other]) => ({
      before: Uint8Array.from([...head, ...one, ...tail]),
      after: Uint8Array.from([...head, ...other, ...tail]),
    }));
    const pairs = fc.sample(fc.oneof(edited, fc.record({ before: anyFile, after: anyFile })), 200);
    const changes = pairs.map((pair, index) => ({ ...pair, path: `${index}/${oddNames[index % oddNames.length]}` }));
    // git refuses a patch without any change in it.
    expectApplied(
      'random',
      changes.filter(({ before, after }) => Buffer.compare(before, after) !== 0),
    );
  });

  it.each(oddNames)('names new, changed, emptied and deleted files as git does: %j', (name) => {
    const text = encode('a\r\nb\rc\n\nlast');
    const empty = new Uint8Array();
    expectApplied(`names-${oddNames.indexOf(name)}`, [
      { path: `new/${name}`, before: null, after: text },
      { path: `new-empty/${name}`, before: null, after: empty },
      { path: `changed/${name}`, before: text, after: encode('a\r\nb\rC\n\nlast\n') },
      { path: `emptied/${name}`, before: text, after: empty },
      { path: `filled/${name}`, before: empty, after: text },
      { path: `deleted/${name}`, before: text, after: null },
      { path: `deleted-empty/${name}`, before: empty, after: null },
    ]);
  });

  it('applies where many lines are alike, and far into a file', () => {
    const long = Array.from({ length: 3000 }, (_, index) => `line ${index % 7}\n`);
    const changed = long.toSpliced(100, 1).toSpliced(1500, 0, 'new\n', 'line 3\n').with(2998, 'x\r\n');
    expectApplied('long', [{ path: 'long', before: encode(long.join('')), after: encode(changed.join('')) }]);
  });

  it('shows three lines of context, one hunk for near changes, and the missing final line break', () => {
    const before = [...'abcdefghijklmnop'].join('\n');
    const after = before.replace('b', 'B').replace('h', 'H').replace('p', 'P');
    const patch = renderUnifiedDiff({ path: 'm n', before: encode(before), after: encode(after) });
    expect(new TextDecoder().decode(patch)).toBe(
      'diff --git a/m n b/m n\n--- a/m n\t\n+++ b/m n\t\n' +
        '@@ -1,11 +1,11 @@\n a\n-b\n+B\n c\n d\n e\n f\n g\n-h\n+H\n i\n j\n k\n' +
        '@@ -13,4 +13,4 @@\n m\n n\n o\n-p\n\\ No newline at end of file\n+P\n\\ No newline at end of file\n',
    );
  });

  it('shows three lines behind a change, wherever in its line that is', () => {
    const before = [...'abcdefghi'].join('!\n');
    const context = { path: 'f', before: encode(before) };
    const hunk = '@@ -2,7 +2,7 @@\n b!\n c!\n d!\n';
    const after = (line: string) => encode(before.replace('e!', line));
    const rest = '\n f!\n g!\n h!\n';
    for (const line of ['E!', 'e?', '!', 'e']) {
      const patch = new TextDecoder().decode(renderUnifiedDiff({ ...context, after: after(line) }));
      expect(patch.slice(patch.indexOf('@@'))).toBe(`${hunk}-e!\n+${line}${rest}`);
    }
  });

  it('joins two changes into one hunk up to six lines apart', () => {
    const before = [...'abcdefghijklm'].join('\n');
    const countHunks = (second: string) => {
      const after = encode(before.replace('b', 'B').replace(second, 'X'));
      return (
        new TextDecoder().decode(renderUnifiedDiff({ path: 'f', before: encode(before), after })).split('@@ -').length -
        1
      );
    };
    expect([countHunks('i'), countHunks('j')]).toEqual([1, 2]);
  });

  it('numbers a side without lines 0,0', () => {
    const created = renderUnifiedDiff({ path: 'f', before: null, after: encode('a\nb\n') });
    expect(new TextDecoder().decode(created)).toBe(
      'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n',
    );
    const emptied = renderUnifiedDiff({ path: 'f', before: encode('a\n'), after: new Uint8Array() });
    expect(new TextDecoder().decode(emptied)).toContain('@@ -1 +0,0 @@\n-a\n');
  });

  it('splits at LF only', () => {
    const patch = renderUnifiedDiff({ path: 'f', before: encode('a\rb\rc\n'), after: encode('a\rB\rc\n') });
    expect(new TextDecoder().decode(patch)).toContain('@@ -1 +1 @@\n-a\rb\rc\n+a\rB\rc\n');
  });

  it('is empty for no change', () => {
    expect(renderUnifiedDiff({ path: 'f', before: encode('a'), after: encode('a') })).toHaveLength(0);
  });
});
