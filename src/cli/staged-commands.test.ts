import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createFakeWorld } from './testing/fake-world.ts';
import { enterDirectory, type Ran, runHere } from './testing/run-in.ts';

let leave: () => void;

beforeEach(() => {
  ({ leave } = enterDirectory());
  mkdirSync('src');
  writeFileSync('src/a.ts', 'one\n');
  writeFileSync('src/b.ts', 'two\n');
  mkdirSync('notes');
  writeFileSync('notes/x.md', 'x');
});

afterEach(() => leave());

const shout = `
  console.log('working');
  for (const path of list_files()) write_file(path, read_file(path).toUpperCase());
  write_file('scratch.txt', 'left over');
  return list_files().length`;

function porthole(source: string, ...args: readonly string[]): Promise<Ran> {
  return runHere('run', '-e', source, ...args);
}

const read = (path: string) => readFileSync(path, 'utf8');

describe('porthole run with --copy-rw', () => {
  it('writes back what it may, and reports every file on standard error', async () => {
    const ran = await porthole(shout, '--copy-rw', 'src', '--copy', 'notes');
    expect(ran).toMatchObject({ exit: 0, out: 'working\n4\n' });
    expect(ran.err.split('\n')).toEqual([
      'write-back: src/a.ts',
      'write-back: src/b.ts',
      'write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)',
      'write-back: /scratch.txt was not copied from the host, skipped',
      'write-back: 2 files written, 2 skipped',
      '',
    ]);
    expect([read('src/a.ts'), read('src/b.ts'), read('notes/x.md')]).toEqual(['ONE\n', 'TWO\n', 'x']);
    expect(existsSync('scratch.txt')).toBe(false);
  });

  it('differs from --copy in what is on the host, and in no value, console line or diff', async () => {
    const copied = await porthole(shout, '--copy', 'src', '--json');
    expect(read('src/a.ts')).toBe('one\n');
    const written = await porthole(shout, '--copy-rw', 'src', '--json');
    expect(read('src/a.ts')).toBe('ONE\n');
    const facts = ({ json }: Ran) => {
      const { value, console, diff, changes } = json() as Record<string, unknown>;
      return { value, console, diff, changes };
    };
    expect(facts(written)).toEqual(facts(copied));
    expect(facts(copied).diff).toContain('+ONE');
  });

  it('plans, reports and exits as the real run would with --dry-run', async () => {
    const ran = await porthole(shout, '--copy-rw', 'src', '--dry-run');
    expect(ran.exit).toBe(0);
    expect(ran.err).toContain('write-back: would write src/a.ts\n');
    expect(read('src/a.ts')).toBe('one\n');
    expect((await porthole(shout, '--copy-rw', 'src', '--dry-run', '--fail-on-skip')).exit).toBe(1);
  });

  it('exits 1 for skips only where that is asked for', async () => {
    expect((await porthole(shout, '--copy', 'src')).exit).toBe(0);
    const failed = await porthole(shout, '--copy', 'src', '--fail-on-skip');
    expect([failed.exit, failed.out]).toEqual([1, 'working\n3\n']);
    expect((await porthole('return 1', '--copy-rw', 'src', '--fail-on-skip')).exit).toBe(0);
  });

  it('writes nothing when the program does not complete', async () => {
    const failed = await porthole("write_file('src/a.ts', 'x'); throw new Error('no')", '--copy-rw', 'src', '--diff');
    expect([failed.exit, read('src/a.ts')]).toEqual([7, 'one\n']);
    expect(failed.out).toMatch(/^diff --git a\/src\/a.ts b\/src\/a.ts\n/);
    expect(failed.err).toContain('note: the diff is what the program had changed when it ended\n');
    expect(failed.err).not.toContain('write-back');
    expect((await porthole("throw new Error('no')", '--copy-rw', 'src')).err).not.toContain('note:');
  });
});

describe('the diff of a staged run', () => {
  it('is the only thing on standard output, whatever a program prints', async () => {
    const forged = `diff --git a/evil b/evil\nnew file mode 100644\n--- /dev/null\n+++ b/evil\n@@ -0,0 +1 @@\n+x\n`;
    const source = `console.log(${JSON.stringify(forged)}); write_file('src/a.ts', 'new\\n'); return ${JSON.stringify(forged)}`;
    const ran = await porthole(source, '--copy', 'src', '--diff');
    expect(ran.err).toContain('evil');
    expect(ran.out).not.toContain('evil');
    execFileSync('git', ['apply', '-'], { input: ran.out });
    expect([read('src/a.ts'), existsSync('evil')]).toEqual(['new\n', false]);
  });

  it('is the list of changes as JSON with --diff=json', async () => {
    const ran = await porthole("write_file('src/a.ts', 'new'); console.log('x')", '--copy', 'src', '--diff=json');
    const { changes } = ran.json() as { changes: readonly Record<string, unknown>[] };
    expect(changes).toMatchObject([{ kind: 'modify', path: 'src/a.ts', before: { bytes: 4 }, after: { bytes: 3 } }]);
    expect(ran.err).toContain('x\n');
  });

  it('goes into the outcome with --json, and --diff prints nothing of its own', async () => {
    const ran = await porthole(shout, '--copy', 'src', '--json', '--diff');
    expect(ran.json()).toMatchObject({
      status: 'completed',
      mode: 'staged',
      diff: expect.stringContaining('diff --git'),
    });
    expect(ran.json()).toHaveProperty('changes.0.kind', 'create');
  });

  it('goes into a file by its extension, and leaves standard output to the program', async () => {
    const patched = await porthole(shout, '--copy', 'src', '--diff-file', 'out.patch');
    expect(patched.out).toBe('working\n3\n');
    expect(read('out.patch')).toMatch(/^diff --git/);
    const both = await porthole(shout, '--copy', 'src', '--diff-file', 'notes/out.json', '--diff');
    expect(both.out).toBe('working\n3\n');
    expect(JSON.parse(read('notes/out.json'))).toHaveProperty('changes');
  });
});

