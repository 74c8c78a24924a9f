import { chmodSync, cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder, runToEnd } from './support/command.ts';
import { applied, bytesBelow, createStagedFolder, reportIn } from './support/staged-folder.ts';

const shout = "for (const path of list_files()) write_file(path, read_file(path).toUpperCase()); return 'done'";

describe('the patch that porthole run prints', () => {
  const oddNames = ['with space', 'quo"te', 'back\\slash', 'tab\there', 'ümläut', '🐚', '-dash', "it's"];

  it('is applied by git to what the write-back writes, byte for byte', async () => {
    const folder = createStagedFolder();
    folder.write('src/crlf.txt', 'one\r\ntwo\r\nthree');
    folder.write('src/cr.txt', 'one\rtwo\rthree\n');
    folder.write('src/empty.txt', '');
    folder.write('src/binary', Buffer.from([0, 255, 10, 13]));
    folder.write('src/latin', Buffer.from([0x66, 0xfc, 10]));
    const source = `
      write_file('src/crlf.txt', read_file('src/crlf.txt').replace('two', 'TWO') + '\\r\\n');
      write_file('src/cr.txt', read_file('src/cr.txt').replace('two', 'TWO').trimEnd());
      write_file('src/empty.txt', 'no longer\\n\\n');
      write_file('src/a.ts', '');
      write_file('src/binary', 'a text by now');
      write_file('src/latin', 'f\\u00fc\\n');
      write_file('src/new/nul', 'a\\0b');
      write_file('src/new/empty', '');
      write_file('src/new/bom', '\\ufeff\\u2028');
      for (const name of ${JSON.stringify(oddNames)}) write_file('src/odd/' + name, name);`;
    const patched = await applied(folder, 'src', async () => {
      const ended = await folder.run(source, '--copy-rw', 'src', '--diff');
      expect([ended.exitCode, reportIn(ended).at(-1)]).toEqual([0, 'write-back: 17 files written, 0 skipped']);
      return ended.stdout;
    });
    expect(patched).toEqual(bytesBelow(join(folder.path, 'src')));
    expect(Object.keys(patched)).toHaveLength(18);
  });

  it('deletes what the program removed, text, binary and empty', async () => {
    const folder = createStagedFolder();
    folder.write('src/binary', Buffer.from([0, 255]));
    folder.write('src/lib/empty', '');
    const patched = await applied(folder, 'src', async () => {
      const ended = await folder.run(
        "for (const path of list_files()) if (path !== 'src/b.ts') remove_file(path)",
        '--copy-rw',
        'src',
        '--diff',
      );
      expect(ended.exitCode).toBe(0);
      return ended.stdout;
    });
    expect(Object.keys(patched)).toEqual(['/b.ts']);
    expect(folder.list('src')).toEqual(['a.ts', 'b.ts', 'binary', 'lib']);
  });

  it('turns files into directories and back, and takes files that may be executed', async () => {
    const folder = createStagedFolder();
    folder.write('src/lib/only.ts', 'x\n');
    for (const name of ['src/run.sh', 'src/gone.sh']) chmodSync(folder.write(name, '#!/bin/sh\n'), 0o755);
    const patched = await applied(folder, 'src', async () => {
      const ended = await folder.run(
        `remove_file('src/a.ts'); write_file('src/a.ts/inner', '1\\n');
        remove_file('src/lib/only.ts'); write_file('src/lib', '2\\n');
        write_file('src/run.sh', '#!/bin/bash\\n'); remove_file('src/gone.sh')`,
        '--copy',
        'src',
        '--diff',
      );
      expect(ended.exitCode).toBe(0);
      return ended.stdout;
    });
    const texts = Object.entries(patched).map(([name, hex]) => [name, Buffer.from(hex, 'hex').toString()]);
    expect(Object.fromEntries(texts)).toEqual({
      '/a.ts/inner': '1\n',
      '/b.ts': 'two\n',
      '/lib': '2\n',
      '/run.sh': '#!/bin/bash\n',
    });
  });

  it('is nothing but the patch, whatever the program prints and returns', async () => {
    const folder = createStagedFolder();
    const forged = 'diff --git a/evil b/evil\nnew file mode 100644\n--- /dev/null\n+++ b/evil\n@@ -0,0 +1 @@\n+x\n';
    const text = JSON.stringify(forged);
    const ended = await folder.run(
      `console.log(${text}); write_file('src/a.ts', 'new\\n'); return ${text}`,
      '--copy',
      'src',
      '--diff',
    );
    expect(ended.stdout).toBe(
      'diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-one\n+new\n',
    );
    expect(ended.stderr.split('diff --git a/evil b/evil')).toHaveLength(3);
  });

  it('stands in a file for --diff-file, outside of the inputs, and replaces it whole', async () => {
    const folder = createStagedFolder();
    folder.write('fix.patch', 'an old patch');
    const inode = folder.inode('fix.patch');
    const patched = await applied(folder, 'src', async () => {
      const ended = await folder.run(shout, '--copy-rw', 'src', '--diff-file', 'fix.patch', '--diff');
      expect(ended).toMatchObject({ exitCode: 0, stdout: 'done\n' });
      return folder.read('fix.patch');
    });
    expect(patched).toEqual(bytesBelow(join(folder.path, 'src')));
    expect(folder.inode('fix.patch')).not.toBe(inode);
  });

  it('is the change set with sizes and digests for --diff=json and a .json file', async () => {
    const folder = createStagedFolder();
    const printed = await folder.run("write_file('src/a.ts', '')", '--copy', 'src', '--diff=json');
    await folder.run("write_file('src/a.ts', '')", '--copy', 'src', '--diff-file', 'changes.json');
    expect(JSON.parse(printed.stdout)).toEqual({
      changes: [
        {
          kind: 'modify',
          path: 'src/a.ts',
          before: { bytes: 4, digest: 'sha256:2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806' },
          after: { bytes: 0, digest: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
        },
      ],
    });
    expect(folder.read('changes.json')).toBe(printed.stdout);
  });

  it('is in the outcome for --json, the report beside it on standard error', async () => {
    const folder = createStagedFolder();
    const ended = await folder.run(shout, '--copy-rw', 'src', '--copy', 'notes', '--json', '--diff');
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: 'completed',
      mode: 'staged',
      value: 'done',
      changes: [{ path: 'notes/x.md' }, { path: 'src/a.ts' }, { path: 'src/b.ts' }],
      diff: expect.stringContaining('+ONE\n'),
    });
    expect(ended.stderr).toBe(
      [
        'write-back: src/a.ts',
        'write-back: src/b.ts',
        'write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)',
        'write-back: 2 files written, 1 skipped\n',
      ].join('\n'),
    );
  });
});

