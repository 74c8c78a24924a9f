import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder } from './support/temp-folder.ts';

describe('porthole run takes its program', () => {
  const program = 'return 6 * 7;';

  it('from a file', async () => {
    const folder = createFolder();
    const ended = await porthole(['run', folder.write('program.js', program)]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: '42\n', stderr: '' });
  });

  it('from standard input, for -', async () => {
    expect(await porthole(['run', '-'], { input: program })).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });

  it.each([['-e', program], ['--eval', program], [`--eval=${program}`]])('from %s', async (...args) => {
    expect(await porthole(['run', ...args])).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });

  it('with a #! line and a byte order mark', async () => {
    const folder = createFolder();
    const path = folder.write('program.js', `\ufeff#!/usr/bin/env -S porthole run\n${program}`);
    expect(await porthole(['run', path])).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });

  it('as TypeScript, by its ending or by --language', async () => {
    const folder = createFolder();
    const typed = 'const answer: number = 42; return answer satisfies number;';
    for (const name of ['program.ts', 'program.mts']) {
      expect(await porthole(['run', folder.write(name, typed)])).toMatchObject({ exitCode: 0, stdout: '42\n' });
    }
    expect(await porthole(['run', '-e', typed, '--language', 'ts'])).toMatchObject({ exitCode: 0, stdout: '42\n' });
    expect(await porthole(['run', '-e', typed])).toMatchObject({ exitCode: 7, stdout: '' });
  });

  it('from a file whose name begins with a dash, behind --', async () => {
    const folder = createFolder();
    folder.write('-e.js', program);
    expect(await porthole(['run', '--', '-e.js'], { cwd: folder.path })).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });
});

describe('porthole run takes its input', () => {
  const program = ['run', '-e', 'return JSON.stringify(input_data)'];

  it('as JSON', async () => {
    expect((await porthole([...program, '--input', '{"a":[1,null]}'])).stdout).toBe('{"a":[1,null]}\n');
  });

  it('from a file, for @FILE', async () => {
    const folder = createFolder();
    const path = folder.write('input.json', '{ "a": "é" }');
    expect((await porthole([...program, '--input', `@${path}`])).stdout).toBe('{"a":"é"}\n');
  });

  it('from standard input, for @-', async () => {
    expect((await porthole([...program, '--input', '@-'], { input: '[1,2]' })).stdout).toBe('[1,2]\n');
  });

  it('as a plain string, for --input-text', async () => {
    expect((await porthole([...program, '--input-text', '{"a"'])).stdout).toBe('"{\\"a\\""\n');
  });

  it('as undefined, without a flag', async () => {
    expect((await porthole(['run', '-e', 'return typeof input_data'])).stdout).toBe('undefined\n');
  });

  it('and a context, which does not raise the write flag by itself', async () => {
    const ended = await porthole(['run', '-e', 'return context', '--context', '{"job":7}']);
    expect(JSON.parse(ended.stdout)).toEqual({ job: 7 });
  });
});

describe('porthole run prints', () => {
  it('a string as it is, with a line feed if it ends in none', async () => {
    expect((await porthole(['run', '-e', 'return "a\\nb"'])).stdout).toBe('a\nb\n');
    expect((await porthole(['run', '-e', 'return "a\\n"'])).stdout).toBe('a\n');
  });

  it('nothing for undefined', async () => {
    expect(await porthole(['run', '-e', 'const unused = 1'])).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('anything else as JSON, indented by two', async () => {
    expect((await porthole(['run', '-e', 'return { a: [1, null] }'])).stdout).toBe(
      '{\n  "a": [\n    1,\n    null\n  ]\n}\n',
    );
  });

  it.each([
    ['10n', { $bigint: '10' }],
    ['NaN', { $number: 'NaN' }],
    ['-0', { $number: '-0' }],
    ['[undefined]', [{ $undefined: true }]],
    ['new Date(0)', { $date: '1970-01-01T00:00:00.000Z' }],
    ['new Map([["a", 1]])', { $map: [['a', 1]] }],
    ['new Set([1])', { $set: [1] }],
    ['new Uint8Array([1, 2])', { $bytes: 'AQI=' }],
    ['{ $bigint: "10" }', { $object: { $bigint: '10' } }],
    ['{ $a: 1, b: 2 }', { $a: 1, b: 2 }],
    ['{ a: { $x: 1 } }', { a: { $object: { $x: 1 } } }],
  ])('%s as JSON with a tag where JSON has no word for it', async (value, shown) => {
    expect(JSON.parse((await porthole(['run', '-e', `return ${value}`])).stdout)).toEqual(shown);
  });

  it('a lone surrogate inside JSON as its escape', async () => {
    expect((await porthole(['run', '-e', 'return ["a\\ud83d"]'])).stdout).toBe('[\n  "a\\ud83d"\n]\n');
  });

  it('log, info and debug on stdout, warn and error on stderr, in order', async () => {
    const source = ['log', 'warn', 'info', 'error', 'debug'].map((level) => `console.${level}('${level}')`).join(';');
    const ended = await porthole(['run', '-e', `${source}; return 'value'`]);
    expect(ended).toEqual({
      exitCode: 0,
      signal: undefined,
      stdout: 'log\ninfo\ndebug\nvalue\n',
      stderr: 'warn\nerror\n',
    });
  });

  it('three million characters through a pipe, every one', async () => {
    const { stdout } = await porthole(['run', '-e', 'return "0123456789".repeat(3e5)']);
    expect(stdout.length).toBe(3_000_001);
  });

  it('no colour into a pipe', async () => {
    const { stderr } = await porthole(['run', '-e', 'throw new Error("red?")'], { env: { FORCE_COLOR: '' } });
    expect(stderr).toContain('red?');
    expect(stderr).not.toContain('\u001b');
  });

  it('warnings on stderr, and none with --quiet', async () => {
    const source = '(async () => { await null; await null; })(); return 1';
    const loud = await porthole(['run', '-e', source]);
    expect(loud).toMatchObject({ exitCode: 0, stdout: '1\n' });
    expect(loud.stderr).toContain('PENDING_WORK');
    expect(await porthole(['run', '-e', source, '--quiet'])).toMatchObject({ exitCode: 0, stdout: '1\n', stderr: '' });
  });
});

describe('porthole run fixes time and chance', () => {
  it('lives in UTC, whatever TZ says', async () => {
    const source = 'return [new Date(0).getTimezoneOffset(), new Date(0).getHours(), new Date(2030, 0, 1).toJSON()]';
    for (const TZ of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
      const { stdout } = await porthole(['run', '-e', source], { env: { TZ } });
      expect(JSON.parse(stdout)).toEqual([0, 0, '2030-01-01T00:00:00.000Z']);
    }
  });

  it('repeats itself with --seed and --now, and not without', async () => {
    const source = 'return [Math.random(), Date.now()]';
    const fixed = ['run', '-e', source, '--seed', '7', '--now', '2030-01-01T00:00:00Z'];
    const [one, two] = [(await porthole(fixed)).stdout, (await porthole(fixed)).stdout];
    expect(one).toBe(two);
    expect(JSON.parse(one)[1]).toBe(Date.UTC(2030, 0, 1));
    expect((await porthole(['run', '-e', source])).stdout).not.toBe((await porthole(['run', '-e', source])).stdout);
  });
});
