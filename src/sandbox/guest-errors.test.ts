import { describe, expect, it } from 'vitest';
import type { ProgramError } from '../contract/outcome.ts';
import { endOf, type ProgramOptions } from './testing/run-program.ts';

async function errorOf(source: string, options: ProgramOptions = {}): Promise<ProgramError> {
  const end = await endOf(source, options);
  if (end.status === 'failed') return end.error;
  throw new Error(`did not fail: ${JSON.stringify(end)}`);
}

const read_file = () =>
  ({ kind: 'refused', name: 'ValueError', message: 'read_file("x"): no', code: 'PATH_INVALID', path: 'x' }) as const;

describe('the position of an error', () => {
  it.each<[string, number, number | undefined]>([
    ['x', 1, 1],
    ['\n\n  x', 3, 3],
    ['#!/usr/bin/env porthole\n x', 2, 2],
    ['\r\n\r\n x', 3, 2],
    ['const f = () => {\n  throw new Error("t");\n};\nf();', 2, 18],
    ['const x = ;', 1, 11],
    ['const o = {\n  a: 1,\n  b: ;\n}', 3, 6],
    ['await Promise.reject(new Error("r"))', 1, 31],
    ['await (async () => {\n await 1;\n undefined.x })()', 3, 11],
    ['\neval("\\n\\n throw new Error(1)")', 2, 5],
    ['\n new Function("\\n\\n throw new Error(1)")()', 2, 41],
    ['\nJSON.parse("\\n\\n\\n{x")', 2, 11],
    ['\n\nread_file("x")', 3, 10],
    ['foo(', 1, undefined],
    ['{\n{\n\n', 4, undefined],
  ])('of %j is line %i, column %s', async (source, line, column) => {
    const error = await errorOf(source, { helpers: { read_file } });
    expect([error.line, error.column]).toEqual([line, column]);
  });

  it('is that of the body for any file name', async () => {
    for (const file of ['a b.ts', 'weird (x):3:4', 'porthole', 'native', '…é.js', 'x'.repeat(200), '<input> 2']) {
      const error = await errorOf('\n  boom()', { file });
      expect([file, error.line, error.column]).toEqual([file, 2, 3]);
      expect(error.stack).toContain(`(${file}:2:3)`);
    }
  });

  it('is read from the end of a frame, so that the name of a function cannot pretend one', async () => {
    const source =
      'const f = () => { throw new Error("x") };\nObject.defineProperty(f, "name", { value: "program.js:99:9" });\nf()';
    expect(await errorOf(source)).toMatchObject({ line: 1, column: 34 });
  });

  it('lies inside the body, whatever a stack claims', async () => {
    const source = 'const e = new Error("x");\ne.stack = "    at f (program.js:77:3)\\n";\nthrow e';
    expect(await errorOf(source)).toMatchObject({ line: 3, stack: '    at f (program.js:3)' });
  });

  it('is absent where the engine gives none', async () => {
    const error = await errorOf('const e = new Error("x"); e.stack = ""; throw e');
    expect(error).not.toHaveProperty('line');
    expect(error).not.toHaveProperty('column');
  });

  it('holds on the first line, which stands behind the head of the wrapper, with every set of helpers', async () => {
    const answer = () => ({ kind: 'text', utf8: Buffer.from('') }) as const;
    for (const helpers of [{}, { read_file: answer }, { read_file: answer, write_file: answer }]) {
      expect(await errorOf('  here()', { helpers })).toMatchObject({
        line: 1,
        column: 3,
        stack: '    at program (program.js:1:3)',
      });
    }
  });
});

describe('the lines that the guest itself sees', () => {
  it('are those of the body', async () => {
    const end = await endOf('\nconst e = new Error("x")\nreturn e.stack');
    expect(end).toEqual({ status: 'completed', value: '    at program (program.js:2:20)\n' });
  });

  it('hold no frame of the prelude and no path of the host', async () => {
    const source = 'try { read_file("x") } catch (e) { return e.stack }';
    expect(await endOf(source, { helpers: { read_file } })).toMatchObject({
      value: expect.stringMatching(/^ {4}at program \(program\.js:1:\d+\)\n$/),
    });
  });
});

describe('a syntax error', () => {
  it.each(['let input_data = 1', '\nconst context = {}', 'class read_file {}', 'let { write_file } = {}'])(
    'that redeclares a parameter says so: %s',
    async (source) => {
      const answer = () => ({ kind: 'text', utf8: Buffer.from('') }) as const;
      const error = await errorOf(source, { helpers: { read_file: answer, write_file: answer } });
      expect(error).toMatchObject({
        kind: 'syntax',
        hint: expect.stringContaining('input_data, context, read_file, write_file are given'),
      });
    },
  );

  it('that redeclares a variable of its own is not said to redeclare a parameter', async () => {
    expect(await errorOf('let a;\nlet a')).not.toHaveProperty('hint');
  });

  it.each(['foo(', 'if (x) {', 'const a = [1,\n', 'x +'])(
    'at the end of an unfinished program says so: %j',
    async (source) => {
      expect((await errorOf(source)).hint).toMatch(/^The program ends where more is expected/);
    },
  );

  it('inside the program has no such hint', async () => {
    expect(await errorOf('foo(;\n)')).not.toHaveProperty('hint');
  });
});