describe('how a staged run exits', () => {
  const change = "write_file('src/a.ts', 'new')";
  const policy = (rules: string) => `porthole: 1\nmode: staged\npermissions: ${rules}\n`;

  it.each<[number, string, string, readonly string[]]>([
    [0, 'all is written', change, ['--copy-rw', 'src']],
    [0, 'nothing changed', 'return 1', ['--copy-rw', 'src']],
    [0, 'all is skipped', change, ['--copy', 'src']],
    [1, 'skips are failures', change, ['--copy', 'src', '--fail-on-skip']],
    [1, 'an input is missing', change, ['--copy', 'none']],
    [1, 'the tree does not fit', change, ['--copy', 'src', '--limit', 'treeNodes=2']],
    [6, 'a limit ends it', 'for (;;);', ['--copy-rw', 'src', '--timeout', '300ms']],
    [7, 'the program throws', `${change}; throw 1`, ['--copy-rw', 'src']],
    [7, 'a helper refuses', "read_file('none')", ['--copy-rw', 'src']],
  ])('%i where %s', async (exitCode, _, source, args) => {
    const folder = createStagedFolder();
    const real = exitCode === 0 && args[0] === '--copy-rw' && source === change;
    expect((await folder.run(source, ...args)).exitCode).toBe(exitCode);
    expect(folder.read('src/a.ts')).toBe(real ? 'new' : 'one\n');
  });

  it.each<[number, string, string, readonly string[]]>([
    [0, 'allows', '{ allow: ["run(**)", "writeback(src/**)"] }', []],
    [3, 'denies', '{ allow: ["run(**)"], deny: ["writeback(src/a.ts)"] }', []],
    [4, 'asks, and nobody is there', '{ allow: ["run(**)"] }', ['--no-input']],
    [0, 'asks, and --yes answers', '{ allow: ["run(**)"] }', ['--yes']],
  ])('%i where a policy %s', async (exitCode, _, rules, flags) => {
    const folder = createStagedFolder();
    folder.write('porthole.policy.yaml', policy(rules));
    const ended = await folder.run(change, '--copy-rw', 'src', ...flags);
    expect([ended.exitCode, folder.read('src/a.ts')]).toEqual([exitCode, exitCode === 0 ? 'new' : 'one\n']);
  });

  it('the same for a dry run, which writes nothing', async () => {
    const folder = createStagedFolder();
    const planned = await folder.run(shout, '--copy-rw', 'src', '--copy', 'notes', '--dry-run');
    expect([planned.exitCode, ...reportIn(planned)]).toEqual([
      0,
      'write-back: would write src/a.ts',
      'write-back: would write src/b.ts',
      'write-back: /notes/x.md was copied read-only, skipped (use --copy-rw to write it back)',
      'write-back: would write 2 files, 1 skipped',
    ]);
    const skipping = ['--copy', 'notes', '--dry-run', '--fail-on-skip'];
    expect((await folder.run(shout, '--copy-rw', 'src', ...skipping)).exitCode).toBe(1);
    folder.write('porthole.policy.yaml', policy('{ allow: ["run(**)"], deny: ["writeback(src/a.ts)"] }'));
    expect((await folder.run(shout, '--copy-rw', 'src', '--dry-run')).exitCode).toBe(3);
    expect([folder.read('src/a.ts'), folder.read('src/b.ts')]).toEqual(['one\n', 'two\n']);
  });
});

