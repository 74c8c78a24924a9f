import { describe, expect, it } from 'vitest';
import { endOf, resultOf, runHere } from './testing/run-program.ts';

const runs = 1000;
const storms = 25;

// What a later run could notice of an earlier one, as text. Seeded, so that Math.random is part of it.
const fingerprint = `
  const seen = new Set(); const lines = [];
  const visit = (value, path, depth) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return lines.push(path + '=' + String(value));
    if (seen.has(value)) return;
    seen.add(value);
    lines.push(path + ':' + Object.isFrozen(value) + Object.isExtensible(value));
    for (const key of Reflect.ownKeys(value)) {
      const { get, set, value: item, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(value, key);
      const at = path + '.' + String(key);
      lines.push(at + [writable, enumerable, configurable]);
      for (const part of [get, set, item]) visit(part, at);
    }
    visit(Object.getPrototypeOf(value), path + '.proto');
  };
  visit(globalThis, 'globalThis'); visit((function* () {}), 'generator'); visit((async function* () {}), 'async generator');
  lines.push(typeof secretGlobal, /(b)/.exec('abc').index, new Error('x').stack, Symbol.for('k').description, Math.random(), Math.random());
  lines.push(Object.keys({}).length, [3, 1, 2].map((x) => x + 1).join(), JSON.stringify({ a: [1] }), String(Symbol.for('k') === Symbol.for('k')));
  let job = 'none'; Promise.resolve().then(() => { job = 'ran' }); await null; lines.push(job);
  return lines.join('\\n')`;

const poisons: readonly string[] = [
  'Object.prototype.polluted = 1; Object.prototype.toString = () => "evil"; globalThis.secretGlobal = 1',
  'Array.prototype.map = () => "evil"; Array.prototype[Symbol.iterator] = null; Array.prototype[5] = "evil"',
  'for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} }',
  'for (const k of Object.getOwnPropertyNames(globalThis)) { try { globalThis[k] = 5 } catch {} }',
  'Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis)',
  'Object.setPrototypeOf(Array.prototype, null); Object.setPrototypeOf(Function.prototype, {})',
  'Promise.prototype.then = function () {}; Promise.resolve = () => 5; Object.prototype.then = (f) => f("evil")',
  'console.log = () => { throw 1 }; Object.defineProperty(globalThis, "console", { get() { throw 1 } })',
  'Symbol.for("k"); Symbol.for("secret"); /(.*)/.exec("secret statics"); RegExp.prototype.exec = () => null',
  'Math.random = () => 0.5; Date.now = () => 0; JSON.stringify = () => "evil"; String.prototype.slice = () => "evil"',
  'Promise.resolve().then(function again() { globalThis.job = 1 }); new Promise(() => {}); throw new Error("left over")',
  'const loop = () => Promise.resolve().then(loop); loop(); await new Promise(() => {})',
  'Object.freeze(context); Object.setPrototypeOf(context, { evil: 1 })',
  'new WeakRef({}); new FinalizationRegistry(() => { globalThis.secretGlobal = 1 }).register({}, 1)',
  'function f() { f() } try { f() } catch {} (function* () { try { yield 1 } finally { globalThis.secretGlobal = 2 } })().next()',
  'eval("var secretGlobal = 1"); new Function("secretGlobal = 1")(); secretGlobal = 1',
  'Error.prepareStackTrace = () => "evil"; Error.stackTraceLimit = 0; Error.prototype.name = "Evil"; Error.prototype.message = "evil"',
];

const storm = `const kept = []; try { for (;;) kept.push(new Array(5e4).fill("secret text"), "x".repeat(1e5), {}) } catch {}
  for (let i = 0; i < 1e3; i++) { try { kept.push(new Uint8Array(1e6)) } catch {} } Object.prototype.polluted = kept`;

describe('every run starts pristine', () => {
  it(`after each of ${runs} runs that poison what they can reach, ${storms} of them with a caught out-of-memory`, async () => {
    const clean = await resultOf(fingerprint);
    expect(clean).toContain('globalThis.Array.prototype.map');
    for (let run = 0; run < runs; run++) {
      const isStorm = run % Math.floor(runs / storms) === 0;
      const source = isStorm ? storm : (poisons[run % poisons.length] ?? '');
      const end = await endOf(source, {
        limits: { timeMs: isStorm ? 10_000 : 20, stackBytes: 32 * 1024, memoryBytes: 24 * 1024 * 1024 },
      });
      if (isStorm) expect(end).toMatchObject({ status: 'limited', limit: 'memory' });
      // The whole walk every now and then and after every storm; a quick look in between.
      if (isStorm || run % 20 === 0 || run < poisons.length + 1) expect(await resultOf(fingerprint)).toBe(clean);
      else
        expect(await resultOf('return [({}).polluted, [1].map((x) => x + 1), typeof secretGlobal]')).toEqual([
          undefined,
          [2],
          'undefined',
        ]);
    }
  }, 120_000);

  it('poisons, indeed: each of these is noticed by the same run', async () => {
    const clean = await resultOf(fingerprint);
    for (const poison of [
      'Object.prototype.polluted = 1',
      'Array.prototype[5] = 1',
      'Object.freeze(Array.prototype)',
      'globalThis.x = 1',
      'Math.random()',
    ]) {
      expect(await resultOf(`${poison};${fingerprint}`)).not.toBe(clean);
    }
  });
});

