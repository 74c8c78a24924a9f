import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { type Answers, countQuestions, hasTerminal, onTerminal, type Session } from './support/on-terminal.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

interface Desk {
  readonly folder: TempFolder;
  /** Edits the file at a terminal, with somebody who gives these answers. */
  readonly edit: (path: string, content: string, answers: Answers, ...flags: string[]) => Promise<Session>;
  readonly run: (source: string, answers: Answers, ...flags: string[]) => Promise<Session>;
  /** Without a terminal. */
  readonly porthole: (...args: string[]) => ReturnType<typeof porthole>;
}

// A place to work in: a policy that asks about every change, a root, and grants of its own.
function createDesk(): Desk {
  const folder = createFolder();
  folder.write(
    'porthole.policy.yaml',
    'porthole: 1\nmode: unsafe\nroot: ./root\npermissions: { allow: ["run(**)"] }\n',
  );
  const options = { cwd: folder.path, env: { XDG_STATE_HOME: `${folder.path}/state` } };
  const writing = ['--unsafe', '--allow-write'];
  return {
    folder,
    edit: (path, content, answers, ...flags) => {
      const args = JSON.stringify({ path, mode: 'write', content });
      return onTerminal(['tool', 'edit_file', '--args', args, ...writing, ...flags], answers, options);
    },
    run: (source, answers, ...flags) => onTerminal(['run', '-e', source, ...writing, ...flags], answers, options),
    porthole: (...args) => porthole(args, options),
  };
}

describe.skipIf(!hasTerminal)('a person at a terminal', () => {
  it('is shown the action, the level, the reason and the diff', async () => {
    const { folder, edit } = createDesk();
    folder.write('root/a.txt', 'old\n');
    const { exitCode, screen } = await edit('a.txt', 'new\n', ['y\n']);
    expect(exitCode).toBe(0);
    for (const shown of [
      'edit_file write a.txt',
      'level     moderate',
      'reason    nothing',
      '\n-old\n+new\n',
      folder.root,
    ]) {
      expect(screen).toContain(shown);
    }
    expect(folder.read('root/a.txt')).toBe('new\n');
  });

  it('answers for the project, is not asked again, revokes it, and is asked again', async () => {
    const { folder, edit, porthole } = createDesk();
    const first = await edit('a.txt', '1', ['project\n']);
    const second = await edit('a.txt', '2', []);
    expect([first, second].map((session) => [session.exitCode, countQuestions(session)])).toEqual([
      [0, 1],
      [0, 0],
    ]);
    const [grant, ...others] = JSON.parse((await porthole('approvals', 'list', '--json')).stdout);
    expect(grant).toMatchObject({ pattern: 'edit_file *', level: 'moderate', scope: 'project', root: folder.root });
    expect(others).toEqual([]);
    expect((await porthole('approvals', 'list')).stdout).toContain(`${grant.id}  edit_file *  up to moderate`);
    expect((await porthole('approvals', 'revoke', grant.id)).exitCode).toBe(0);
    const third = await edit('a.txt', '3', ['n\n']);
    expect([third.exitCode, countQuestions(third)]).toEqual([4, 1]);
    expect(folder.read('root/a.txt')).toBe('2');
  });

  it('answers for everywhere: other tools and what is dangerous are still asked about', async () => {
    const { folder, edit, run } = createDesk();
    expect((await edit('a.txt', '1', ['a\n'])).exitCode).toBe(0);
    expect(countQuestions(await edit('b.txt', '1', []))).toBe(0);
    expect(countQuestions(await run('write_file("b.txt", "2")', ['n\n']))).toBe(1);
    expect(countQuestions(await edit('.env', '1', ['n\n']))).toBe(1);
    expect(folder.list('root')).toEqual(['a.txt', 'b.txt']);
    expect(folder.read('root/b.txt')).toBe('1');
  });

  it('is never offered to keep a yes for something dangerous, and none is kept', async () => {
    const { folder, edit, porthole } = createDesk();
    const offered = await edit('.env', '1', ['project\n', 'r\n', 'y\n']);
    expect(offered.exitCode).toBe(0);
    expect(offered.screen).toContain('the path is one where credentials are kept: only a person answers it');
    expect(offered.screen).toContain('Allow? y yes, once · n no [n]');
    expect(JSON.parse((await porthole('approvals', 'list', '--json')).stdout)).toEqual([]);
    const again = await edit('.env', '2', ['n\n']);
    expect([again.exitCode, countQuestions(again)]).toEqual([4, 1]);
    expect(folder.read('root/.env')).toBe('1');
  });

  it('answers for the run: its program asks once, the next one again', async () => {
    const { folder, run } = createDesk();
    const source = 'for (const name of ["a", "b", "c"]) write_file(name, "x")';
    const first = await run(source, ['r\n']);
    expect([first.exitCode, countQuestions(first)]).toEqual([0, 1]);
    expect(folder.list('root')).toEqual(['a', 'b', 'c']);
    expect(countQuestions(await run(source, ['n\n']))).toBe(1);
  });

  it('may take longer than the program, whose clock stands still meanwhile', async () => {
    const { folder, run } = createDesk();
    const late = () => delay(3300).then(() => 'y\n');
    const ended = await run('write_file("a", "x")', [late], '--timeout', '3s');
    expect(ended.exitCode).toBe(0);
    expect(folder.list('root')).toEqual(['a']);
  });

  it('sees characters that hide or act', async () => {
    const { edit } = createDesk();
    const { screen } = await edit('a.txt', 'x\u202ey\u001b[2J\rz\n', ['n\n']);
    expect(screen).toContain('\\u{202e}');
    expect(screen).toContain('\\u{1b}[2J');
    for (const acting of ['\u202e', '\u001b[2J']) expect(screen).not.toContain(acting);
  });

  it('refuses by Return, by nonsense, and by the end of the input', async () => {
    const { folder, edit } = createDesk();
    for (const answers of [['\n'], ['what\n', 'is\n', 'this\n'], ['\u0004']]) {
      expect((await edit('a.txt', 'x', answers)).exitCode).toBe(4);
    }
    expect(folder.list('root')).toEqual([]);
  });

  it('who has ended the input is not waited for at the next question', async () => {
    const { folder, run } = createDesk();
    const source = 'for (const name of ["a", "b"]) { try { write_file(name, "x") } catch (e) { console.log(e.code) } }';
    const { exitCode, screen } = await run(source, ['\u0004']);
    expect(exitCode).toBe(0);
    expect(screen.match(/APPROVAL_DENIED|APPROVAL_NEEDED/g)).toHaveLength(2);
    expect(folder.list('root')).toEqual([]);
  });

  it('ends the question with Ctrl-C', async () => {
    const { folder, run } = createDesk();
    expect((await run('write_file("a", "x")', ['\u0003'])).exitCode).toBe(130);
    expect(folder.list('root')).toEqual([]);
  });

  it('whose yes comes after the file has changed lets nothing land', async () => {
    const { folder, edit } = createDesk();
    folder.write('root/a.txt', 'old');
    const yesAfterChange = () => {
      folder.write('root/a.txt', 'other');
      return 'project\n';
    };
    const { exitCode, screen } = await edit('a.txt', 'new', [yesAfterChange], '--json');
    expect(exitCode).toBe(5);
    expect(screen).toContain('"CHANGED_SINCE_READ"');
    expect(folder.read('root/a.txt')).toBe('other');
  });

  it('is not asked with --no-input, nor with --yes up to moderate', async () => {
    const { folder, edit } = createDesk();
    const silent = await edit('a.txt', 'x', [], '--no-input');
    expect([silent.exitCode, countQuestions(silent)]).toEqual([4, 0]);
    expect(folder.list('root')).toEqual([]);
    const yes = await edit('a.txt', 'x', [], '--yes');
    expect([yes.exitCode, countQuestions(yes)]).toEqual([0, 0]);
    expect(countQuestions(await edit('.env', 'x', ['n\n'], '--yes'))).toBe(1);
    expect(folder.list('root')).toEqual(['a.txt']);
  });
});

