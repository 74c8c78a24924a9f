import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../runtime/started-sandbox.ts';
import { runCommandLine } from './command-line.ts';
import { createFakeWorld, type FakeWorldOptions } from './testing/fake-world.ts';

// Every command line runs in a directory of its own.
const startedIn = process.cwd();
let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-cli-')));
  process.chdir(directory);
});

afterEach(() => {
  process.chdir(startedIn);
  rmSync(directory, { recursive: true, force: true });
});

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

async function porthole(args: readonly string[], options: FakeWorldOptions = {}): Promise<Ran> {
  const world = createFakeWorld(args, options);
  const exit = await runCommandLine(world);
  return { exit, out: world.written.out(), err: world.written.err() };
}

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(join(directory, name), content);
}

describe('porthole', () => {
  it('shows an overview: on standard error and as a usage error where nothing was asked', async () => {
    const asked = await porthole(['--help']);
    expect(asked).toMatchObject({ exit: 0, err: '' });
    expect(asked.out).toContain('  doctor     fire every limit');
    expect(asked.out).toContain('exit codes: 0 done, ');
    expect(await porthole([])).toMatchObject({ exit: 2, out: '', err: asked.out });
    expect(await porthole(['help'])).toEqual(asked);
    expect(await porthole(['-h'])).toEqual(asked);
  });

  it('shows its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await porthole(['--version'])).toEqual({ exit: 0, out: `${version}\n`, err: '' });
  });

  it('names the nearest command', async () => {
    expect(await porthole(['rnu'])).toMatchObject({
      exit: 2,
      err: 'error: there is no command rnu\n  Did you mean porthole run?\n  See: porthole --help\n',
    });
    expect((await porthole(['--unsafe'])).err).toContain('there is no flag that stands alone --unsafe');
    expect((await porthole(['banana'])).err).toBe('error: there is no command banana\n  See: porthole --help\n');
  });

  it.each(['run', 'tool', 'policy', 'approvals', 'audit', 'describe', 'doctor'])(
    'shows the help of %s with every flag and examples',
    async (name) => {
      const { exit, out, err } = await porthole([name, '--help']);
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      expect(out).toContain(`usage: porthole ${name}`);
      expect(out).toContain('examples:');
      expect(out).toMatch(/-h, --help +show this help/);
    },
  );

  it('answers a mistake as one JSON value where JSON was asked for', async () => {
    const { exit, out, err } = await porthole(['run', '--jso', '--json']);
    expect({ exit, err }).toEqual({ exit: 2, err: '' });
    expect(JSON.parse(out)).toEqual({
      ok: false,
      error: { code: 'ARGUMENT_INVALID', message: 'there is no flag --jso', hint: 'Did you mean --json?' },
    });
    expect(JSON.parse((await porthole(['tool', '--json'])).out)).toMatchObject({ ok: false });
    expect((await porthole(['run', '--jso', '--', '--json'])).out).toBe('');
  });
});

