import { describe, expect, it } from 'vitest';
import type { Helper } from './helper.ts';
import { endOf, printedBy, resultOf, runHere } from './testing/run-program.ts';

describe('console', () => {
  it.each<[string, string]>([
    ['"text"', 'text'],
    ['"a", 1, null, undefined, true', 'a 1 null undefined true'],
    ['["a", "b\\n"]', '["a", "b\\n"]'],
    ['-0, NaN, 5n, 1e21', '-0 NaN 5n 1e+21'],
    ['Symbol("s")', 'Symbol(s)'],
    ['() => 1, function named() {}, class A {}', '[Function: ] [Function: named] [Function: A]'],
    ['{ a: 1, "b c": [1, { d: 2 }] }', '{ a: 1, "b c": [1, { d: 2 }] }'],
    ['{}, [], new Map(), new Set()', '{} [] Map(0) {} Set(0) {}'],
    ['new Map([["k", { v: 1 }]]), new Set([1, "2"])', 'Map(1) { "k" => { v: 1 } } Set(2) { 1, "2" }'],
    ['[1, , 3]', '[1, undefined, 3]'],
    ['new Date(0), new Date(NaN)', '1970-01-01T00:00:00.000Z Invalid Date'],
    ['/a\\/b/giu, new RegExp("")', '/a\\/b/giu /(?:)/'],
    ['new Uint8Array([1, 2]), new Float32Array(1)', 'Uint8Array(2) [1, 2] Float32Array(1) [0]'],
    ['new ArrayBuffer(8)', 'ArrayBuffer(8)'],
    ['Object.assign(Object.create(null), { a: 1 })', '{ a: 1 }'],
    ['new (class Point { x = 1 })()', 'Point { x: 1 }'],
    ['new (class Empty {})()', 'Empty {}'],
    ['Promise.resolve(1)', 'Promise {}'],
    ['Object(5)', 'Number {}'],
    ['{ get a() { throw 1 }, set b(v) {} }', '{ a: [Getter], b: [Getter] }'],
    ['[[[[[1]]]]], { a: { b: { c: { d: {} } } } }', '[[[[[Array]]]]] { a: { b: { c: { d: [Object] } } } }'],
    [
      '(() => { const o = { name: "o" }; o.self = o; o.list = [o]; return o })()',
      '{ name: "o", self: [Circular], list: [[Circular]] }',
    ],
    ['Array.from({ length: 103 }, (_, i) => i).fill(7)', `[${Array(100).fill(7).join(', ')}, … 3 more]`],
    ['["x".repeat(10_001)]', `["${'x'.repeat(10_000)}"… 1 more characters]`],
    ['', ''],
  ])('shows %s', async (values, text) => {
    expect(await printedBy(`console.log(${values})`)).toEqual([text]);
  });

  it('shows an error with its name, message and stack', async () => {
    expect(
      await printedBy('\nconsole.log(new TypeError("bad"))\nconsole.log(Object.assign(new Error("b"), { stack: "" }))'),
    ).toEqual(['TypeError: bad\n    at program (program.js:2:26)', 'Error: b']);
  });

  it('keeps order and levels', async () => {
    const { console } = await runHere(
      'for (const level of ["log", "info", "warn", "error", "debug"]) console[level](level)',
    );
    expect(console.lines).toEqual(['log', 'info', 'warn', 'error', 'debug'].map((level) => ({ level, text: level })));
  });

  it('returns undefined, and works without its object', async () => {
    expect(await resultOf('const { log } = console; return [log("x"), typeof console.log.prototype]')).toEqual([
      undefined,
      'undefined',
    ]);
  });

  it.each([
    'new Proxy({}, { getPrototypeOf() { throw 1 } })',
    'new Proxy({}, { ownKeys() { throw 1 } })',
    'new Proxy([], { getOwnPropertyDescriptor() { throw 1 } , get() { return 5 }})',
    'new Proxy({}, { get() { throw 1 } })',
    'new Proxy(function () {}, { get() { throw 1 } })',
    'new Proxy(class {}, {})',
    '(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy })()',
    '(() => { const p = Proxy.revocable([], {}); p.revoke(); return [p.proxy] })()',
    'Object.setPrototypeOf({}, Map.prototype)',
    'Object.setPrototypeOf({}, RegExp.prototype)',
    'Object.setPrototypeOf({}, ArrayBuffer.prototype)',
    'Object.setPrototypeOf({}, Date.prototype)',
    'Object.setPrototypeOf({}, new Proxy({}, { getPrototypeOf() { throw 1 } }))',
    'Object.create({ get constructor() { throw 1 } })',
    'Object.defineProperty(new Error("x"), "message", { get() { throw 1 } })',
    'Object.defineProperty(() => 1, "name", { get() { throw 1 } })',
    'Object.defineProperty([], "length", { value: 4294967295 })',
    'Array(4294967295)',
    '"x".repeat(2 ** 24)',
    'new Uint8Array(2 ** 22)',
    'Array.from({ length: 1e5 }, () => "text")',
    '(() => { let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return o })()',
    '(() => { let a = ["leaf"]; for (let i = 0; i < 30; i++) a = Array(100).fill(a); return a })()',
    '(() => { let o = {}; for (let i = 0; i < 1e5; i++) o["k" + i] = i; return o })()',
    '...Array(1e4).fill("many")',
  ])('throws nothing and hangs on nothing: %s', async (value) => {
    const source = `const value = [${value}]; for (const level of ["log", "error"]) console[level](...value); return "on"`;
    const outcome = await runHere(source, { limits: { timeMs: 3000 } });
    expect(outcome.end).toEqual({ status: 'completed', value: 'on' });
    expect(outcome.console.lines.length).toBeGreaterThan(0);
  });

  it('is cut at consoleBytes, at the border of a character, and the run goes on', async () => {
    for (const [text, limit, kept] of [
      ['aaaaaaaaaa', 5, 'aaaa'],
      ['éééééééééé', 6, 'éé'],
      ['€€€€', 7, '€€'],
      ['€€€€', 6, '€'],
      ['\u{1F44D}\u{1F44D}', 8, '\u{1F44D}'],
      ['\u{1F44D}\u{1F44D}', 4, ''],
    ] as const) {
      const outcome = await runHere(`console.log(input_data); console.log("later"); return 1`, {
        input: text,
        limits: { consoleBytes: limit },
      });
      expect(outcome.console).toEqual({ lines: [{ level: 'log', text: kept }], truncated: true });
      expect(outcome.warnings.map(({ code }) => code)).toEqual(['CONSOLE_TRUNCATED']);
      expect(outcome.end).toEqual({ status: 'completed', value: 1 });
    }
  });

  it('takes exactly consoleBytes, each line with its end counted, without being cut', async () => {
    const outcome = await runHere('console.log("abcd"); console.log("é")', { limits: { consoleBytes: 8 } });
    expect(outcome.console).toEqual({
      lines: [
        { level: 'log', text: 'abcd' },
        { level: 'log', text: 'é' },
      ],
      truncated: false,
    });
    const oneLess = await runHere('console.log("abcd"); console.log("é")', { limits: { consoleBytes: 7 } });
    expect(oneLess.console).toEqual({
      lines: [
        { level: 'log', text: 'abcd' },
        { level: 'log', text: '' },
      ],
      truncated: true,
    });
  });

  it('costs little once it was cut, however much is printed', async () => {
    const source =
      'const big = Array(1e4).fill({ text: "x".repeat(1e4) }); for (let i = 0; i < 1e4; i++) console.log(big, big); return 1';
    const outcome = await runHere(source, { limits: { consoleBytes: 100, timeMs: 3000 } });
    expect(outcome.end).toEqual({ status: 'completed', value: 1 });
    expect(outcome.console.lines).toHaveLength(1);
  });

  it('does not spend the memory of the guest on text that will be cut', async () => {
    const source =
      'const big = "x".repeat(24e6); console.log(big, big); console.log([big, { big }]); return big.length';
    expect(await endOf(source)).toEqual({ status: 'completed', value: 24e6 });
  });
});

