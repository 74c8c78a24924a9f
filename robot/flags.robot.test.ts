import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder } from './support/temp-folder.ts';

const commands = ['run', 'tool', 'policy', 'approvals', 'audit', 'describe', 'doctor'];
const program = ['-e', 'console.log("ran")'];

describe('a wrong command line is told what is wrong, and nothing runs', () => {
  it.concurrent.each([
    ['an unknown command', ['rnu', ...program], 'porthole run'],
    ['an unknown flag', ['run', ...program, '--tiemout', '3s'], '--timeout'],
    ['an unknown flag with a value', ['run', ...program, '--max-memry=64MiB'], '--max-memory'],
    ['an unknown switch', ['run', ...program, '--unsfae'], '--unsafe'],
    ['an unknown limit', ['run', ...program, '--limit', 'timMs=5'], 'timeMs'],
    ['an unknown tool', ['tool', 'file_reed', '--args', '{}'], 'file_read'],
    ['an unknown part of policy', ['policy', 'chekc'], 'check'],
    ['an unknown part of approvals', ['approvals', 'revok'], 'revoke'],
    ['an unknown part of audit', ['audit', 'verfiy'], 'verify'],
    ['an unknown action', ['policy', 'explain', 'edit_fle', 'a.txt'], 'edit_file'],
  ])('%s, with the nearest that exists', async (_, args, nearest) => {
    const ended = await porthole(args);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(nearest);
  });

  it.concurrent.each([
    ['MB, which is ambiguous', ['run', ...program, '--max-memory', '64MB'], '64MiB'],
    ['a size without a unit', ['run', ...program, '--max-memory', '64'], '--max-memory'],
    ['a time of 0', ['run', ...program, '--timeout', '0s'], '0'],
    ['a limit of 0', ['run', ...program, '--limit', 'helperCalls=0'], '0'],
    ['a negative time', ['run', ...program, '--timeout', '-1s'], '--timeout'],
    ['a time in hours', ['run', ...program, '--timeout', '1h'], '--timeout'],
    ['a limit below what the engine needs', ['run', ...program, '--max-memory', '1MiB'], 'memoryBytes'],
    ['--allow-write without --unsafe', ['run', ...program, '--allow-write'], '--unsafe'],
    ['no program at all', ['run'], 'program'],
    ['two programs', ['run', 'a.js', 'b.js'], 'one program'],
    ['a file and -e', ['run', 'a.js', ...program], '-e'],
    ['- and @- together', ['run', '-', '--input', '@-'], 'standard input'],
    ['--input and --input-text', ['run', ...program, '--input', '1', '--input-text', 'a'], '--input-text'],
    ['a flag given twice', ['run', ...program, '--timeout', '1s', '--timeout', '2s'], 'twice'],
    ['a flag without its value', ['run', ...program, '--timeout'], '--timeout'],
    ['a switch with a value', ['run', ...program, '--unsafe=yes'], '--unsafe'],
    ['a program that is not there', ['run', 'none/program.js'], 'none/program.js'],
    ['an input file that is not there', ['run', ...program, '--input', '@none.json'], 'none.json'],
    ['input that is no JSON', ['run', ...program, '--input', '{a}'], 'JSON'],
    ['a context that is no object', ['run', ...program, '--context', '[1]'], '--context'],
    ['a root that is not there', ['run', ...program, '--root', 'none'], 'none'],
    ['a root that is a file', ['run', ...program, '--root', 'package.json'], 'package.json'],
    ['another language', ['run', ...program, '--language', 'py'], '--language'],
    ['a seed that is no number', ['run', ...program, '--seed', 'x'], '--seed'],
    ['a time without its zone', ['run', ...program, '--now', '2030-01-01T00:00:00'], 'now'],
    ['tool arguments that are no object', ['tool', 'file_read', '--args', '[]'], '--args'],
    ['a tool without arguments', ['tool', 'file_read'], '--args'],
    ['policy without a part', ['policy'], 'check, explain, test'],
    ['explain without a path', ['policy', 'explain', 'edit_file'], 'path'],
    ['explain in a mode there is not', ['policy', 'explain', 'run', 'x', '--mode', 'wild'], 'safe, staged, unsafe'],
    ['a policy that is not there', ['run', ...program, '--policy', 'none.yaml'], 'none.yaml'],
    ['approvals without a part', ['approvals'], 'list, revoke'],
    ['revoke without an id', ['approvals', 'revoke'], '--all'],
    ['revoke of an id there is not', ['approvals', 'revoke', 'none'], 'none'],
    ['audit without a part', ['audit'], 'show, verify, receipt'],
    ['a log that is not there', ['audit', 'verify', '--audit', 'none.jsonl'], 'none.jsonl'],
    ['a receipt without a run', ['audit', 'receipt'], 'run'],
  ])('%s', async (_, args, says) => {
    const ended = await porthole(args);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(says);
  });

  it('a program that is not UTF-8', async () => {
    const folder = createFolder();
    const path = folder.write('program.js', Buffer.from('return "\xff"', 'latin1'));
    const ended = await porthole(['run', path]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain('UTF-8');
  });

  it('nothing but the name: the overview, on stderr', async () => {
    const ended = await porthole([]);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain('usage: porthole');
  });
});

describe('a flag that is right', () => {
  it.concurrent.each([
    ['--timeout', '2m'],
    ['--timeout', '1500ms'],
    ['--max-memory', '0.5GiB'],
    ['--limit', 'helperBytes=256MiB'],
    ['--limit', 'helperCalls=5'],
    ['--limit', 'timeMs=2000'],
  ])('%s %s is taken', async (flag, value) => {
    expect(await porthole(['run', ...program, flag, value])).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
  });

  it('--limit may be given for several limits', async () => {
    const args = ['--limit', 'timeMs=5000', '--limit', 'resultBytes=10'];
    expect((await porthole(['run', '-e', 'return "x".repeat(99)', ...args])).exitCode).toBe(6);
  });

  it('--require-race-free starts where the descriptor walk is in force, and refuses elsewhere', async () => {
    const { root } = createFolder();
    const doctor = JSON.parse((await porthole(['doctor', '--json', '--root', root])).stdout);
    const ended = await porthole(['run', ...program, '--root', root, '--require-race-free']);
    expect(ended.exitCode).toBe(doctor.root.isRaceFree ? 0 : 1);
  });
});

describe('--help', () => {
  it('lists the commands', async () => {
    const { exitCode, stdout } = await porthole(['--help']);
    expect(exitCode).toBe(0);
    for (const name of commands) expect(stdout).toMatch(new RegExp(`^ +${name} `, 'm'));
  });

  it.concurrent.each(commands)('of %s shows its flags and examples', async (command) => {
    const { exitCode, stdout, stderr } = await porthole([command, '--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`usage: porthole ${command}`);
    expect(stdout).toContain('--json');
    expect(stdout).toMatch(/examples:\n[\s\S]*porthole /);
  });

  it('of run names no flag that is not there', async () => {
    const { stdout } = await porthole(['run', '--help']);
    for (const flag of ['--expect-head', '--mermaid', '--goal', '--scope']) {
      expect(stdout).not.toContain(flag);
      expect((await porthole(['run', ...program, flag])).exitCode).toBe(2);
    }
  });

  it('--version is that of the package', async () => {
    expect((await porthole(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