describe('porthole run', () => {
  it('prints a text as it is, with a line feed if it ends in none, and nothing for undefined', async () => {
    expect(await porthole(['run', '-e', 'return "a"'])).toEqual({ exit: 0, out: 'a\n', err: '' });
    expect(await porthole(['run', '-e', 'return "a\\n"'])).toEqual({ exit: 0, out: 'a\n', err: '' });
    expect(await porthole(['run', '-e', '1'])).toEqual({ exit: 0, out: '', err: '' });
    expect(await porthole(['run', '-e', 'return null'])).toEqual({ exit: 0, out: 'null\n', err: '' });
    expect(await porthole(['run', '-e', 'return [1n]'])).toMatchObject({ out: '[\n  {\n    "$bigint": "1"\n  }\n]\n' });
  });

  it('prints what the program logs before its value, warnings and errors on standard error', async () => {
    const source = 'for (const level of ["log", "info", "warn", "error", "debug"]) console[level](level); return 1';
    expect(await porthole(['run', '-e', source])).toEqual({
      exit: 0,
      out: 'log\ninfo\ndebug\n1\n',
      err: 'warn\nerror\n',
    });
  });

  it('prints the whole outcome as one JSON value with --json', async () => {
    const { exit, out, err } = await porthole(['run', '-e', 'console.warn("x"); return 1', '--json']);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ status: 'completed', value: 1, console: { lines: [{ text: 'x' }] } });
    const failed = await porthole(['run', '-e', 'throw 1', '--json']);
    expect(failed.exit).toBe(7);
    expect(JSON.parse(failed.out)).toMatchObject({ status: 'failed', error: { thrown: 1 } });
  });

  it('runs a file, TypeScript by its name, and names it in the code frame', async () => {
    put('sum.ts', 'const n: number[] = input_data;\nthrow new Error(String(n.length))');
    const { exit, out, err } = await porthole(['run', 'sum.ts', '--input', '[1, 2]']);
    expect({ exit, out }).toEqual({ exit: 7, out: '' });
    expect(err).toMatch(/^sum\.ts:2:\d+\n {2}\|\n2 \| throw new Error\(String\(n\.length\)\)\n {2}\| +\^\nError: 2\n/);
    put('plain', 'return 1 as number');
    expect(await porthole(['run', 'plain', '--language', 'ts'])).toMatchObject({ exit: 0, out: '1\n' });
  });

  it('names files in frames by what cannot be taken for another part of one', async () => {
    put('a (b):1.js', 'null.x');
    expect((await porthole(['run', 'a (b):1.js'])).err).toMatch(/^a _b__1\.js:1:/);
    put('porthole', 'null.x');
    expect((await porthole(['run', 'porthole'])).err).toMatch(/^program\.js:1:/);
  });

  it('takes the program or the input from standard input', async () => {
    expect(await porthole(['run', '-'], { standardInput: 'return 2' })).toMatchObject({ exit: 0, out: '2\n' });
    const withInput = await porthole(['run', '-e', 'return input_data.n', '--input', '@-'], {
      standardInput: '{"n": 3}',
    });
    expect(withInput).toMatchObject({ exit: 0, out: '3\n' });
  });

  it('takes values from flags and files', async () => {
    put('input.json', '\ufeff{"n": 3}');
    put('context.json', '{"team": "blue"}');
    const run = (...args: readonly string[]) =>
      porthole(['run', '-e', 'return JSON.stringify([input_data, context])', ...args]);
    expect((await run('--input', '@input.json', '--context', '@context.json')).out).toBe('[{"n":3},{"team":"blue"}]\n');
    expect((await run('--input-text', '[1')).out).toBe('["[1",{}]\n');
    expect((await run()).out).toBe('[null,{}]\n');
  });

  it('is in safe mode unless told otherwise, and writes only with both flags', async () => {
    const source =
      "try { write_file('a.txt', 'x'); return read_file('a.txt') } catch (error) { return error.code ?? error.name }";
    expect((await porthole(['run', '-e', source])).out).toBe('ReferenceError\n');
    expect((await porthole(['run', '-e', source, '--unsafe'])).out).toBe('UNSAFE_FLAG_MISSING\n');
    expect(existsSync(join(directory, 'a.txt'))).toBe(false);
    expect((await porthole(['run', '-e', source, '--unsafe', '--allow-write'])).out).toBe('x\n');
    mkdirSync(join(directory, 'below'));
    const below = ['run', '-e', source, '--unsafe', '--allow-write', '--root', 'below'];
    const contradicted = await porthole([...below, '--context', '{"_unsafe_mode": false}']);
    expect(contradicted).toMatchObject({ exit: 2, out: '' });
    expect(contradicted.err).toContain('contradict each other: _unsafe_mode is false there');
    expect(existsSync(join(directory, 'below/a.txt'))).toBe(false);
    await porthole([...below, '--context', '{"_unsafe_mode": true}']);
    expect(readFileSync(join(directory, 'below/a.txt'), 'utf8')).toBe('x');
  });

  it('says with an uncaught refusal which code it has, and which flag would help', async () => {
    const ended = async (source: string, ...flags: readonly string[]) => {
      const { exit, err } = await porthole(['run', '-e', source, ...flags]);
      expect(exit).toBe(7);
      return err;
    };
    const unsafe = 'hint: Add --unsafe, if the program may read files, or --copy to give it copies.\n';
    expect(await ended("read_file('a')")).toContain(unsafe);
    expect(await ended("write_file('a', '')")).toContain('hint: Add --unsafe --allow-write, if the program may write');
    expect(await ended("require('fs')")).toContain('hint: A program has no modules, timers, network or process: ');
    expect(await ended('wetTimeout()')).not.toContain('hint: ');
    const staged = 'hint: Name what the program works on with --copy or --copy-rw.\n';
    expect(await ended('list_files()')).toContain(staged);
    expect(await ended("remove_file('a')", '--unsafe')).toContain(staged);
    const flagless = await ended("write_file('a', '')", '--unsafe');
    expect(flagless).toContain('ValueError [UNSAFE_FLAG_MISSING]: write_file("a"): the invocation context does not');
    expect(flagless).toContain('hint: Add --allow-write, if the program may write.\n');
    const outside = await ended("read_file('/a')", '--unsafe');
    expect(outside).toContain('ValueError [PATH_OUTSIDE_ROOT]: read_file("/a")');
    expect(outside).toContain('hint: Use a path under the root');
    expect(await ended("throw Object.assign(new Error('own'), { code: 'a\\nb' })")).toContain('\nError: own\n');
    expect(await ended("throw Object.assign(new Error('own'), { code: 'E1' })")).not.toContain('hint:');
    expect(await ended('nothing', '--unsafe')).not.toContain('hint:');
  });

  it('tells a body that imports or exports what it is, with -e and in files, in both languages', async () => {
    const hint = 'hint: A program is the body of a function and has no modules';
    put('module.ts', 'const a: number = 1;\nexport default a');
    for (const args of [['-e', 'import fs from "fs"'], ['-e', 'export {}', '--language', 'ts'], ['module.ts']]) {
      const { exit, err } = await porthole(['run', ...args]);
      expect({ exit, err }).toEqual({ exit: 7, err: expect.stringContaining(hint) });
    }
  });

  it('refuses to start in a directory that was removed', async () => {
    const gone = join(directory, 'gone');
    mkdirSync(gone);
    process.chdir(gone);
    rmSync(gone, { recursive: true });
    try {
      for (const args of [
        ['run', '-e', '1', '--unsafe'],
        ['policy', 'check'],
        ['audit', 'show'],
        ['tool', '--list'],
      ]) {
        const { exit, err } = await porthole(args);
        expect(err).toContain('Cannot start here: the current directory was removed');
        expect(exit).toBe(2);
      }
    } finally {
      process.chdir(directory);
    }
  });

  it('says which limit ended a program, and what was written before', async () => {
    const source = "write_file('a.txt', 'x'); for (;;) {}";
    const { exit, err } = await porthole(['run', '-e', source, '--unsafe', '--allow-write', '--timeout', '300ms']);
    expect(exit).toBe(6);
    expect(err).toBe(
      'limited: the program was ended at its limit of 300 ms (timeMs)\n' +
        '  Raise it with --limit timeMs=VALUE.\nwritten before the end:\n  a.txt (new, 1 byte)\n',
    );
    const large = await porthole(['run', '-e', 'return "x".repeat(99)', '--limit', 'resultBytes=50']);
    expect(large.err).toMatch(/limit of 50 bytes \(resultBytes\), it used \d+\n/);
    const huge = await porthole(['run', '-e', 'return "x".repeat(1e7)']);
    expect(huge.err).toMatch(/limit of 4194304 bytes \(4 MiB, resultBytes\), it used \d+ \(9\.5 MiB\)\n/);
  });

  it('prints warnings unless --quiet', async () => {
    const source = '(async () => { await null; await null })(); return 1';
    expect((await porthole(['run', '-e', source])).err).toMatch(/^warning: PENDING_WORK: /);
    expect(await porthole(['run', '-e', source, '--quiet'])).toEqual({ exit: 0, out: '1\n', err: '' });
  });

  it('repeats a run by seed and clock', async () => {
    const args = [
      'run',
      '-e',
      'return [Math.random(), Date.now()].join()',
      '--seed',
      '-7',
      '--now',
      '1970-01-01T00:00:01Z',
    ];
    const first = await porthole(args);
    expect(first.out).toMatch(/^0\.\d+,1000\n$/);
    expect(await porthole(args)).toEqual(first);
  });

  it('ends on Ctrl-C within 100 ms, and tells what was written', async () => {
    const source = "write_file('a.txt', 'x'); for (;;) {}";
    const world = createFakeWorld(['run', '-e', source, '--unsafe', '--allow-write']);
    const running = runCommandLine(world);
    while (!existsSync(join(directory, 'a.txt'))) await setTimeout(5);
    const pressedAt = performance.now();
    world.interrupt();
    expect(await running).toBe(130);
    expect(performance.now() - pressedAt).toBeLessThan(100);
    expect(world.written.err()).toContain(
      'interrupted: the run was ended before it was done\nwritten before the end:\n  a.txt',
    );
  });

  it('uses a sandbox that was started before it was asked', async () => {
    const world = { ...createFakeWorld(['run', '-e', 'return 1']), sandbox: startSandbox() };
    expect(await runCommandLine(world)).toBe(0);
  });

  it('shows a terminal what a program prints, and does not let it steer', async () => {
    const args = ['run', '-e', 'console.log("\\u001b[2Ja\\tb"); return "\\u009bx"'];
    expect((await porthole(args, { isTerminal: true })).out).toBe('\\u{1b}[2Ja\tb\n\\u{9b}x\n');
    expect((await porthole(args)).out).toBe('\u001b[2Ja\tb\n\u009bx\n');
  });

  it('uses colour on a terminal only, and not where nobody wants it', async () => {
    const args = ['run', '--bad'];
    const red = '\u001b[31merror\u001b[0m: ';
    expect((await porthole(args, { isTerminal: true })).err).toContain(red);
    expect((await porthole(args)).err).not.toContain('\u001b');
    expect((await porthole(args, { isTerminal: true, env: { NO_COLOR: '1' } })).err).not.toContain('\u001b');
    expect((await porthole(args, { isTerminal: true, env: { NO_COLOR: '' } })).err).toContain(red);
    expect((await porthole(args, { isTerminal: true, env: { TERM: 'dumb' } })).err).not.toContain('\u001b');
  });

  it.each([
    [['run'], 'run needs a program: FILE, - or -e CODE'],
    [['run', 'a.js', '-e', '1'], '-e and a program are both given'],
    [['run', 'a.js', 'b.js'], 'run takes one program, not 2'],
    [['run', 'none.js'], 'cannot read "none.js" for the program: there is no such file'],
    [['run', '.'], 'cannot read "." for the program: it is a directory'],
    [['run', 'latin1.js'], 'the program is not UTF-8'],
    [['run', '-', '--input', '@-'], 'the program and --input both want standard input'],
    [['run', '-e', '1', '--input', '{bad'], '--input is not JSON: '],
    [['run', '-e', '1', '--input', 'a.json'], 'Did you mean --input @a.json?'],
    [
      ['run', '-e', '1', '--input', 'a.csv'],
      'A text as it is goes in with --input-text, a JSON file with --input @FILE.',
    ],
    [['run', '-e', '1', '--input', '@none.json'], 'cannot read "none.json" for --input: there is no such file'],
    [['run', '-e', '1', '--input', '1', '--input-text', 'x'], '--input and --input-text are both given'],
    [['run', '-e', '1', '--context', '[]'], '--context must be an object'],
    [['run', '-e', '1', '--context', '@-'], '--context cannot be read from standard input'],
    [['run', '-e', '1', '--allow-write'], '--allow-write has no effect without --unsafe'],
    [['run', '-e', '1', '--language', 'tsx'], '--language is js or ts, not "tsx"'],
    [['run', '-e', '1', '--seed', '1.5'], '--seed takes a whole number, not "1.5"'],
    [['run', '-e', '1', '--timeout', '0'], '0 is no limit'],
    [['run', '-e', '1', '--limit', 'nope=1'], 'Cannot use limit "nope"'],
    [['run', '-e', '1', '--timeout', '100000m'], 'Cannot set limit timeMs'],
    [['run', '-e', '1', '--limit', 'stackBytes=1MiB'], 'from 16384 (16 KiB) to 524288 (512 KiB)'],
    [['run', '-e', '1', '--root', '--unsafe'], '--root needs a value: --root DIR, and --unsafe follows'],
    [['run', '-e', '1', '--now', '2030-02-31'], '--now takes an ISO 8601 time'],
    [['run', '-e', '1', '--root', 'none'], 'Cannot use "none" as the sandbox root'],
    [['run', '-e', '1', '--now', 'tomorrow'], '--now takes an ISO 8601 time, not "tomorrow"'],
  ])('refuses %j as a usage error', async (args, says) => {
    put('latin1.js', Buffer.from([0x72, 0xe9]));
    const { exit, out, err } = await porthole(args);
    expect(err).toContain(says);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
  });
});