describe('helpers in the guest', () => {
  const refusal: Helper = () => ({
    kind: 'refused',
    name: 'ValueError',
    message: 'read_file("x"): no',
    code: 'PATH_INVALID',
    path: 'x',
  });

  it('throw a ValueError that is an Error, with code and path, and that can be caught', async () => {
    const source = `try { read_file("x") } catch (e) {
      return [e instanceof Error, e.name, e.message, e.code, e.path, String(e), Object.keys(e)] }`;
    expect(await resultOf(source, { helpers: { read_file: refusal } })).toEqual([
      true,
      'ValueError',
      'read_file("x"): no',
      'PATH_INVALID',
      'x',
      'ValueError: read_file("x"): no',
      ['code', 'path'],
    ]);
    expect(await resultOf('return typeof ValueError')).toBe('undefined');
  });

  it('hand over arguments without coercing any', async () => {
    const seen: unknown[] = [];
    const read_file: Helper = (args) => {
      seen.push(...args);
      return { kind: 'value', value: null };
    };
    const source = `const evil = { toString() { throw 1 }, valueOf() { throw 1 } };
      read_file("a\\0b", 5, -0, NaN, 7n, true, null, undefined, "\\ud800");
      read_file([1], evil.toString, Symbol("s"), new Date(), new Map(), new (class A {})(), new String("x"));
      read_file({ max_chars: 5, offset: 1n, ["__proto__"]: "p", o: {}, a: [], f() {}, s: Symbol(), u: undefined, n: null });
      read_file(Object.assign(Object.create(null), { k: "v" }))`;
    await resultOf(source, { helpers: { read_file } });
    const other = (description: string) => ({ kind: 'other', description });
    expect(seen).toEqual([
      'a\0b',
      5,
      -0,
      Number.NaN,
      7n,
      true,
      null,
      undefined,
      '\ud800',
      other('an array'),
      other('a function'),
      other('a symbol'),
      other('an object'),
      other('an object'),
      other('an object'),
      other('an object'),
      {
        kind: 'options',
        fields: new Map<string, unknown>([
          ['max_chars', 5],
          ['offset', 1n],
          ['__proto__', 'p'],
          ['o', other('an object')],
          ['a', other('an array')],
          ['f', other('a function')],
          ['s', other('a symbol')],
          ['u', undefined],
          ['n', null],
        ]),
      },
      { kind: 'options', fields: new Map([['k', 'v']]) },
    ]);
  });

  it.each<unknown>([
    5,
    'text',
    null,
    ['a', 'b'],
    ['refused', 'x', 'y'],
    [],
    [['array', 1]],
    { a: [1] },
    new Map([[1, new Set(['x'])]]),
    new Date(5),
    Uint8Array.of(1),
  ])('return plain data as the host gave it: %j', async (value) => {
    expect(
      await resultOf('return read_file("x")', { helpers: { read_file: () => ({ kind: 'value', value }) } }),
    ).toEqual(value);
  });

  it('are parameters: no global, and absent where the mode has none', async () => {
    const helpers = { read_file: refusal };
    expect(
      await resultOf('return [typeof read_file, typeof globalThis.read_file, typeof write_file]', { helpers }),
    ).toEqual(['function', 'undefined', 'undefined']);
    expect(await endOf('read_file("x")')).toMatchObject({ error: { name: 'ReferenceError', line: 1, column: 1 } });
  });

  it('can be awaited, renamed, and have no prototype to poison', async () => {
    const read_file: Helper = () => ({ kind: 'text', utf8: Buffer.from('body') });
    const source = 'const r = read_file; return [await r("x"), r.name, r.length, "prototype" in r, r.call(null, "x")]';
    expect(await resultOf(source, { helpers: { read_file } })).toEqual(['body', 'read_file', 0, false, 'body']);
  });
});

