import { getQuickJS, type QuickJSContext } from 'quickjs-emscripten';
import { describe, expect, it } from 'vitest';
import { endOf } from './testing/run-program.ts';

// The stock binding of the same engine: slow, leaking, lossy for some strings, and written by others.
const quickjs = await getQuickJS();
// It shows the host's time zone to its guests; ours are in UTC wherever the host is.
process.env['TZ'] = 'UTC';

const programs: readonly string[] = [
  'return 1 + 1',
  'return [0.1 + 0.2, 1e21, 123456789012345680000, 5e-324, 1 / 3]',
  'return [7 / 2 | 0, -7 % 3, 2 ** 40, 1 << 31, -1 >>> 0, ~5]',
  'return ["a" + 1, "b" + null, "c" + undefined, [] + {}, [1, 2] + ""]',
  'return [1, "1", true, null].map((x) => typeof x)',
  'return "héllo wörld".toUpperCase()',
  'return "a-b_c".split(/[-_]/)',
  'return "2024-01-15".match(/(\\d+)-(\\d+)/).slice(0, 3)',
  'return "x".padStart(5, "ab")',
  'return "aXbX".replaceAll("X", (m, i) => i)',
  'return [..."a\u{1F44D}b"].length',
  'return "\u{1F44D}".codePointAt(0)',
  'return "abc".at(-1)',
  'return " x ".trim() + "|"',
  'return encodeURIComponent("é&=") + decodeURIComponent("%C3%A9")',
  'return escape("é") + unescape("%u20AC")',
  'return "ß".normalize("NFD").length + "É".localeCompare("E")',
  'return [3, 1, 2].sort()',
  'return [10, 9, 1].sort()',
  'return [10, 9, 1].toSorted((a, b) => a - b)',
  'return [1, 2, 3].reduce((a, b) => a + b)',
  'return [1, [2, [3, [4]]]].flat(Infinity)',
  'return Array.from({ length: 3 }, (_, i) => i * i)',
  'return [1, 2, 3].includes(2) && [1, 2].indexOf(5)',
  'return [1, 2, 3, 4].findLast((x) => x % 2)',
  'return [1, 2, 3].with(1, 9)',
  'return Object.entries({ b: 1, a: 2, 1: 3 })',
  'return Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even")).odd',
  'return Object.fromEntries([["a", 1]])',
  'return { ...{ a: 1 }, b: 2 }',
  'const { a, ...rest } = { a: 1, b: 2 }; return rest',
  'const [x, , y = 5] = [1, 2]; return [x, y]',
  'return JSON.parse(JSON.stringify({ a: [1, { b: null }], c: "\\u0000" })).a',
  'return JSON.stringify({ a: undefined, b: () => 1, c: NaN, d: new Date(0) })',
  'return JSON.stringify({ a: 1, b: [1, 2] }, null, 2)',
  'class A { #p = 1; get p() { return this.#p } static s = 2 } return [new A().p, A.s]',
  'class A { m() { return 1 } } class B extends A { m() { return super.m() + 1 } } return new B().m()',
  'function* g() { yield 1; yield* [2, 3] } return [...g()]',
  'const it = { *[Symbol.iterator]() { yield 1 } }; return [...it]',
  'async function* g() { yield 1; yield 2 } const out = []; for await (const x of g()) out.push(x); return out',
  'return await Promise.all([1, Promise.resolve(2)])',
  'return (await Promise.allSettled([Promise.reject(1)]))[0].status',
  'return await Promise.race([new Promise(() => {}), Promise.resolve(3)])',
  'return await Promise.any([Promise.reject(1), 4])',
  'let log = []; queue(); async function queue() { log.push(1); await null; log.push(2) } log.push(3); await null; return log',
  'const order = []; await Promise.resolve().then(() => order.push(1)).finally(() => order.push(2)); return order',
  'try { throw new Error("x") } catch ({ message }) { return message } finally { }',
  'try { null.x } catch (e) { return [e.name, e.message] }',
  'try { undefinedName } catch (e) { return e instanceof ReferenceError }',
  'label: for (const i of [1, 2]) { for (;;) { continue label } } return "done"',
  'switch (3) { case 1: return "a"; default: return "b" }',
  'var f = function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) }; return f(15)',
  'return ((a, b = a + 1, ...c) => [a, b, c])(1, undefined, 3, 4)',
  'return (function () { return arguments.length })(1, 2, 3)',
  'const m = new Map([["a", 1]]); m.set("b", 2); return [...m.entries()]',
  'const s = new Set([1, 1, 2]); return [...s].length',
  'const w = new WeakMap(); const k = {}; w.set(k, 5); return w.get(k)',
  'return new Set([1, 2]).union(new Set([3])).size',
  'return Symbol("d").description + Symbol.for("k").toString()',
  'return new Proxy({}, { get: (_, k) => k + "!" }).hey',
  'return Reflect.ownKeys({ b: 1, [Symbol.iterator]: 2 }).length',
  'return [parseInt("0x1f"), parseInt("12px"), parseFloat("1.5e3x"), Number(""), Number("0b11")]',
  'return [(255).toString(16), (0.5).toString(2), (1234.5678).toFixed(2), (1e21).toPrecision(3)]',
  'return [Math.max(), Math.min(1, -1), Math.hypot(3, 4), Math.sign(-3), Math.trunc(-1.5), Math.clz32(1)].map(String)',
  'return (123n ** 20n).toString()',
  'return String(BigInt.asIntN(8, 255n)) + String(-7n / 2n)',
  'return new Date(0).toISOString()',
  'return new Date(2024, 1, 29, 12).getTime()',
  'return new Date("2024-03-10T02:30:00").toString()',
  'return Date.UTC(2000, 0, 1)',
  'return new Date("2024-02-30").getTime()',
  'return new Date(2024, 0, 1).getTimezoneOffset()',
  'return Array.from(new Uint8Array([256, -1, 1.9]))',
  'return Array.from(new Float32Array([0.1]))[0]',
  'return new DataView(new ArrayBuffer(8)).getFloat64(0)',
  'return Array.from(new Uint16Array(new Uint8Array([1, 2]).buffer))',
  'return /(?<year>\\d{4})/.exec("in 2024").groups.year',
  'return "aBc".replace(/b/i, "[$&]")',
  'return [..."a1b2".matchAll(/\\d/g)].map((m) => m.index)',
  'return /\\p{Lu}/u.test("É")',
  'return "x".repeat(3).concat("y")',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is the guest's
  'return `a${1 + 1}b${[1, 2]}`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is the guest's
  'return String.raw`\\n${1}`',
  'return eval("var q = 5; q * 2")',
  'return new Function("a", "b", "return a * b")(3, 4)',
  'return typeof globalThis + typeof undefinedThing',
  'return void 0 ?? "fallback"',
  'const o = { a: { b: null } }; return [o?.a?.b?.c, o.x?.()].length',
  'let x = null; x ??= 5; x ||= 6; x &&= 7; return x',
  'return [...[1, 2, 3].entries()].map(([i, v]) => i * v)',
  'return structuredCloneIsMissing()\nfunction structuredCloneIsMissing() { return typeof structuredClone }',
  'return Number.MAX_SAFE_INTEGER + 2',
  'return [0 === -0, Object.is(0, -0), NaN === NaN]',
  'return isNaN("x") + isFinite("5")',
  'var hoisted = typeof later; function later() {} return hoisted',
  'try { tdz; let tdz = 1 } catch (e) { return e.name }',
  'return Object.getOwnPropertyNames(class { static m() {} }).sort()',
  'return Error("m").toString() + new TypeError("t")',
  'return new AggregateError([1], "agg").errors',
  'return [] instanceof Array && Array.isArray(new Proxy([], {}))',
  'return "a,b".split(",", 1).concat([["c"]]).length',
];