describe('porthole tool', () => {
  it('lists the tools, with what they need', async () => {
    const { out } = await porthole(['tool', '--list']);
    expect(out).toMatch(
      /^file_read {3}.+\n(?:(?:file_write {2}|edit_file {3}).+ \(needs --unsafe --allow-write\)\n){2}$/,
    );
    expect((await porthole(['tool', '--list', '--unsafe', '--allow-write'])).out).not.toContain('needs');
    expect(JSON.parse((await porthole(['tool', '--list', '--json'])).out)).toMatchObject([
      { name: 'file_read' },
      { name: 'file_write' },
      { name: 'edit_file' },
    ]);
  });

  it('prints the text a model would see, a refusal as well', async () => {
    put('a.txt', 'one\n');
    expect(await porthole(['tool', 'file_read', '--args', '{"path": "a.txt"}'])).toEqual({
      exit: 0,
      out: '[FILE_READ_SUCCESS] a.txt chars 0-4 of 4\none\n',
      err: '',
    });
    expect(await porthole(['tool', 'file_read', '--args', '{"path": "../a.txt"}'])).toEqual({
      exit: 1,
      out: '[FILE_READ_ERROR] PATH_TRAVERSAL: Cannot read "../a.txt": path contains ".."\n',
      err: '',
    });
  });

  it('prints the same as data with --json', async () => {
    put('a.txt', 'one\n');
    const good = await porthole(['tool', 'file_read', '--args', '{"path": "a.txt"}', '--json']);
    expect(JSON.parse(good.out)).toMatchObject({ ok: true, tool: 'file_read', result: { text: 'one\n' } });
    const bad = await porthole(['tool', 'file_read', '--args', '{"path": "none"}', '--json']);
    expect(bad.exit).toBe(1);
    expect(JSON.parse(bad.out)).toMatchObject({
      ok: false,
      tool: 'file_read',
      error: { code: 'NOT_FOUND', path: 'none' },
    });
  });

  it('takes its arguments from standard input and from a file', async () => {
    const standardInput = '{"path": "b.txt", "content": "x"}';
    put('args.json', standardInput);
    for (const source of [['-'], ['--args', '-'], ['--args', '@-'], ['--args', '@args.json']]) {
      rmSync(join(directory, 'b.txt'), { force: true });
      const ran = await porthole(['tool', 'file_write', ...source, '--unsafe', '--allow-write'], { standardInput });
      expect(ran.exit).toBe(0);
      expect(readFileSync(join(directory, 'b.txt'), 'utf8')).toBe('x');
    }
  });

  it('exits with 3 where mode or flag are missing, and says to the operator which flag would help', async () => {
    const args = ['tool', 'file_write', '--args', '{"path": "b.txt", "content": "x"}'];
    expect(await porthole(args)).toMatchObject({
      exit: 3,
      err: 'hint: Add --unsafe --allow-write, if the tool may write.\n',
    });
    const flagless = await porthole([...args, '--unsafe']);
    expect(flagless).toMatchObject({ exit: 3, err: 'hint: Add --allow-write, if the tool may write.\n' });
    expect(flagless.out).not.toContain('hint');
    expect(await porthole([...args, '--quiet'])).toMatchObject({ exit: 3, err: '' });
    expect(await porthole([...args, '--json'])).toMatchObject({ exit: 3, err: '' });
    expect(existsSync(join(directory, 'b.txt'))).toBe(false);
  });

  it.each([
    [['tool'], 'which tool?'],
    [['tool', 'file_raed', '--args', '{}'], 'Did you mean file_read?'],
    [['tool', 'file_read'], 'tool needs arguments'],
    [['tool', 'file_read', '-', '--args', '{}'], '--args and - are both given'],
    [['tool', 'file_read', 'a.txt', '--args', '{}'], 'tool takes one name'],
    [['tool', 'file_read', '--args', '5'], '--args must be an object'],
    [['tool', 'file_read', '--args', '{'], '--args is not JSON'],
    [['tool', 'file_read', '--list'], '--list takes no tool name'],
    [['tool', 'file_read', '--args', '{}', '--timeout', '5s'], 'there is no flag --timeout'],
    [['tool', 'file_read', '--args', '{}', '--root', 'none'], 'as the sandbox root'],
  ])('refuses %j as a usage error', async (args, says) => {
    const { exit, err, out } = await porthole(args);
    expect(err).toContain(says);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
  });
});