// Every function and accessor that a program can reach is replaced by one that notes its call; setters and getters for
// every name and index the prelude uses are laid on Object.prototype and Array.prototype.
const poison = `
  const calls = []; const { apply, construct, ownKeys } = Reflect;
  const { getOwnPropertyDescriptor, defineProperty, getPrototypeOf } = Object;
  const prototypes = [Object.prototype, Array.prototype];
  const kept = { Map, Set, Date, Error, Uint8Array, RegExp, make: Object.create, log: console.log };
  let count = 0;
  const note = (what) => { count++; defineProperty(calls, calls.length, { __proto__: null, value: what, configurable: true }) };
  const found = new Set(); const { has, add, forEach } = Set.prototype;
  const walk = (value) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || apply(has, found, [value])) return;
    apply(add, found, [value]);
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      const d = getOwnPropertyDescriptor(value, keys[i]);
      if (d !== undefined) { walk(d.value); walk(d.get); walk(d.set) }
    }
    walk(getPrototypeOf(value));
  };
  walk(globalThis); walk(function* () {}); walk(async function () {}); walk(async function* () {});
  const all = []; apply(forEach, found, [(value) => { all[all.length] = value }]);
  for (let i = 0; i < all.length; i++) {
    const keys = ownKeys(all[i]);
    for (let j = 0; j < keys.length; j++) {
      const key = keys[j]; const d = getOwnPropertyDescriptor(all[i], key);
      if (!d || !d.configurable || key === 'prototype' || key === 'constructor') continue;
      if (typeof d.value === 'function') {
        const old = d.value;
        d.value = function (...args) { note(key); return new.target ? construct(old, args) : apply(old, this, args) };
      } else if (d.get) {
        const old = d.get;
        d.get = function () { note(key); return apply(old, this, []) };
      } else continue;
      try { defineProperty(all[i], key, d) } catch {}
    }
  }
  const names = ['0', '1', '2', '3', '4', '5', '6', '7', 'get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'toJSON',
    'then', 'name', 'message', 'cause', 'code', 'path', 'stack', 'kind', 'next', 'done', 'return', 'raw', 'index', 'input', 'source',
    'flags', 'length', 'max_chars', 'prototype'];
  for (let i = 0; i < names.length; i++) {
    for (let j = 0; j < 2; j++) {
      try {
        defineProperty(prototypes[j], names[i], { __proto__: null,
          get() { note('get ' + names[i]); return undefined }, set(v) { note('set ' + names[i]) }, configurable: true });
      } catch {}
    }
  }
  Error.prepareStackTrace = () => note('prepareStackTrace'); Error.stackTraceLimit = 0;
  count = 0;
`;