describe('what was thrown', () => {
  it.each<[string, Partial<ProgramError>]>([
    ['throw "plain"', { name: 'Thrown', message: '"plain"', thrown: 'plain' }],
    ['throw undefined', { message: 'undefined', thrown: undefined }],
    ['throw null', { message: 'null', thrown: null }],
    ['throw -0', { message: '-0', thrown: -0 }],
    ['throw 5n', { message: '5n', thrown: 5n }],
    [
      'throw [1, { a: new Date(0) }]',
      { message: '[1, { a: 1970-01-01T00:00:00.000Z }]', thrown: [1, { a: new Date(0) }] },
    ],
    ['throw () => 1', { message: '[Function: ]', thrown: '[Function: ]', thrownLossy: true }],
    ['throw Symbol("q")', { message: 'Symbol(q)', thrown: 'Symbol(q)', thrownLossy: true }],
    ['throw { f() {} }', { message: '{ f: [Function: f] }', thrownLossy: true }],
    [
      'throw new Proxy({}, { getPrototypeOf() { throw 1 } })',
      { message: 'an object that refuses to be read', thrownLossy: true },
    ],
    [
      'throw new Proxy({}, { ownKeys() { throw 1 } })',
      { message: 'an object that refuses to be read', thrownLossy: true },
    ],
    [
      'const p = Proxy.revocable({}, {}); p.revoke(); throw p.proxy',
      { message: 'an object that refuses to be read', thrownLossy: true },
    ],
    ['throw new Proxy(new Error("p"), { get() { throw 1 } })', { name: 'Error', message: '' }],
    ['throw Object.create(Error.prototype)', { name: 'Error', message: '' }],
    ['throw Object.assign(new Error("x"), { name: 5, code: {}, path: 5 })', { name: 'Error', message: 'x' }],
    ['throw Object.assign(new Error("x"), { code: "E", path: "p" })', { code: 'E', path: 'p' }],
    ['throw Object.assign(new Error("x"), { code: 7 })', { code: '7' }],
    ['throw Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })', { message: '' }],
    ['throw Object.defineProperty(new Error("x"), "cause", { get() { throw 1 } })', { message: 'x' }],
    ['class MyError extends TypeError { name = "MyError" } throw new MyError("m")', { name: 'MyError', message: 'm' }],
    ['throw { name: "InternalError", message: "interrupted", code: "LIMIT_TIME" }', { name: 'Thrown' }],
    [
      'const e = new Error("interrupted"); e.name = "InternalError"; throw e',
      { name: 'InternalError', message: 'interrupted' },
    ],
    [
      'const e = new Error("out of memory"); e.name = "InternalError"; e.code = "LIMIT_MEMORY"; throw e',
      { kind: 'thrown' },
    ],
  ])('is reported: %s', async (source, fields) => {
    const error = await errorOf(source);
    expect(error).toMatchObject({ kind: 'thrown', ...fields });
    expect('thrownLossy' in error).toBe('thrownLossy' in fields);
  });

  it('keeps the field "thrown" for undefined', async () => {
    expect(Object.hasOwn(await errorOf('throw undefined'), 'thrown')).toBe(true);
  });

  it('follows eight causes, errors or not', async () => {
    const source = 'let e = "root"; for (let i = 0; i < 12; i++) e = new RangeError("e" + i, { cause: e }); throw e';
    const messages: string[] = [];
    for (let link: ProgramError['cause'] = await errorOf(source); link !== undefined; link = link.cause)
      messages.push(link.message);
    expect(messages).toEqual(['e11', 'e10', 'e9', 'e8', 'e7', 'e6', 'e5', 'e4', 'e3']);
    expect((await errorOf('throw new Error("x", { cause: { status: 404 } })')).cause).toEqual({
      name: 'Thrown',
      message: '{ status: 404 }',
      stack: '',
    });
    expect((await errorOf('throw new Error("x", { cause: undefined })')).cause).toBeUndefined();
  });

  it('ends at eight causes also when an error is its own', async () => {
    const error = await errorOf('const e = new Error("x"); e.cause = e; throw e');
    let links = 0;
    for (let link = error.cause; link !== undefined; link = link.cause) links++;
    expect(links).toBe(8);
  });

  it('floods nobody: texts are cut', async () => {
    const error = await errorOf(
      'const e = new Error("m".repeat(5e6)); e.name = "n".repeat(5e6); e.stack = "s".repeat(5e6); e.code = "c".repeat(5e6); throw e',
    );
    for (const text of [error.message, error.name, error.stack, error.code ?? '']) {
      expect(text).toHaveLength(16 * 1024 + 1);
      expect(text.at(-1)).toBe('…');
    }
    const thrown = await errorOf('throw "x".repeat(5e6)');
    expect(thrown).toMatchObject({ thrownLossy: true });
    expect(thrown.message).toHaveLength(1001);
    expect(JSON.stringify(await errorOf('throw Array(5e4).fill("text")')).length).toBeLessThan(3000);
  });

  it('shows at most 50 frames', async () => {
    const { stack } = await errorOf('(function rec(n) { if (n === 0) throw new Error("deep"); rec(n - 1) })(99)');
    expect(stack.split('\n')).toHaveLength(51);
    expect(stack).toMatch(/… 51 more frames$/);
  });
});