const startMemory = 16 * 1024 * 1024;

// Fills strings of both widths, buffers, numbers, property names and the stack with a secret.
const plant = `const secret = 'PORTHOLE' + '-SECRET-' + 'e3b0c442'; const kept = [];
  for (let i = 0; i < 2000; i++) kept.push((secret + i).repeat(3), (secret + "€" + i).repeat(2), { [secret + i]: secret + i });
  const bytes = Uint8Array.from(secret.repeat(2e3), (c) => c.charCodeAt(0));
  kept.push(bytes, new Float64Array(bytes.buffer.slice(0)), new RegExp(secret), new Error(secret));
  const dive = (n) => n === 0 ? new Error(secret).stack : dive(n - 1) + secret; kept.push(dive(50));
  Symbol.for(secret); globalThis[secret] = kept; return kept.length`;

// Makes everything that allocates and gives it all back, for the host to look at. The secret is never written here.
const harvest = `const buffers = {}; const texts = [];
  for (let size = 3; size <= 40_000; size = Math.ceil(size * 2.7)) {
    Object.assign(buffers, {
      ['ArrayBuffer ' + size]: new Uint8Array(new ArrayBuffer(size)), ['Uint8Array ' + size]: new Uint8Array(size),
      ['Float64Array ' + size]: new Uint8Array(new Float64Array(size >> 3).buffer), ['from ' + size]: Uint8Array.from({ length: size >> 6 }),
      ['transfer ' + size]: new Uint8Array(new ArrayBuffer(8).transfer(size)),
      ['transfer down ' + size]: new Uint8Array(new ArrayBuffer(size).transfer(size >> 1)),
      ['slice ' + size]: new Uint8Array(new ArrayBuffer(size).slice(1)),
      ['subclass ' + size]: new Uint8Array(new (class extends Uint8Array {})(size).buffer),
      ['items ' + size]: Uint8Array.from([...new Array(Math.min(size, 4096))].filter((item) => item !== undefined), () => 1),
    });
    texts.push('x'.repeat(size), 'é'.padStart(size, 'ab'), '€'.padEnd(size >> 2, 'cd'), [...Array(Math.min(size, 4096))].join('ef'));
  }
  texts.push(new Error('x').stack, (123n ** 999n).toString(), String(Math.PI), JSON.stringify([...Array(999).keys()]), String(new Date()),
    Object.getOwnPropertyNames(globalThis).join(), Reflect.ownKeys(globalThis).map(String).join(), String(Symbol('')), String(() => 1),
    encodeURIComponent('é'.repeat(999)), 'İ'.repeat(999).toLowerCase(), 'a'.normalize('NFKD'), 'x,y'.split(',').join(), RegExp('').source);
  return { buffers, texts }`;

interface Harvest {
  readonly buffers: Readonly<Record<string, Uint8Array>>;
  readonly texts: readonly string[];
}

describe('a secret of one run', () => {
  it('is in no new buffer, string or stack of the next, in the very same memory', async () => {
    for (let round = 0; round < 5; round++) {
      const planted = await runHere(plant);
      const { end, memoryBytes } = await runHere(harvest);
      if (end.status !== 'completed') throw new Error(JSON.stringify(end));
      // Neither grew, so the instance was reset and not replaced.
      expect([planted.end, planted.memoryBytes, memoryBytes]).toEqual([
        { status: 'completed', value: 6005 },
        startMemory,
        startMemory,
      ]);
      const { buffers, texts } = end.value as Harvest; // as the program builds it
      expect(
        Object.entries(buffers)
          .filter(([, bytes]) => bytes.some((byte) => byte !== 0))
          .map(([name]) => name),
      ).toEqual([]);
      expect(texts.filter((text) => /PORTHOLE|SECRET|e3b0c442/.test(text))).toEqual([]);
    }
  }, 60_000);

  it('is not in a result, a thrown value or the console of the next', async () => {
    await resultOf(plant);
    for (const source of [
      'return [new ArrayBuffer(1e5), new Uint8Array(1e5), "x".repeat(1e5)]',
      'return new Error("x")',
      'return new Map([[{}, new Date(0)]])',
    ]) {
      expect(
        JSON.stringify(await resultOf(source), (_, item: unknown) =>
          item instanceof ArrayBuffer ? Buffer.from(item).toString('latin1') : item,
        ),
      ).not.toContain('PORTHOLE');
    }
  });
});