describe('a poisoned world', () => {
  const answers: Readonly<Record<string, Helper>> = {
    read_file: () => ({ kind: 'value', value: [{ a: 1 }, 'x', new Map([[1, new Set([2])]]), new Error('host')] }),
    write_file: () => ({ kind: 'refused', name: 'ValueError', message: 'no', code: 'X', path: 'p' }),
  };

  it('is poisoned: a program that uses its own intrinsics notices', async () => {
    const source = `const list = []; list[0] = 1; [1].map(() => 1); ({}).then; ({}).value = 5; return count`;
    expect(await resultOf(`${poison}; ${source}`)).toBeGreaterThan(3);
  });

  it.each([
    'kept.log({ a: [1, "x", {}], d: new kept.Date(0), e: new kept.Error("q") }, /a/gi, new kept.Map(), new kept.Uint8Array(3), 5n)',
    'kept.log({ get a() { return 1 } }, () => 1, Symbol.iterator, [[[[[]]]]])',
    'read_file("x", { max_chars: 1 }, [], () => 1)',
    'try { write_file("x") } catch (e) {}',
  ])('sees no call of the prelude: %s', async (action) => {
    const outcome = await runHere(
      `${poison}; ${action}; let out = ''; for (let i = calls.length - count; i < calls.length; i++) out += calls[i] + ' '; return out`,
      { helpers: answers },
    );
    // What a walk over the array of the test itself calls is not the prelude's doing.
    expect(outcome.end).toEqual({ status: 'completed', value: expect.not.stringMatching(/\S/) });
  });

  it.each<[string, unknown]>([
    ['return 1', 1],
    ['return { a: [1, { b: "x" }], n: null }', { a: [1, { b: 'x' }], n: null }],
    [
      'return [new kept.Map(), new kept.Set(), new kept.Date(5), new kept.Uint8Array(2)]',
      [new Map(), new Set(), new Date(5), new Uint8Array(2)],
    ],
    [
      'return read_file("x")',
      [{ a: 1 }, 'x', new Map([[1, new Set([2])]]), expect.objectContaining({ message: 'host' })],
    ],
    ['return [input_data, context]', [{ k: [1] }, { c: 1 }]],
    ['return [[], , 5]', [[], undefined, 5]],
  ])('gives the same result: %s', async (source, value) => {
    expect(await resultOf(`${poison}; ${source}`, { helpers: answers, input: { k: [1] }, context: { c: 1 } })).toEqual(
      value,
    );
  });

  it.each<[string, object]>([
    ['throw { x: 1 }', { name: 'Thrown', message: '{ x: 1 }', thrown: { x: 1 } }],
    [
      'throw new kept.Error("e", kept.make(null, { cause: { __proto__: null, value: 7 } }))',
      { name: 'Error', message: 'e', cause: { message: '7' } },
    ],
    ['write_file("x")', { name: 'ValueError', code: 'X', path: 'p' }],
    ['return () => 1', { code: 'RESULT_NOT_SERIALIZABLE', message: 'Cannot return the result: result is a function' }],
    ['return { "a b": [() => 1] }', { message: 'Cannot return the result: result["a b"][0] is a function' }],
  ])('gives the same error: %s', async (source, error) => {
    expect(await endOf(`${poison}; ${source}`, { helpers: answers })).toMatchObject({ status: 'failed', error });
  });
});