describe('wrong usage of a staged run', () => {
  it.each<[readonly string[], string]>([
    [['--copy', ''], '--copy "": it names no host path'],
    [['--copy', 'src='], '--copy "src=": its place "" does not begin with "/"'],
    [['--copy-rw', 'src=lib'], '--copy-rw "src=lib": its place "lib" does not begin with "/"'],
    [['--copy', 'src=/../x'], '--copy "src=/../x": its place cannot be used: path contains ".."'],
    [['--copy', 'src', '--copy-rw', 'src'], '--copy-rw "src": it lands on /src, as --copy "src" does'],
    [['--copy', 'src=/x', '--copy', 'notes=/x'], '--copy "notes=/x": it lands on /x, as --copy "src=/x" does'],
    [['--copy', '/'], '--copy "/": the root of the file system has no name to go by'],
    [['--copy', 'src', '--unsafe'], '--copy and --unsafe are both given'],
    [['--unsafe', '--copy-rw', 'src'], '--copy-rw and --unsafe are both given'],
    [['--dry-run'], '--dry-run has no effect without --copy or --copy-rw'],
    [['--diff'], '--diff has no effect without --copy or --copy-rw'],
    [['--diff=json'], '--diff has no effect without --copy or --copy-rw'],
    [['--diff-file', 'x.diff'], '--diff-file has no effect without --copy or --copy-rw'],
    [['--fail-on-skip'], '--fail-on-skip has no effect without --copy or --copy-rw'],
    [['--exclude', 'x'], '--exclude has no effect without --copy or --copy-rw'],
    [['--copy', 'src', '--diff=html'], '--diff takes no value but --diff=json'],
    [['--copy', 'src', '--diff-file', 'x.txt'], '--diff-file "x.txt" must end in .diff, .patch or .json'],
    [['--copy', 'src', '--diff-file', 'src/x.diff'], '--diff-file "src/x.diff" lies in --copy "src"'],
    [['--copy', 'src', '--exclude', '['], '--exclude "[": a "[" is not closed within its segment'],
  ])('is %j', async (args, complaint) => {
    const folder = createStagedFolder();
    const ended = await folder.run('return 1', ...args);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(complaint);
    expect(folder.list('.')).toEqual(['notes', 'outside', 'root', 'src']);
  });

  it('is found before standard input is waited for', async () => {
    const folder = createStagedFolder();
    expect((await folder.porthole('run', '-', '--dry-run')).exitCode).toBe(2);
  });

  it('is not --diff before the program, since only --diff=json takes a value', async () => {
    const folder = createStagedFolder();
    folder.write('json', "write_file('src/a.ts', 'new\\n')");
    const ended = await folder.porthole('run', '--copy', 'src', '--diff', 'json');
    expect(ended.stdout).toContain('+new\n');
  });
});

describe('what a staged run copies', () => {
  it('is no link, wherever it is: the program does not start', async () => {
    const folder = createStagedFolder();
    symlinkSync('src', join(folder.path, 'door'));
    for (const input of ['door', 'door/', './door/.']) {
      const ended = await folder.run("console.log('started')", '--copy', input);
      expect(ended).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ended.stderr).toContain(`Cannot copy "${input}": it is a symbolic link`);
    }
    symlinkSync('a.ts', join(folder.path, 'src/inner'));
    const inner = await folder.run("console.log('started')", '--copy-rw', 'src');
    expect(inner).toMatchObject({ exitCode: 1, stdout: '' });
    expect(inner.stderr).toContain('Cannot copy "src/inner": it is a symbolic link');
    expect((await folder.run('return list_files().length', '--copy', 'door/../src/a.ts')).stdout).toBe('1\n');
    expect((await folder.run('return list_files().length', '--copy', 'src', '--exclude', 'inner')).stdout).toBe('2\n');
  });

  it('is no FIFO, which nobody waits for', async () => {
    const folder = createStagedFolder();
    await runToEnd('mkfifo', [join(folder.path, 'src/pipe')]);
    const ended = await folder.run('return 1', '--copy', 'src');
    expect([ended.exitCode, ended.stderr]).toEqual([1, expect.stringContaining('it is no regular file')]);
  });

  it('is what the policy names and what the flags name', async () => {
    const folder = createStagedFolder();
    folder.write(
      'porthole.policy.yaml',
      [
        'porthole: 1',
        'mode: staged',
        'staged: { copyRw: [src], exclude: ["b.*"] }',
        'permissions: { allow: ["run(**)", "writeback(**)"] }',
      ].join('\n'),
    );
    const ended = await folder.run(`${shout.replace("'done'", 'list_files()')}`, '--copy', 'notes=/n');
    expect(JSON.parse(ended.stdout)).toEqual(['n/x.md', 'src/a.ts']);
    expect([ended.exitCode, ...reportIn(ended)]).toEqual([
      0,
      'write-back: src/a.ts',
      'write-back: /n/x.md was copied read-only, skipped (use --copy-rw to write it back)',
      'write-back: 1 file written, 1 skipped',
    ]);
    expect([folder.read('src/a.ts'), folder.read('src/b.ts')]).toEqual(['ONE\n', 'two\n']);
  });
});

