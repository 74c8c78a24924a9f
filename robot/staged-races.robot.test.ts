import { copyFileSync, existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, startPorthole } from './support/command.ts';
import { countQuestions, hasTerminal, onTerminal } from './support/on-terminal.ts';
import { bytesBelow, createStagedFolder, reportIn, type StagedFolder } from './support/staged-folder.ts';
import { waitFor } from './support/wait-for.ts';

// What the program has read stands in the log, so its copies are made by then; it goes on for long enough to be raced.
const slowFix = `
  for (const path of list_files()) write_file(path, read_file(path).toUpperCase());
  write_file('src/new.ts', 'NEW\\n');
  for (const end = Date.now() + 500; Date.now() < end; );`;

/** Runs the fix on a writable copy of `input`, and does something else to the host while the program is busy. */
async function raced(folder: StagedFolder, swap: (at: (path: string) => string) => void, ...args: string[]) {
  const log = join(folder.path, 'audit.jsonl');
  const inputs = args.length > 0 ? args : ['--copy-rw', 'src'];
  const running = startPorthole(['run', '-e', slowFix, '--audit', log, ...inputs], { cwd: folder.path });
  await waitFor('the program', () => existsSync(log) && folder.read('audit.jsonl').includes('"file.read"'));
  swap((path) => join(folder.path, path));
  const { exitCode, signal, stdout, stderr } = await running;
  const ended: Ended = { exitCode, signal, stdout, stderr };
  return { ...ended, log: folder.read('audit.jsonl') };
}

const replaced = (path: string) => `write-back: ${path} was replaced during the run; nothing written`;
const linked = (path: string) => `write-back: ${path} is a symlink or resolves outside its input; nothing written`;

type Swap = (at: (path: string) => string) => void;

describe('while a program runs, somebody else', () => {
  it.each<[string, number, string, Swap]>([
    ['writes a file of the plan', 5, replaced('src/b.ts'), (at) => writeFileSync(at('src/b.ts'), 'else')],
    [
      'exchanges a file for one with the same bytes',
      5,
      replaced('src/b.ts'),
      (at) => {
        copyFileSync(at('src/b.ts'), at('other'));
        renameSync(at('other'), at('src/b.ts'));
      },
    ],
    ['removes a file of the plan', 5, replaced('src/b.ts'), (at) => rmSync(at('src/b.ts'))],
    ['makes a file that the plan makes', 5, replaced('src/new.ts'), (at) => writeFileSync(at('src/new.ts'), 'else')],
    [
      'puts a link in the place of a file',
      1,
      linked('src/b.ts'),
      (at) => {
        rmSync(at('src/b.ts'));
        symlinkSync(at('outside/secret'), at('src/b.ts'));
      },
    ],
    [
      'puts a link in the place of a new file',
      1,
      linked('src/new.ts'),
      (at) => symlinkSync(at('outside/secret'), at('src/new.ts')),
    ],
    [
      'puts a link in the place of the input',
      1,
      linked('src/b.ts'),
      (at) => {
        renameSync(at('src'), at('parked'));
        symlinkSync(at('outside'), at('src'));
      },
    ],
    [
      'exchanges the input for another directory',
      5,
      replaced('src/b.ts'),
      (at) => {
        renameSync(at('src'), at('parked'));
        renameSync(at('outside'), at('src'));
      },
    ],
    [
      'puts a link in the place of a directory of the input',
      1,
      linked('src/lib/c.ts'),
      (at) => {
        renameSync(at('src/lib'), at('parked'));
        symlinkSync(at('outside'), at('src/lib'));
      },
    ],
    [
      'exchanges a directory of the input for another one',
      5,
      replaced('src/lib/c.ts'),
      (at) => {
        renameSync(at('src/lib'), at('parked'));
        renameSync(at('outside'), at('src/lib'));
      },
    ],
  ])('%s: exit %i, and nothing is written', async (_, exitCode, line, swap) => {
    const folder = createStagedFolder();
    folder.write('src/lib/c.ts', 'three\n');
    folder.write('outside/secret', 'hidden\n');
    folder.write('outside/a.ts', 'one\n');
    folder.write('outside/b.ts', 'two\n');
    folder.write('outside/c.ts', 'three\n');
    let after = {};
    const ended = await raced(folder, (at) => {
      swap(at);
      after = filesIn(folder);
    });
    expect([ended.exitCode, reportIn(ended)]).toEqual([exitCode, expect.arrayContaining([line])]);
    expect(reportIn(ended).at(-1)).toBe('write-back: 0 files written, 0 skipped, 4 not written');
    expect(filesIn(folder)).toEqual(after);
    expect(ended.log).not.toContain('"writeback.file"');
  });

  it('changes a file outside the plan: that is nobody’s business', async () => {
    const folder = createStagedFolder();
    folder.write('src/UP.TS', 'UP\n');
    const ended = await raced(folder, (at) => writeFileSync(at('src/UP.TS'), 'else'));
    expect([ended.exitCode, reportIn(ended).at(-1)]).toEqual([0, 'write-back: 3 files written, 0 skipped']);
    expect([folder.read('src/a.ts'), folder.read('src/UP.TS')]).toEqual(['ONE\n', 'else']);
  });

  it('changes nothing: all lands, the intent of each on record before', async () => {
    const folder = createStagedFolder();
    const ended = await raced(folder, () => undefined);
    expect([ended.exitCode, reportIn(ended).at(-1)]).toEqual([0, 'write-back: 3 files written, 0 skipped']);
    const kinds = ended.log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds.slice(kinds.indexOf('writeback.plan')).filter((kind) => kind !== 'policy.decision')).toEqual([
      'writeback.plan',
      ...['file.write.intent', 'writeback.file'],
      ...['file.write.intent', 'writeback.file'],
      ...['file.write.intent', 'writeback.file'],
    ]);
  });

  it('interrupts it: nothing is written', async () => {
    const folder = createStagedFolder();
    const log = join(folder.path, 'audit.jsonl');
    const args = ['run', '-e', slowFix, '--audit', log, '--copy-rw', 'src'];
    const running = startPorthole(args, { cwd: folder.path });
    await waitFor('the program', () => existsSync(log) && folder.read('audit.jsonl').includes('"file.read"'));
    running.kill('SIGINT');
    const { exitCode, stderr } = await running;
    expect([exitCode, reportIn({ stderr }), folder.read('src/a.ts')]).toEqual([130, [], 'one\n']);
  });
});