describe('mistakes in the flags of a staged run', () => {
  it.each<[readonly string[], string]>([
    [['--unsafe', '--copy', 'src'], '--copy and --unsafe are both given'],
    [['--unsafe', '--copy-rw', 'src'], '--copy-rw and --unsafe are both given'],
    [['--dry-run'], '--dry-run has no effect without --copy or --copy-rw'],
    [['--diff'], '--diff has no effect without --copy or --copy-rw'],
    [['--diff-file', 'x.diff'], '--diff-file has no effect'],
    [['--exclude', 'x'], '--exclude has no effect'],
    [['--fail-on-skip', '--unsafe'], '--fail-on-skip has no effect'],
    [['--copy', 'src', '--diff=patch'], '--diff takes no value but --diff=json'],
    [['--copy', 'src', '--diff-file', 'x.txt'], '--diff-file "x.txt" must end in .diff, .patch or .json'],
    [['--copy', 'src', '--diff-file', 'src/x.diff'], '--diff-file "src/x.diff" lies in --copy "src"'],
    [['--copy', 'src', '--diff-file', 'no/x.diff'], '--diff-file "no/x.diff": there is no such directory'],
    [['--copy', 'src=/../x'], 'Cannot use --copy "src=/../x": its place cannot be used: path contains ".."'],
    [['--copy', 'src', '--copy-rw', 'src'], 'Cannot use --copy-rw "src": it lands on /src, as --copy "src" does'],
    [['--copy-rw', '/'], 'Cannot use --copy-rw "/": the root of the file system has no name to go by'],
    [['--copy', 'src', '--limit', 'treeNodes=x'], '--limit treeNodes takes a whole number, not "x"'],
  ])('%j', async (args, message) => {
    const ran = await porthole('return 1', ...args);
    expect([ran.exit, ran.out]).toEqual([2, '']);
    expect(ran.err).toContain(message);
  });

  it('does not start for what cannot be copied, which is no mistake of the flags', async () => {
    expect(await porthole('return 1', '--copy', 'none')).toMatchObject({ exit: 1, out: '' });
    symlinkSync('src', 'link');
    const linked = await porthole('return 1', '--copy', 'link/');
    expect([linked.exit, linked.err]).toEqual([
      1,
      expect.stringContaining('Cannot copy "link/": it is a symbolic link'),
    ]);
    unlinkSync('link');
    const full = await porthole('return 1', '--copy', 'src', '--limit', 'treeBytes=5');
    expect([full.exit, full.err]).toEqual([1, expect.stringContaining('limit treeBytes')]);
  });

  it('keeps a run under the ceiling of a policy', async () => {
    writeFileSync('porthole.policy.yaml', 'porthole: 1\nmode: safe\n');
    const refused = await porthole('return 1', '--copy', 'src');
    expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('mode staged')]);
    writeFileSync(
      'porthole.policy.yaml',
      'porthole: 1\nmode: staged\npermissions: { deny: ["writeback(src/b.ts)"] }\n',
    );
    const denied = await porthole(shout, '--copy-rw', 'src');
    expect([denied.exit, read('src/a.ts')]).toEqual([3, 'one\n']);
    writeFileSync('porthole.policy.yaml', 'porthole: 1\nmode: staged\n');
    expect((await porthole(shout, '--copy-rw', 'src', '--no-input')).exit).toBe(4);
    expect((await porthole(shout, '--copy-rw', 'src', '--yes')).exit).toBe(0);
    expect(read('src/a.ts')).toBe('ONE\n');
  });
});

describe('progress', () => {
  it('is shown on a terminal for many files, and taken away again', async () => {
    mkdirSync('many');
    for (let index = 0; index < 600; index++) writeFileSync(`many/${index}`, '');
    const run = async (isTerminal: boolean) => {
      const world = createFakeWorld(['run', '-e', 'return list_files().length', '--copy', 'many'], { isTerminal });
      expect(await runCommandLine(world)).toBe(0);
      return world.written;
    };
    const shown = await run(true);
    expect(shown.err()).toContain('\rcopying: 500 of 600 files');
    expect(shown.err().endsWith('\r\u001b[K')).toBe(true);
    expect((await run(false)).err()).toBe('');
  });
});