// Bodies without `return`, so that plain QuickJS takes them as a script.
const failures: readonly string[] = [
  'x',
  '\n\n  undefinedName.y',
  'let o = {};\n\n  o.a.b()',
  'null.x',
  'const f = () => {\n  throw new TypeError("t")\n}\n\nf()',
  '   throw new RangeError("padded")',
  '"é\u{1F44D}"; missing',
  'JSON.parse("\\n\\n{x")',
  '\neval("\\n\\n throw new Error(1)")',
  '\n new Function("\\n\\n throw new Error(1)")()',
  '[1].map(() => { null.x })',
  'class A { constructor() {\n this.x.y } }\nnew A()',
  'new Array(-1)',
  '"x".repeat(-1)',
  'Symbol() + ""',
  '1n + 1',
  'Object.defineProperty(1, "x", {})',
  '(function rec(n) { if (n === 0) throw new Error("deep")\n rec(n - 1) })(20)',
  'const c = 1;\nc = 2',
  'let p = new Proxy({}, { get() {\n throw new Error("trap") } });\np.x',
  '[3, 1].sort(() => {\n\tthrow new Error("in sort") })',
  '\t\tfoo()',
  '\r\n\r\n  bar()',
  'var a = 1\nvar b = a +\n  c',
  'if (true) {\n  nested.call()\n}',
  // Syntax errors, with and without a brace.
  'const x = ;',
  '\n\n  let 5',
  'foo bar',
  'return 08n'.slice(7),
  '"abc',
  'a\n/*\n\n*/ x y',
  'function () {}',
  'if (x) { ) }',
  'let { a, ',
  'x = { a: 1,, }',
  '"use strict"; with (a) {}',
  'for (const x of) {}',
  'new.target.x; }',
];