describe.skipIf(!hasTerminal)('a person at a terminal', () => {
  const source = 'for (const path of list_files()) write_file(path, read_file(path).toUpperCase())';
  const args = ['run', '-e', source, '--copy-rw', 'src', '--audit', 'audit.jsonl'];

  function createDesk(): StagedFolder {
    const folder = createStagedFolder();
    folder.write('porthole.policy.yaml', 'porthole: 1\nmode: staged\npermissions: { allow: ["run(**)"] }\n');
    return folder;
  }

  it('is asked once for the set, with every diff', async () => {
    const folder = createDesk();
    const session = await onTerminal(args, ['y\n'], { cwd: folder.path });
    expect([session.exitCode, countQuestions(session)]).toEqual([0, 1]);
    for (const shown of ['writeback of 2 files', '-one\n+ONE\n', '-two\n+TWO\n', 'write-back: 2 files written']) {
      expect(session.screen).toContain(shown);
    }
    expect([folder.read('src/a.ts'), folder.read('src/b.ts')]).toEqual(['ONE\n', 'TWO\n']);
  });

  it('says no: nothing is written, exit 4', async () => {
    const folder = createDesk();
    const session = await onTerminal(args, ['n\n'], { cwd: folder.path });
    expect([session.exitCode, countQuestions(session)]).toEqual([4, 1]);
    expect(session.screen).toContain('nothing written\n');
    expect([folder.read('src/a.ts'), folder.read('src/b.ts')]).toEqual(['one\n', 'two\n']);
  });

  it.each<[string, number, (folder: StagedFolder) => void]>([
    ['a file is written', 5, ({ path }) => writeFileSync(join(path, 'src/b.ts'), 'else')],
    [
      'a link takes the place of a file',
      1,
      ({ path }) => {
        rmSync(join(path, 'src/b.ts'));
        symlinkSync('../outside/secret', join(path, 'src/b.ts'));
      },
    ],
    [
      'a link takes the place of the input',
      1,
      ({ path }) => {
        renameSync(join(path, 'src'), join(path, 'parked'));
        symlinkSync('outside', join(path, 'src'));
      },
    ],
  ])('whose yes comes after %s: exit %i, and nothing outside is written', async (_, exitCode, swap) => {
    const folder = createDesk();
    folder.write('outside/secret', 'hidden\n');
    folder.write('outside/a.ts', 'one\n');
    const late = () => {
      swap(folder);
      return 'y\n';
    };
    const session = await onTerminal(args, [late], { cwd: folder.path });
    expect(session.exitCode).toBe(exitCode);
    expect([folder.read('outside/secret'), folder.read('outside/a.ts')]).toEqual(['hidden\n', 'one\n']);
    expect(folder.list('outside')).toEqual(['a.ts', 'secret']);
  });

  it('sees how far copying is for 1,000 files, and no more of it afterwards', async () => {
    const folder = createStagedFolder();
    for (let number = 0; number < 1000; number += 1) folder.write(`many/${number % 20}/${number}`, 'x');
    const line = ['run', '-e', 'return list_files().length', '--copy', 'many'];
    const { exitCode, screen } = await onTerminal(line, [], { cwd: folder.path });
    expect(exitCode).toBe(0);
    expect(screen).toContain('copying: 500 of 1000 files');
    expect(screen.endsWith('copying: 1000 of 1000 files\r\u001b[K1000\n')).toBe(true);
    expect((await folder.porthole(...line)).stderr).toBe('');
  });
});

function filesIn({ path }: StagedFolder): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(bytesBelow(path)).filter(([name]) => !name.startsWith('/audit.jsonl')));
}
