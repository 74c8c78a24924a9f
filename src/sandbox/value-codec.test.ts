import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyBigint, anyCrossing, anyName, anyNumber, anyString, objectOf } from './testing/arbitrary-values.ts';
import { endOf, resultOf } from './testing/run-program.ts';

describe('values across the border', () => {
  it('come back from the guest as they went in', async () => {
    await fc.assert(
      fc.asyncProperty(anyCrossing, async (value) => {
        const back = await resultOf('return input_data', { input: value });
        expect(isDeepStrictEqual(back, value)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('come back unchanged through a container that only the packed form holds', async () => {
    await fc.assert(
      fc.asyncProperty(anyCrossing, async (value) => {
        const back = await resultOf('return new Map([[1, input_data]])', { input: value });
        expect(isDeepStrictEqual(back, new Map([[1, value]]))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('are in the guest what the same literal is there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyNumber, anyBigint, anyString), async (value) => {
        expect(await resultOf(`return Object.is(input_data, ${literal(value)})`, { input: value })).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('are read back from a literal of the guest', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyNumber, anyBigint, anyString), async (value) => {
        expect(Object.is(await resultOf(`return ${literal(value)}`), value)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('find properties: a string that crossed is the same key as one the guest wrote', async () => {
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const source = `const o = Object.create(null); o[${literal(name)}] = 1; return [o[input_data], input_data in o]`;
        expect(await resultOf(source, { input: name })).toEqual([1, true]);
      }),
      { numRuns: 150 },
    );
    expect(await resultOf('return ({é: 1})[input_data]', { input: 'é' })).toBe(1);
  });

  it('find properties when the string came through a helper as UTF-8', async () => {
    for (const name of ['é', 'ÿ', 'a', '€', '\u{1F44D}', 'a\0é', '\uFEFFx', 'Ā'.repeat(50), 'é'.repeat(300)]) {
      const read_file = () => ({ kind: 'text', utf8: Buffer.from(name) }) as const;
      const source = `const t = read_file("x"); return [({[input_data]: 1})[t], t === input_data, t.length]`;
      expect(await resultOf(source, { input: name, helpers: { read_file } })).toEqual([1, true, name.length]);
    }
  });

  it('keep a property called __proto__, which changes no prototype on either side', async () => {
    const input = objectOf([['__proto__', { polluted: true }]]);
    const source = `return [Object.keys(input_data), input_data.polluted, Object.getPrototypeOf(input_data) === Object.prototype,
      {["__proto__"]: {a: 1}}, new Map([[1, {["__proto__"]: 2}]])]`;
    const [names, polluted, isPlain, back, packed] = (await resultOf(source, { input })) as [
      unknown,
      unknown,
      unknown,
      object,
      Map<number, object>,
    ]; // as the program builds it
    expect([names, polluted, isPlain]).toEqual([['__proto__'], undefined, true]);
    expect(Object.entries(back)).toEqual([['__proto__', { a: 1 }]]);
    expect(Object.entries(packed.get(1) ?? {})).toEqual([['__proto__', 2]]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it('arrive as the real things: prototypes, methods and brands work in the guest', async () => {
    const input = [new Date(5), new Map([['k', 1]]), new Set([2]), Uint8Array.of(3), Uint8Array.of(4).buffer];
    const source = `const [d, m, s, u, b] = input_data;
      return [d.toISOString(), m.get('k'), s.has(2), u[0], new Uint8Array(b)[0], d instanceof Date, u instanceof Uint8Array]`;
    expect(await resultOf(source, { input })).toEqual(['1970-01-01T00:00:00.005Z', 1, true, 3, 4, true, true]);
  });

  it('arrive in a map and a set as the guest would have made them', async () => {
    const input = new Map<unknown, unknown>([
      [Number.NaN, new Set([-0, 'a'])],
      [{ k: 1 }, undefined],
    ]);
    expect(await resultOf('return [input_data.get(NaN).has(0), [...input_data.keys()][1].k]', { input })).toEqual([
      true,
      1,
    ]);
  });

  it('keep one mebibyte of text of every width', async () => {
    for (const unit of ['a', 'é', '€', '\u{1F44D}', '\uD83D']) {
      const text = unit.repeat(2 ** 20 / unit.length);
      expect((await resultOf('return input_data', { input: text })) === text).toBe(true);
    }
  });

  it('carry an error with its code and causes, with the name of its class, both ways', async () => {
    const input = Object.assign(new RangeError('in'), { code: 7 });
    const source = `class MyError extends Error { name = 'MyError' }
      const e = new MyError('out', { cause: [input_data] }); e.code = 'E_OUT';
      return [input_data instanceof Error, input_data.name, input_data.message, input_data.code, e]`;
    const [isError, name, message, code, error] = (await resultOf(source, { input })) as unknown[];
    expect([isError, name, message, code]).toEqual([true, 'RangeError', 'in', 7]);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'MyError', message: 'out', code: 'E_OUT' });
    expect((error as Error).cause).toEqual([expect.objectContaining({ name: 'RangeError', message: 'in', code: 7 })]);
    expect((error as Error).stack).toContain('at program (program.js:2:');
  });

  it('follow eight causes out of the guest, wherever the error lies', async () => {
    const source = `let e = new Error('0'); for (let i = 1; i < 12; i++) e = new Error('' + i, { cause: e });
      let o = e; for (let i = 0; i < 20; i++) o = [o]; return o`;
    let value = await resultOf(source);
    while (Array.isArray(value)) value = value[0];
    let depth = 0;
    for (let link = value as Error; link.cause instanceof Error; link = link.cause) depth++;
    expect(depth).toBe(8);
  });
});

describe('bytes out of the guest', () => {
  it('are exactly those of the view, not of the buffer behind it', async () => {
    const source = 'const u = new Uint8Array(9_000_000).fill(7); return u.subarray(5, 8)';
    const bytes = (await resultOf(source)) as Uint8Array;
    expect(bytes).toEqual(Uint8Array.of(7, 7, 7));
    expect(bytes.buffer.byteLength).toBe(3);
  });

  it('are copies where one buffer occurs more than once', async () => {
    const source = 'const u = Uint8Array.of(1, 2); return [u, u, u.buffer, new Uint8Array(u.buffer), u.buffer]';
    const u = Uint8Array.of(1, 2);
    expect(await resultOf(source)).toStrictEqual([u, u, u.buffer, u, u.buffer]);
  });

  it('are refused when they are gone', async () => {
    const end = await endOf('const u = new Uint8Array(8); u.buffer.transfer(); return [u]');
    expect(end).toMatchObject({ status: 'failed', error: { code: 'RESULT_NOT_SERIALIZABLE' } });
  });

  it('cost no function of the guest a call', async () => {
    const source = `let called = 0; const spy = function () { called++; return this };
      for (const o of [Uint8Array, ArrayBuffer]) Object.defineProperty(o, Symbol.species, { get: spy });
      for (const p of [Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer.prototype]) {
        for (const k of [...Reflect.ownKeys(p), 'constructor', Symbol.iterator]) {
          try { Object.defineProperty(p, k, { get: spy, configurable: true }) } catch {}
        }
      }
      const u = new Uint8Array(3); called = 0;
      return [[u, u.buffer], { get called() { return called } }]`;
    expect(await resultOf(source.replace('u.buffer]', 'new ArrayBuffer(2)]'))).toEqual([
      [new Uint8Array(3), new ArrayBuffer(2)],
      { called: 0 },
    ]);
  });
});

describe('what cannot leave the guest', () => {
  it.each([
    ['return () => 1', 'result is a function'],
    ['return { items: [1, 2, 3, { callback() {} }] }', 'result.items[3].callback is a function'],
    ['return { "a b": Symbol("x") }', 'result["a b"] is a symbol'],
    ['const a = []; a.push({ a }); return a', 'result[0].a is a cycle: it is one of its own ancestors'],
    ['return [new WeakMap()]', 'result[0] is an instance of WeakMap'],
    ['return new Uint16Array(2)', 'result is a Uint16Array; only Uint8Array and ArrayBuffer cross'],
    ['return new DataView(new ArrayBuffer(1))', 'result is an instance of DataView'],
    ['return Object(1)', 'result is an instance of Number'],
    ['return Object("x")', 'result is an instance of String'],
    ['return /x/', 'result is an instance of RegExp'],
    ['return Object.create({})', 'result is an instance of Object'],
    ['return Object.create(Object.create(null))', 'result is an object with a prototype of its own'],
    ['class A {} return new A()', 'result is an instance of A'],
    ['class L extends Array {} return [L.of(1)]', 'result[0] is an instance of L'],
    ['class M extends Map {} return new M()', 'result is an instance of M'],
    ['class U extends Uint8Array {} return new U(1)', 'result is an instance of U'],
    ['return new Map([[1, { f() {} }]])', 'result entry 0.f is a function'],
    ['return new Set([1, [() => 1]])', 'result entry 1[0] is a function'],
    ['return new Error("x", { cause: { f() {} } })', 'result.cause.f is a function'],
    ['const e = new Error("x"); e.cause = e; return [e]', 'result[0].cause is a cycle: it is one of its own ancestors'],
    ['return (function* () {})()', 'result is an object with a prototype of its own'],
    [
      'let o = 1; for (let i = 0; i < 251; i++) o = new Map([[1, o]]); return o',
      'result is nested deeper than 250 levels',
    ],
    ['let o = 1; for (let i = 0; i < 251; i++) o = [o]; return o', 'result is nested deeper than 250 levels'],
    ['let o = 1; for (let i = 0; i < 251; i++) o = { o }; return o', 'result is nested deeper than 250 levels'],
    ['return Object.setPrototypeOf({}, Date.prototype)', 'result is an instance of Date that cannot be read'],
    ['return Object.setPrototypeOf(new Map(), Set.prototype)', 'result is an instance of Set'],
    [
      'return Object.setPrototypeOf([], Uint8Array.prototype)',
      'result is an instance of Uint8Array that cannot be read',
    ],
    ['return new Proxy(new Date(), {})', 'result is an instance of Date that cannot be read'],
    [
      'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }',
      'result.proxy is an object that refuses to be read',
    ],
    ['return { get a() { return () => 1 } }', 'result.a is a function'],
  ])('%s', async (source, problem) => {
    const end = await endOf(source);
    expect(end).toMatchObject({
      status: 'failed',
      error: { kind: 'not_serializable', code: 'RESULT_NOT_SERIALIZABLE' },
    });
    expect(end.status === 'failed' && end.error.message).toBe(`Cannot return the result: ${problem}`);
  });

  it('is told as the program failing, when a getter of the result throws', async () => {
    const end = await endOf('return { ok: 1, get bad() {\n throw new RangeError("mine") } }');
    expect(end).toMatchObject({
      status: 'failed',
      error: { kind: 'thrown', name: 'RangeError', message: 'mine', line: 2 },
    });
  });
});

describe('what does leave the guest', () => {
  it.each<[string, unknown]>([
    ['return [1, , 3]', [1, undefined, 3]],
    ['Array.prototype[1] = "evil"; return [1, , 3]', [1, undefined, 3]],
    ['Array.prototype[1] = "evil"; return [new Map(), , 3]', [new Map(), undefined, 3]],
    ['Array.prototype[1] = () => 1; return [new Map(), , [4, , 5]]', [new Map(), undefined, [4, undefined, 5]]],
    ['return Object.assign([1], { extra: 2, [Symbol()]: 3 })', [1]],
    ['return Object.assign(Object.create(null), { a: 1 })', { a: 1 }],
    ['return { a: 1, [Symbol("s")]: 2 }', { a: 1 }],
    ['return Object.defineProperty({ a: 1 }, "hidden", { value: 1 })', { a: 1 }],
    ['return { a: 1, toJSON() { return 5 } }.a', 1],
    ['return { a: new Date(1), toJSON: null }', { a: new Date(1), toJSON: null }],
    ['return Object.freeze([Object.freeze({ a: 1 })])', [{ a: 1 }]],
    ['const s = { x: 1 }; return [s, s, { s }]', [{ x: 1 }, { x: 1 }, { s: { x: 1 } }]],
    ['return new Proxy({ a: 1 }, {})', { a: 1 }],
    ['return new Proxy([1, 2], {})', [1, 2]],
    ['return Promise.resolve({ a: 1 })', { a: 1 }],
    ['return { then(f) { f(5) } }', 5],
    ['return [Promise.resolve(1)].length', 1],
    ['return { get a() { return { get b() { return 1 } } } }', { a: { b: 1 } }],
    ['', undefined],
  ])('%s', async (source, value) => {
    expect(isDeepStrictEqual(await resultOf(source), value)).toBe(true);
  });
});

describe('reading a result', () => {
  it('takes 250 levels of every kind', async () => {
    for (const wrap of ['[o]', '{ o }', 'new Map([[1, o]])', 'new Set([o])']) {
      const depth = `let n = 0; for (let o = input_data; typeof o === 'object'; n++) o = Array.isArray(o) ? o[0] : o.o ?? [...o.values()][0]; return n`;
      const value = await resultOf(`let o = 1; for (let i = 0; i < 250; i++) o = ${wrap}; return o`);
      expect(await resultOf(depth, { input: value })).toBe(250);
    }
  });

  it('keeps a date that is none', async () => {
    const input = new Date(Number.NaN);
    expect(await resultOf('return [input_data, new Date(NaN), +input_data]', { input })).toStrictEqual([
      input,
      input,
      Number.NaN,
    ]);
  });

  it('tells an error of a getter inside a map as that error', async () => {
    const end = await endOf('return new Map([[1, { get bad() { throw new RangeError("mine") } }]])');
    expect(end).toMatchObject({ status: 'failed', error: { kind: 'thrown', name: 'RangeError' } });
  });

  it('calls a getter of an array item once: the engine refuses to write it, and calls nothing', async () => {
    const source = `let calls = 0; const list = [0, 1];
      Object.defineProperty(list, 0, { get: () => ++calls, enumerable: true }); return { list, twice: [list] }`;
    expect(await resultOf(source)).toEqual({ list: [1, 1], twice: [[1, 1]] });
  });

  it('is not misled by an item that is an instance when first read and plain when read again', async () => {
    const source = `class A { x = 1 } let calls = 0; const list = [];
      Object.defineProperty(list, 0, { get: () => calls++ === 0 ? new A() : { x: 1 }, enumerable: true }); return list`;
    expect(await endOf(source)).toMatchObject({ status: 'failed', error: { code: 'RESULT_NOT_SERIALIZABLE' } });
  });

  it('survives items that change their container while it is read', async () => {
    const source = `const outer = {}; for (let i = 0; i < 50; i++) outer['k' + i] = { i };
      const list = []; outer.k0 = list;
      Object.defineProperty(list, 0, { enumerable: true, get() {
        for (let i = 1; i < 50; i++) delete outer['k' + i];
        for (let i = 0; i < 500; i++) outer['n' + i] = [i];
        return 'changed' } });
      return outer`;
    const value = (await resultOf(source)) as Record<string, unknown>;
    expect(value['k0']).toEqual(['changed']);
    expect(Object.keys(value)).toHaveLength(50);
    expect(value['k1']).toBeUndefined();
  });

  it('is not misled by native accessors, bound to the container they change', async () => {
    const source = `const outer = { a: 1, b: 2, c: 3, list: [0] };
      Object.defineProperty(outer.list, 0, { enumerable: true, get: Reflect.deleteProperty.bind(null, outer, 'b') });
      return { outer, after: { get keys() { return Object.keys(outer).join() } } }`;
    expect(await resultOf(source)).toEqual({ outer: { a: 1, b: 2, c: 3, list: [true] }, after: { keys: 'a,c,list' } });
  });

  it('is not misled by a proxy that changes its kind', async () => {
    const source = `let asked = 0;
      return new Proxy({ a: 1 }, { getPrototypeOf: () => [Object.prototype, Map.prototype, Date.prototype][asked++ % 3] })`;
    expect(await endOf(source)).toMatchObject({ status: expect.stringMatching(/completed|failed/) });
  });

  it('judges by the prototype: a date whose prototype was taken is the plain object it looks like', async () => {
    const source =
      'return [Object.setPrototypeOf(new Date(), Object.prototype), Object.setPrototypeOf(new Map([[1, 2]]), null)]';
    expect(await resultOf(source)).toEqual([{}, {}]);
  });

  it('ends by the deadline when it never ends', async () => {
    const source =
      'const m = new Map([[0, 0]]); m.set(1, { get a() { m.set(Symbol.for("x"), 0); while (true); } }); return m';
    expect(await endOf(source, { limits: { timeMs: 50 } })).toMatchObject({ status: 'limited', limit: 'time' });
  });
});

function literal(value: number | bigint | string): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
