import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder } from './support/temp-folder.ts';

describe('the exit code of porthole run', () => {
  it('is 0 for a program that completes', async () => {
    expect((await porthole(['run', '-e', 'return 1'])).exitCode).toBe(0);
  });

  it.concurrent.each([
    ['time', ['-e', 'while (true) {}', '--timeout', '300ms']],
    ['time, in one native call', ['-e', 'return new Array(1e9).join("x")', '--limit', 'timeMs=300']],
    ['memory', ['-e', 'const a = []; for (;;) a.push(new Array(1e5).fill(1))', '--max-memory', '32MiB']],
    ['stack', ['-e', '(function f() { f() })()']],
    ['source', ['-e', 'return "a program of some length"', '--limit', 'sourceBytes=10']],
    ['input', ['-e', 'return 1', '--input-text', 'x'.repeat(2000), '--limit', 'inputBytes=1KiB']],
    ['result', ['-e', 'return "x".repeat(2000)', '--limit', 'resultBytes=1KiB']],
  ])('is 6 for a limit: %s', async (_, args) => {
    const ended = await porthole(['run', ...args]);
    expect(ended).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ended.stderr).toMatch(/limit/);
  });

  it('is 6 although the program caught what ended it', async () => {
    const source = 'try { while (true) {} } catch {} return "survived"';
    expect(await porthole(['run', '-e', source, '--timeout', '300ms'])).toMatchObject({ exitCode: 6, stdout: '' });
  });

  it.concurrent.each([
    ['throws', 'throw new Error("boom")'],
    ['throws what is no error', 'throw 1'],
    ['does not parse', 'const = 1'],
    ['closes its wrapper', '}); (async function () {'],
    ['returns what cannot cross', 'return () => 1'],
    ['can never settle', 'await new Promise(() => {})'],
    ['names a helper in safe mode', 'return read_file("a.txt")'],
  ])('is 7 for a program that %s', async (_, source) => {
    const ended = await porthole(['run', '-e', source]);
    expect(ended).toMatchObject({ exitCode: 7, stdout: '' });
    expect(ended.stderr).not.toBe('');
  });

  it('is 7 for a program that does not catch a refused write', async () => {
    const { root } = createFolder();
    const ended = await porthole(['run', '-e', 'write_file("a.txt", "x")', '--root', root, '--unsafe']);
    expect(ended.exitCode).toBe(7);
    expect(ended.stderr).toContain('_unsafe_mode');
  });
});

describe('a program that failed is shown', () => {
  it('with its line, a caret, the message and its own stack', async () => {
    const folder = createFolder();
    const path = folder.write(
      'sum.js',
      'const rows = [];\n\nfunction first() {\n  return rows[0].price;\n}\nreturn first();\n',
    );
    const { stderr } = await porthole(['run', path]);
    const lines = stderr.split('\n');
    expect(lines[0]).toMatch(/^sum\.js:4:\d+$/);
    expect(stderr).toContain('4 |   return rows[0].price;\n');
    expect(stderr).toMatch(/\n {2}\| +\^\n/);
    expect(stderr).toContain('TypeError: ');
    expect(stderr).toMatch(/first \(sum\.js:4:\d+\)/);
    expect(stderr).toMatch(/sum\.js:6/);
    expect(stderr).not.toMatch(/node:|dist\/|worker\.js/);
  });

  it('at the line of the TypeScript that was written', async () => {
    const source = 'interface A {\n  x: number;\n}\nconst a = { x: 1 } as A;\nthrow new RangeError("boom");';
    const { stderr } = await porthole(['run', '-', '--language', 'ts'], { input: source });
    expect(stderr).toContain('5 | throw new RangeError("boom");');
    expect(stderr).toContain('RangeError: boom');
  });

  it('with its causes and a hint', async () => {
    const causes = await porthole(['run', '-e', 'throw new Error("outer", { cause: new TypeError("inner") })']);
    expect(causes.stderr).toMatch(/outer[\s\S]*inner/);
    const hint = await porthole(['run', '-e', 'await new Promise(() => {})']);
    expect(hint.stderr).toMatch(/hint: .*resolve/);
  });

  it('with what it had printed before', async () => {
    const ended = await porthole(['run', '-e', 'console.log("before"); throw new Error("boom")']);
    expect(ended.stdout).toBe('before\n');
  });
});

describe('porthole run --json prints one JSON value', () => {
  it('for a program that completes: the whole outcome', async () => {
    const source = 'console.log("line"); return { big: 1n }';
    const { exitCode, stdout, stderr } = await porthole(['run', '-e', source, '--json']);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      value: { big: { $bigint: '1' } },
      mode: 'safe',
      console: { lines: [{ level: 'log', text: 'line' }], truncated: false },
      warnings: [],
      effects: [],
      usage: { helperCalls: 0, bytesRead: 0, bytesWritten: 0 },
    });
  });

  it.concurrent.each([
    ['failed', 7, ['-e', 'console.error("e"); throw new Error("boom")']],
    ['limited', 6, ['-e', 'while (true) {}', '--timeout', '200ms']],
  ])('for a program that is %s, and nothing on stderr', async (status, exitCode, args) => {
    const ended = await porthole(['run', ...args, '--json']);
    expect(ended).toMatchObject({ exitCode, stderr: '' });
    expect(JSON.parse(ended.stdout).status).toBe(status);
  });

  it('for a command line that is wrong', async () => {
    const ended = await porthole(['run', '--json', '--tiemout', '1s', '-e', 'return 1']);
    expect(ended).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, error: { code: 'ARGUMENT_INVALID' } });
  });

  it('for a root that is not there', async () => {
    const { path } = createFolder();
    const ended = await porthole(['run', '--json', '--root', `${path}/none`, '-e', 'return 1']);
    expect(ended).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, error: { code: 'ROOT_INVALID' } });
  });
});
