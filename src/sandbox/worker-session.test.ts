import { describe, expect, it } from 'vitest';
import type { Helper } from './helper.ts';
import { endOf, resultOf, runHere } from './testing/run-program.ts';

describe('a run', () => {
  it.each<[string, unknown]>([
    ['return await 5', 5],
    ['await null; return [1]', [1]],
    ['return Promise.resolve(Promise.resolve(6))', 6],
    ['return new Promise((resolve) => Promise.resolve().then(() => resolve(7)))', 7],
    ['let out = 0; for await (const x of [1, Promise.resolve(2)]) out += x; return out', 3],
  ])('ends with the value of its promise: %s', async (source, value) => {
    const { end, warnings } = await runHere(source);
    expect(end).toEqual({ status: 'completed', value });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['await new Promise(() => {})'],
    ['return new Promise(() => {})'],
    ['return { then() {} }'],
    ['await Promise.race([])'],
    ['await { then() {} }; return 1'],
    ['for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) {}'],
  ])('that can never settle ends at once: %s', async (source) => {
    const startedAt = performance.now();
    expect(await endOf(source)).toMatchObject({
      status: 'failed',
      error: { kind: 'never_settles', code: 'NEVER_SETTLES' },
    });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  it('whose work is still queued when it returns is run to its end, with a warning, and read after it', async () => {
    const outcome = await runHere(
      'const o = { done: 0 }; (async () => { for (let i = 0; i < 9; i++) { await null; o.done++; } console.log("end") })(); return o',
    );
    expect(outcome.end).toEqual({ status: 'completed', value: { done: 9 } });
    expect(outcome.console.lines).toHaveLength(1);
    expect(outcome.warnings).toEqual([{ code: 'PENDING_WORK', message: expect.stringContaining('await') }]);
  });

  it('whose queued work throws has still completed', async () => {
    const outcome = await runHere('Promise.resolve().then(() => { throw new Error("unseen") }); return 1');
    expect(outcome.end).toEqual({ status: 'completed', value: 1 });
    expect(outcome.warnings).toMatchObject([{ code: 'PENDING_WORK' }]);
  });

  it('with seed and clock given is the same byte for byte, fifty times', async () => {
    const source = `const m = new Map(); for (let i = 0; i < 50; i++) m.set(Math.random(), new Date());
      console.log([...m.keys()].slice(0, 3), new Date(), Symbol('s'), (() => 1).toString()); await null;
      if (input_data) throw new Error('' + Math.random(), { cause: [...m] });
      return { m, at: Date.now(), keys: Object.keys(globalThis), r: Array.from({ length: 100 }, () => (Math.random() * 1e9) | 0), big: BigInt(Math.floor(Math.random() * 1e15)) ** 3n }`;
    for (const input of [false, true]) {
      const outcomes = new Set<string>();
      for (let round = 0; round < 50; round++) {
        const { end, console, warnings } = await runHere(source, { input, seed: 99n, now: 1_700_000_000_000 });
        outcomes.add(
          JSON.stringify({ end, console, warnings }, (_, item: unknown) =>
            item instanceof Map ? [...item] : typeof item === 'bigint' ? `${item}n` : item,
          ),
        );
        if (round % 10 === 0)
          await runHere('Math.random(); globalThis.x = Array(1e5).fill({}); throw 1', { seed: BigInt(round + 1) });
      }
      expect(outcomes.size).toBe(1);
    }
  });

  it('draws other numbers with another seed', async () => {
    const draws = await Promise.all([1n, 2n, 2n ** 63n].map((seed) => resultOf('return Math.random()', { seed })));
    expect(new Set(draws).size).toBe(3);
    expect(
      await resultOf('return Array.from({ length: 1000 }, Math.random).every((x) => x >= 0 && x < 1)', { seed: 3n }),
    ).toBe(true);
  });

  it('gets input and context as its own copies; the context is frozen through and through', async () => {
    const context = { a: { b: [1, { c: 2 }] } };
    const source = `'use strict'; const tries = [() => { context.x = 1 }, () => { context.a.b.push(1) }, () => { context.a.b[1].c = 3 }, () => { delete context.a }];
      input_data.changed = true;
      return [tries.map((t) => { try { t(); return 'done' } catch (e) { return e.name } }), Object.isFrozen(context.a.b[1]), context]`;
    const input = { changed: false };
    expect(await resultOf(source, { input, context })).toEqual([
      ['TypeError', 'TypeError', 'TypeError', 'TypeError'],
      true,
      context,
    ]);
    expect(input.changed).toBe(false);
  });

  it('gets an empty frozen context and no input by default', async () => {
    expect(await resultOf('return [input_data, Object.keys(context), Object.isFrozen(context)]')).toEqual([
      undefined,
      [],
      true,
    ]);
    expect(await resultOf('return context', { context: [] })).toEqual([]);
    expect(await resultOf('return context', { context: new Map() })).toEqual(new Map());
    expect(
      await resultOf('return [context.constructor === Object, input_data]', {
        context: Object.create(null),
        input: null,
      }),
    ).toEqual([true, null]);
  });

  it('passes text of a helper on losslessly, and fast', async () => {
    for (const body of [
      '',
      'a\0b',
      '\uFEFFbom',
      'é'.repeat(1e6),
      '€\u{1F44D}'.repeat(1e5),
      'x'.repeat(3e6),
      '\u07ff\u0800',
    ]) {
      const read_file: Helper = () => ({ kind: 'text', utf8: Buffer.from(body) });
      expect(
        (await resultOf('return read_file("x")', { helpers: { read_file }, limits: { resultBytes: 16e6 } })) === body,
      ).toBe(true);
    }
  });

  it('ends at its memory ceiling when the text of a helper does not fit', async () => {
    const read_file: Helper = () => ({ kind: 'text', utf8: Buffer.alloc(40e6, 0x61) });
    const source = 'try { read_file("x"); read_file("x") } catch {} return 1';
    expect(await endOf(source, { helpers: { read_file } })).toMatchObject({ status: 'limited', limit: 'memory' });
    expect(await resultOf('return 2')).toBe(2);
  });
});

describe('what is judged before a thread is needed', () => {
  it('is a lone surrogate in the source', async () => {
    expect(await endOf('return "\ud800"')).toMatchObject({
      status: 'failed',
      error: { kind: 'syntax', message: 'the source holds a lone surrogate' },
    });
  });

  it('is an aborted signal', async () => {
    expect(await endOf('return 1', { signal: AbortSignal.abort('why') })).toEqual({ status: 'aborted', reason: 'why' });
  });

  it('are the types of a TypeScript program, erased so that positions hold', async () => {
    expect(await resultOf('const x: number = 1; return (x as any) + 1', { language: 'ts' })).toBe(2);
    expect(await endOf('const x: number = 1;\n  (x as any).y.z()', { language: 'ts' })).toMatchObject({
      error: { line: 2, column: 15 },
    });
    expect(await endOf('let a = 1\nenum E { A }', { language: 'ts' })).toMatchObject({
      status: 'failed',
      error: { kind: 'syntax', line: 2 },
    });
  });

  it('is whether types can close the wrapper: they cannot', async () => {
    for (const source of [
      '}); console.log("RAN"); (function(){',
      '}}); console.log("RAN"); ({async program(){',
      '} console.log("RAN"); async function x() {',
      '}, y: {',
    ]) {
      const { end, console } = await runHere(source, { language: 'ts' });
      expect(end).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
      expect(console.lines).toEqual([]);
    }
  });
});
