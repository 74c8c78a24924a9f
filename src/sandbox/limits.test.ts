import { describe, expect, it } from 'vitest';
import type { Helper } from './helper.ts';
import { writeSerial } from './serial-writer.ts';
import { endOf, resultOf, runHere } from './testing/run-program.ts';

const MiB = 1024 * 1024;

describe('the time limit', () => {
  it.each([
    'while (true) {}',
    'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }',
    'async function f() { while (true) {} } for (;;) { try { await f() } catch {} }',
    'const loop = () => Promise.resolve().then(loop); await loop()',
    'Promise.resolve().then(() => { while (true) {} }); return 1',
    'const x = { get a() { while (true) {} } }; return x',
    'return new Proxy({}, { ownKeys() { while (true) {} } })',
    'throw { get a() { return 1 }, toString() {}, x: new Proxy({}, { getPrototypeOf() { while (true) {} } }) }',
    'throw Object.defineProperty(new Error("x"), "message", { get() { while (true) {} } })',
    'console.log(new Proxy({}, { ownKeys() { while (true) {} } })); return 1',
    'return { then(resolve) { while (true) {} } }',
    '(function* () { try { yield 1 } finally { while (true) {} } })().next(); while (true) {}',
    'class A { static { while (true) {} } }',
    '[1, 2].sort(() => { while (true) {} })',
    'JSON.stringify({ toJSON() { while (true) {} } })',
    'new Promise(() => { while (true) {} })',
    'function f() { f() } for (;;) { try { f() } catch {} }',
  ])('ends what does not end, whatever it catches: %s', async (source) => {
    const startedAt = performance.now();
    expect(await endOf(source, { limits: { timeMs: 30, stackBytes: 32 * 1024 } })).toEqual({
      status: 'limited',
      limit: 'time',
      ceiling: 30,
    });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

describe('the memory limit', () => {
  it.each([
    'const a = []; for (;;) a.push(new Array(1e5).fill(1))',
    'try { new ArrayBuffer(2 ** 30) } catch {} return "caught"',
    'try { new ArrayBuffer(2 ** 31 - 1) } catch {} return "caught"',
    'try { "x".repeat(2 ** 30 - 1) } catch {} return "caught"',
    'try { new Uint8Array(100_000_000) } catch {} await null; return "caught"',
    'const a = []; try { for (;;) a.push("x".repeat(1e6) + a.length) } catch {} return a.length',
    'const f = async () => { new Uint8Array(1e8) }; await f().catch(() => {}); return "caught"',
    'return new Promise((resolve) => { try { new Uint8Array(1e8) } catch { resolve(1) } })',
    'try { [].concat(...Array(1000).fill(Array(1e6).fill(1))) } catch {} return 1',
    'try { new Array(1e8).fill(0) } catch {} return 1',
    'let s = "x"; try { for (;;) { s += s; s.charCodeAt(1) } } catch {} return 1',
    'try { 2n ** 10_000_000n } catch {} new Uint8Array(1e9)',
    'throw new Uint8Array(1e8)',
  ])('cannot be caught: %s', async (source) => {
    expect(await endOf(source)).toEqual({ status: 'limited', limit: 'memory', ceiling: 64 * MiB });
  });

  it('is what a run says, below and above what the instance was made for', async () => {
    const source = 'return new Uint8Array(input_data).length';
    const at = (bytes: number, memoryBytes: number) => endOf(source, { input: bytes, limits: { memoryBytes } });
    expect(await at(1e6, 16 * MiB)).toEqual({ status: 'completed', value: 1e6 });
    expect(await at(16e6, 16 * MiB)).toEqual({ status: 'limited', limit: 'memory', ceiling: 16 * MiB });
    expect(await at(16e6, 32 * MiB)).toEqual({ status: 'completed', value: 16e6 });
    expect(await at(80e6, 64 * MiB)).toMatchObject({ limit: 'memory' });
    expect(await at(80e6, 128 * MiB)).toEqual({ status: 'completed', value: 80e6 });
    expect(await at(80e6, 64 * MiB)).toMatchObject({ limit: 'memory' });
  });

  it('tells how much the guest had', async () => {
    const { memoryBytes } = await runHere('return new Uint8Array(30e6).length');
    expect(memoryBytes).toBeGreaterThan(30e6);
    expect(memoryBytes).toBeLessThanOrEqual(64 * MiB);
  });

  it('leaves a request that no memory could meet to the guest', async () => {
    expect(await resultOf('try { new ArrayBuffer(2 ** 40) } catch (e) { return e.name }')).toBe('RangeError');
  });
});

describe('the stack limit', () => {
  it('can be caught, as in every engine', async () => {
    expect(
      await resultOf('let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { return e.name }', {
        limits: { stackBytes: 16 * 1024 },
      }),
    ).toBe('InternalError');
  });

  it('ends a program that does not catch it', async () => {
    const end = { status: 'limited', limit: 'stack', ceiling: 16 * 1024 };
    const limits = { stackBytes: 16 * 1024 };
    expect(await endOf('const f = () => f(); f()', { limits })).toEqual(end);
    expect(await endOf(`return ${'('.repeat(500)}1${')'.repeat(500)}`, { limits })).toEqual(end);
    expect(await endOf('return JSON.parse("[".repeat(2000) + "]".repeat(2000))', { limits })).toEqual(end);
  });

  it('does not keep deep input, results and errors from crossing', async () => {
    const limits = { stackBytes: 16 * 1024 };
    let deep: unknown = 1;
    for (let level = 0; level < 249; level++) deep = { deep };
    expect(
      await resultOf('let n = 0; for (let o = context; o.deep; o = o.deep) n++; return n', { context: deep, limits }),
    ).toBe(249);
    let result: unknown = 1;
    for (let level = 0; level < 120; level++) result = new Map([[1, result]]);
    const source = 'let r = 1; for (let i = 0; i < 120; i++) r = new Map([[1, r]]); return r';
    expect(await resultOf(source, { limits })).toEqual(result);
    expect(await endOf('throw new Error("x", { cause: new Error("y") })', { limits })).toMatchObject({
      error: { message: 'x', cause: { message: 'y' } },
    });
  });
});

describe('the source limit', () => {
  it('counts bytes and is judged before anything is compiled', async () => {
    const source = '"é"; return 5';
    expect(await endOf(source, { limits: { sourceBytes: 14 } })).toEqual({ status: 'completed', value: 5 });
    expect(await endOf(source, { limits: { sourceBytes: 13 } })).toEqual({
      status: 'limited',
      limit: 'source',
      ceiling: 13,
      used: 14,
    });
    expect(await endOf('}{'.repeat(100), { limits: { sourceBytes: 100 } })).toMatchObject({
      limit: 'source',
      used: 200,
    });
  });
});

describe('the input limit', () => {
  it('counts input and context together', async () => {
    const given = { input: 'x'.repeat(100), context: { c: 'y'.repeat(100) } };
    expect(await endOf('return 1', { ...given, limits: { inputBytes: 1 } })).toMatchObject({
      limit: 'input',
      ceiling: 1,
    });
    const context = { properties: new Map(Object.entries(given.context)) };
    const size = writeSerial(given.input).byteLength + writeSerial(context).byteLength;
    expect(await endOf('return 1', { ...given, limits: { inputBytes: size } })).toMatchObject({ status: 'completed' });
    expect(await endOf('return 1', { ...given, limits: { inputBytes: size - 1 } })).toEqual({
      status: 'limited',
      limit: 'input',
      ceiling: size - 1,
      used: size,
    });
  });
});

describe('the result limit', () => {
  it.each([
    ['plain data', 'return { key: ["text", 1, 2.5, null] }'],
    ['text', 'return "x".repeat(1000)'],
    ['wide text', 'return "€".repeat(1000)'],
    ['a map', 'return new Map([["k", [1, { a: "b" }]], [2, 300]])'],
    ['bytes', 'return new Uint8Array(1000)'],
    ['bytes in an object', 'return { a: new Uint8Array(1000), b: new Date() }'],
    ['an error', 'const e = new Error("m".repeat(500)); e.stack = "s".repeat(500); return e'],
  ])('takes a result of exactly that size and nothing larger: %s', async (_title, source) => {
    const size = await smallestLimit(source);
    expect(size).toBeGreaterThan(10);
    expect(await endOf(source, { limits: { resultBytes: size - 1 } })).toMatchObject({
      status: 'limited',
      limit: 'result',
      ceiling: size - 1,
    });
  });

  it('tells both sizes', async () => {
    expect(await endOf('return "x".repeat(100)', { limits: { resultBytes: 50 } })).toEqual({
      status: 'limited',
      limit: 'result',
      ceiling: 50,
      used: 105,
    });
  });

  it.each([
    'return "x".repeat(30e6)',
    'let s = "x"; for (let i = 0; i < 28; i++) s += s; return s',
    'let s = "x"; for (let i = 0; i < 28; i++) s += s; return [new Date(), s]',
    'return new Uint8Array(30e6)',
    'return new Map([[1, "x".repeat(30e6)]])',
    'return Array(1e6).fill("text")',
    'return new Error("x".repeat(30e6))',
    'let a = ["leaf"]; for (let i = 0; i < 40; i++) a = [a, a]; return a',
    'let a = new Map([[1, 2]]); for (let i = 0; i < 40; i++) a = new Map([[1, a], [2, a]]); return a',
    'const o = {}; for (let i = 0; i < 1e5; i++) o["a longer key for number " + i] = new Date(i); return o',
    'return new Set(Array.from({ length: 1e5 }, (_, i) => "an item that is somewhat longer than most " + i))',
  ])('ends what is far too large, and quickly: %s', async (source) => {
    const startedAt = performance.now();
    const end = await endOf(source, { limits: { memoryBytes: 128 * MiB } });
    expect(end).toMatchObject({ status: 'limited', limit: 'result', ceiling: 4 * MiB });
    expect(end.status === 'limited' && end.used).toBeGreaterThan(4 * MiB);
    expect(performance.now() - startedAt).toBeLessThan(8000);
  });

  it('cannot be caught: a getter of the result sees nothing of it', async () => {
    const source = 'return { a: "x".repeat(1000), get b() { return "x".repeat(1000) } }';
    expect(await endOf(source, { limits: { resultBytes: 500 } })).toMatchObject({ limit: 'result' });
  });

  it('leaves room to write a large result beside a full memory', async () => {
    const source = 'globalThis.ballast = new Uint8Array(40e6); return "x".repeat(4e6)';
    expect(await resultOf(source)).toHaveLength(4e6);
  });
});

describe('the helper limits', () => {
  const text =
    (size: number): Helper =>
    () => ({ kind: 'text', utf8: Buffer.alloc(size, 0x61) });

  it('count calls, cannot be caught, and say how many there were', async () => {
    const source = 'for (let i = 0; i < 100; i++) { try { read_file("x") } catch {} } return "done"';
    const at = (helperCalls: number) => runHere(source, { helpers: { read_file: text(1) }, limits: { helperCalls } });
    expect((await at(100)).end).toEqual({ status: 'completed', value: 'done' });
    const over = await at(99);
    expect(over.end).toEqual({ status: 'limited', limit: 'helper_calls', ceiling: 99, used: 100 });
    expect(over.helperCalls).toBe(100);
  });

  it('reach the helper exactly as often as allowed', async () => {
    let calls = 0;
    const read_file: Helper = () => {
      calls++;
      return { kind: 'value', value: calls };
    };
    await endOf('for (;;) { try { read_file("x") } catch {} }', { helpers: { read_file }, limits: { helperCalls: 5 } });
    expect(calls).toBe(5);
  });

  it('count bytes both ways', async () => {
    const source = 'read_file("12345"); return read_file("12345").length';
    const at = (helperBytes: number) => endOf(source, { helpers: { read_file: text(95) }, limits: { helperBytes } });
    expect(await at(200)).toEqual({ status: 'completed', value: 95 });
    expect(await at(199)).toEqual({ status: 'limited', limit: 'helper_bytes', ceiling: 199, used: 200 });
    expect(await at(102)).toMatchObject({ limit: 'helper_bytes', used: 105 });
  });

  it('leave no effect of a text that was not handed over, and keep that of a write that happened', async () => {
    const settled: string[] = [];
    const helpers: Record<string, Helper> = {
      read_file: () => ({ kind: 'text', utf8: Buffer.alloc(95), afterReply: () => settled.push('read') }),
      write_file: () => ({ kind: 'value', value: 'x'.repeat(95), afterReply: () => settled.push('write') }),
    };
    await endOf('read_file("1"); read_file("2")', { helpers, limits: { helperBytes: 100 } });
    await endOf('write_file("1")', { helpers, limits: { helperBytes: 50 } });
    expect(settled).toEqual(['read', 'write']);
  });

  it.each([
    'read_file("x".repeat(2000))',
    'read_file("é".repeat(1000))',
    'read_file({ path: "x".repeat(2000) })',
    'read_file({ ["x".repeat(2000)]: 1 })',
    'read_file("x", 2n ** 16000n)',
  ])('count what comes in: %s', async (call) => {
    const read_file: Helper = () => ({ kind: 'value', value: null });
    expect(
      await endOf(`try { ${call} } catch {} return 1`, { helpers: { read_file }, limits: { helperBytes: 1000 } }),
    ).toMatchObject({ limit: 'helper_bytes' });
    expect(await endOf(`${call}; return 1`, { helpers: { read_file }, limits: { helperBytes: 3000 } })).toMatchObject({
      status: 'completed',
    });
  });
});

describe('a limit', () => {
  it('is not forged by what a program throws or returns', async () => {
    for (const source of [
      'throw { name: "InternalError", message: "interrupted", code: "LIMIT_TIME" }',
      'throw Object.assign(new Error("interrupted"), { name: "InternalError" })',
      'throw Object.assign(new Error("out of memory"), { name: "InternalError" })',
      'throw { status: "limited", limit: "memory" }',
      'return { kind: "latched", latch: "time" }',
    ]) {
      expect((await endOf(source)).status).toMatch(/^(failed|completed)$/);
    }
  });

  it('of the stack can be forged, which grants nothing', async () => {
    expect(await endOf('throw Object.assign(new Error("stack overflow"), { name: "InternalError" })')).toMatchObject({
      status: 'limited',
      limit: 'stack',
    });
  });
});

// By bisection: the least resultBytes with which the program completes.
async function smallestLimit(source: string): Promise<number> {
  let low = 0;
  let high = 8192;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const { status } = await endOf(source, { limits: { resultBytes: middle } });
    if (status === 'completed') high = middle;
    else low = middle;
  }
  return high;
}