describe('the prelude', () => {
  it('lends none of its functions to the guest through a stack', async () => {
    const source = `const seen = [];
      Error.prepareStackTrace = (e, frames) => { seen.push(frames); return '' };
      const trap = new Proxy({}, { getPrototypeOf() { seen.push(new Error().stack, trapCaller()); return null }, ownKeys() { seen.push(trapCaller()); return [] } });
      function trapCaller() { try { return typeof trapCaller.caller } catch { return 'refused' } }
      console.log(trap); try { read_file(trap) } catch {}
      return seen.filter((x) => typeof x !== 'string').length`;
    const read_file: Helper = () => ({ kind: 'value', value: 1 });
    expect(await resultOf(source, { helpers: { read_file } })).toBe(0);
  });

  it('keeps its promises when the stack is nearly full', async () => {
    const source = `let deepest = 0; const results = new Set();
      const dive = (n) => { try { return dive(n + 1) } catch (e) { deepest = Math.max(deepest, n);
        try { results.add(typeof read_file("x", { a: [1] })) } catch (e) { results.add(e.name + ':' + typeof e.code) } throw e } };
      try { dive(0) } catch {}
      return [...results].sort()`;
    const read_file: Helper = () => ({ kind: 'text', utf8: Buffer.from('t') });
    const value = await resultOf(source, { helpers: { read_file }, limits: { stackBytes: 32 * 1024 } });
    for (const result of value as string[]) expect(['string', 'InternalError:undefined']).toContain(result);
  });
});