describe('porthole describe', () => {
  it('prints every section, as text, Markdown or data', async () => {
    const text = (await porthole(['describe'])).out;
    for (const title of ['TOOLS', 'HELPERS', 'RULES', 'LIMITS', 'CODES']) expect(text).toContain(`${title}\n`);
    const markdown = (await porthole(['describe', '--markdown'])).out;
    expect(markdown).toContain('## Limits\n\n| limit | default | least | most | protects |\n| --- |');
    expect(Object.keys(JSON.parse((await porthole(['describe', '--json'])).out))).toEqual([
      'tools',
      'helpers',
      'rules',
      'limits',
      'codes',
    ]);
  });

  it('prints one section alone', async () => {
    expect((await porthole(['describe', 'helpers'])).out).toBe(
      [
        'HELPERS',
        'mode    helpers in scope',
        'safe    none',
        'staged  read_file(path, max_chars = null, offset = 0) → string',
        'staged  write_file(path, content, mode = "w", offset = 0) → number of characters written',
        'staged  list_files(path = ".", { recursive = true }) → paths of the files below it, sorted',
        'staged  remove_file(path) → undefined',
        'unsafe  read_file(path, max_chars = null, offset = 0) → string',
        'unsafe  write_file(path, content, mode = "w", offset = 0) → number of characters written',
        '',
      ].join('\n'),
    );
    expect((await porthole(['describe', 'limits'])).out).toContain('memoryBytes   64 MiB     16 MiB  2 GiB  ');
    expect(JSON.parse((await porthole(['describe', 'tools', '--json'])).out)).toMatchObject([
      { name: 'file_read', inputSchema: { type: 'object' } },
      { name: 'file_write' },
      { name: 'edit_file' },
    ]);
    expect((await porthole(['describe', 'rules'])).out).toContain(
      'file_read(GLOB)   the tool file_read and the helper',
    );
    expect(JSON.parse((await porthole(['describe', 'helpers', '--json'])).out)[0]).toEqual({
      mode: 'safe',
      helpers: [],
    });
  });

  it.each([
    [['describe', 'limit'], 'Did you mean limits?'],
    [['describe', 'xyz'], 'The sections are tools, helpers, rules, limits, codes.'],
    [['describe', 'tools', 'limits'], 'describe takes one section'],
  ])('refuses %j as a usage error', async (args, says) => {
    expect(await porthole(args)).toMatchObject({ exit: 2, err: expect.stringContaining(says) });
  });

  it('prints one form, not two', async () => {
    const { exit, out } = await porthole(['describe', '--json', '--markdown']);
    expect(exit).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { message: '--json and --markdown are both given' } });
  });
});