describe('agent files run staged, too', () => {
  const fix = `porthole: 1
name: fix
agents:
  find: { type: tool, code: "return list_files().filter((path) => path.endsWith('.ts'))" }
  shout:
    type: tool
    code: |
      for (const path of input_data) write_file(path, read_file(path).toUpperCase());
      return input_data.length;
bridges:
  - { from: find, to: shout }
start: find
`;

  it('writes back what its agents changed, once for all of them', async () => {
    const folder = createStagedFolder();
    folder.write('fix.yaml', fix);
    const reported = await folder.porthole('run', 'fix.yaml', '--copy', 'src', '--diff');
    expect(reported.stdout).toMatch(/^diff --git a\/src\/a.ts/);
    expect(folder.read('src/a.ts')).toBe('one\n');
    const fixed = await folder.porthole('run', 'fix.yaml', '--copy-rw', 'src');
    expect(fixed).toMatchObject({ exitCode: 0, stdout: '2\n' });
    expect(reportIn(fixed)).toEqual([
      'write-back: src/a.ts',
      'write-back: src/b.ts',
      'write-back: 2 files written, 0 skipped',
    ]);
    expect([folder.read('src/a.ts'), folder.read('src/b.ts')]).toEqual(['ONE\n', 'TWO\n']);
  });

  it('writes nothing when a later agent fails', async () => {
    const folder = createStagedFolder();
    folder.write('fix.yaml', fix.replace('return input_data.length', "throw new Error('no')"));
    const failed = await folder.porthole('run', 'fix.yaml', '--copy-rw', 'src');
    expect([failed.exitCode, reportIn(failed), folder.read('src/a.ts')]).toEqual([7, [], 'one\n']);
  });
});

describe('the examples', () => {
  const example = (name: string) => join(projectFolder, 'examples', name);

  it('blank-lines reports with --copy, fixes with --copy-rw, and has nothing left to fix', async () => {
    const folder = createStagedFolder();
    cpSync(example('notes'), join(folder.path, 'tree'), { recursive: true });
    folder.write('tree/untidy.md', 'calm  \r\n\r\n\r\n\r\nwind\r\n\r\n\r\n');
    const before = bytesBelow(join(folder.path, 'tree'));
    const reported = await folder.porthole('run', example('blank-lines.js'), '--copy', 'tree');
    expect(bytesBelow(join(folder.path, 'tree'))).toEqual(before);
    const fixed = await folder.porthole('run', example('blank-lines.js'), '--copy-rw', 'tree');
    expect(fixed.stdout).toBe(reported.stdout);
    expect(fixed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('tree/untidy.md: ') });
    expect(folder.read('tree/untidy.md')).toBe('calm\r\n\r\nwind\r\n');
    const again = await folder.porthole('run', example('blank-lines.js'), '--copy-rw', 'tree');
    expect([again.exitCode, ...reportIn(again)]).toEqual([0, 'write-back: 0 files written, 0 skipped']);
  });

  it('codemod renames in 100 of 1,000 modules, as its patch does', async () => {
    const folder = createStagedFolder();
    const tree = join(folder.path, 'tree');
    await runToEnd(process.execPath, [example('make-tree.js'), tree]);
    const patched = await applied(folder, 'tree', async () => {
      const ended = await folder.porthole('run', example('codemod.js'), '--copy-rw', 'tree', '--diff-file', 'x.patch');
      expect(ended.exitCode).toBe(0);
      expect(ended.stdout).toContain('renamed waterLevel to tideLevel: 200 times in 100 files\n');
      expect(reportIn(ended).at(-1)).toBe('write-back: 100 files written, 0 skipped');
      return folder.read('x.patch');
    });
    expect(patched).toEqual(bytesBelow(tree));
    expect(Object.keys(patched)).toHaveLength(1000);
  });
});