describe('the sandbox and the stock binding', () => {
  it.each(programs)('agree on the value of: %s', async (source) => {
    const end = await endOf(source);
    const value = end.status === 'completed' ? end.value : end;
    expect(value).toEqual(stockValue(source));
  });

  it.each(failures)('agree on error, line and column of: %j', async (source) => {
    const end = await endOf(source);
    if (end.status !== 'failed') throw new Error(`did not fail: ${JSON.stringify(end)}`);
    const stock = stockError(source);
    const { name, line, column } = end.error;
    expect(name).toBe(stock.name);
    // At the end of the body stands the wrapper's brace, so the engine speaks of another token there.
    if (column === undefined) expect(stock.line ?? 1).toBe(line);
    else
      expect({ message: end.error.message, line, column }).toEqual({
        message: stock.message,
        line: stock.line,
        column: stock.column,
      });
  });
});

function stockValue(source: string): unknown {
  return withContext((context) => {
    const promise = context.unwrapResult(context.evalCode(`(async () => {\n${source}\n})()`));
    context.unwrapResult(context.runtime.executePendingJobs()).toString();
    const state = context.getPromiseState(promise);
    if (state.type !== 'fulfilled') throw new Error(`the stock binding says ${state.type}`);
    const value: unknown = context.dump(state.value);
    state.value.dispose();
    promise.dispose();
    return value;
  });
}

interface StockError {
  readonly name: string;
  readonly message: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

function stockError(source: string): StockError {
  return withContext((context) => {
    const result = context.evalCode(source, 'program.js', { type: 'global' });
    if (result.error === undefined) throw new Error('the stock binding ran it');
    const { name, message, stack } = context.dump(result.error) as Record<string, string>; // an Error's fields
    result.error.dispose();
    const position = /program\.js:(\d+)(?::(\d+))?/.exec(stack ?? '');
    return { name: name ?? '', message: message ?? '', line: numberOf(position?.[1]), column: numberOf(position?.[2]) };
  });
}

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function withContext<T>(use: (context: QuickJSContext) => T): T {
  const context = quickjs.newContext();
  try {
    return use(context);
  } finally {
    context.dispose();
  }
}