describe('porthole doctor', () => {
  it('fires every limit, and finds temporary files that a killed writer left', async () => {
    put('.porthole-0123456789abcdef.tmp', '');
    const { exit, out, err } = await porthole(['doctor']);
    expect({ exit, err }).toEqual({ exit: 0, err: 'firing every limit, which takes a few seconds\n' });
    expect(out).toContain('containment: ');
    expect(out).toContain('leftovers: 1, safe to delete\n  .porthole-0123456789abcdef.tmp\n');
    expect(out).toContain('all limits held\n');
    expect(out.match(/ {2}held {2}/g)).toHaveLength(13);
    expect(out).toMatch(/helperBytes .+ 1024 bytes +\d+ ms +held +limit helper_bytes\n/);
  });

  it('tells the same as data', async () => {
    const { out, err } = await porthole(['doctor', '--json']);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      node: process.version,
      root: { path: directory, leftovers: [] },
      stateDirectory: { path: expect.stringMatching(/porthole$/) },
      limits: expect.arrayContaining([
        expect.objectContaining({ limit: 'timeMs', isHeld: true, stoppedBy: 'limit time' }),
      ]),
    });
  });

  it('refuses names and roots there are not', async () => {
    expect(await porthole(['doctor', 'x'])).toMatchObject({ exit: 2 });
    expect(await porthole(['doctor', '--root', 'none', '--quiet'])).toMatchObject({ exit: 2, out: '' });
  });
});