describe('without a terminal', () => {
  const edit = (path: string) => [
    'tool',
    'edit_file',
    '--args',
    JSON.stringify({ path, mode: 'write', content: 'x' }),
    '--unsafe',
    '--allow-write',
  ];

  it('silence refuses, with exit code 4', async () => {
    const { folder, porthole } = createDesk();
    const ended = await porthole(...edit('a.txt'), '--json');
    expect(ended.exitCode).toBe(4);
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, error: { code: 'APPROVAL_NEEDED' } });
    expect(folder.list('root')).toEqual([]);
  });

  it('--yes answers once, and never for something dangerous', async () => {
    const { folder, porthole } = createDesk();
    expect((await porthole(...edit('a.txt'), '--yes')).exitCode).toBe(0);
    expect((await porthole(...edit('a.txt'))).exitCode).toBe(4);
    expect((await porthole(...edit('.env'), '--yes')).exitCode).toBe(4);
    expect(folder.list('root')).toEqual(['a.txt']);
    expect(JSON.parse((await porthole('approvals', 'list', '--json')).stdout)).toEqual([]);
  });

  it('nobody is asked through a pipe that says yes', async () => {
    const { folder } = createDesk();
    const args = ['run', '-e', 'write_file("a", "x")', '--unsafe', '--allow-write'];
    const ended = await porthole(args, { cwd: folder.path, input: 'y\ny\ny\n' });
    expect(ended.exitCode).toBe(7);
    expect(ended.stderr).toContain('it needs approval and there is no terminal to ask on');
    expect(folder.list('root')).toEqual([]);
  });

  it('revoke takes ids or --all, and says how many there were', async () => {
    const { porthole } = createDesk();
    expect(await porthole('approvals', 'list')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await porthole('approvals', 'revoke', '--all')).toMatchObject({ exitCode: 0, stderr: '0 grants revoked\n' });
    expect((await porthole('approvals', 'revoke', 'none')).exitCode).toBe(2);
  });
});
