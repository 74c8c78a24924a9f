import { afterAll, describe, expect, it } from 'vitest';
import { stripWorkerUrl } from './testing/sandbox-files.ts';
import { TypeStripper } from './type-stripper.ts';

const stripper = new TypeStripper(stripWorkerUrl, 1);
const bounds = { timeMs: 20_000, signal: undefined };
afterAll(() => stripper.close());

// The parser of the stripper needs twice the time for every repetition.
const exponential = `let a = ${'(a?(b):c=>'.repeat(60)}`;
const tooDeep = `return ${'('.repeat(300_000)}`;

describe('TypeStripper', () => {
  it('erases types by blanks, so that every position stays', async () => {
    const source = 'const 👍x: string = "é";\nreturn x as any;'.replace('👍', '');
    const stripped = await stripper.strip(source, bounds);
    expect(stripped).toEqual({ source: 'const x         = "é";\nreturn x       ;' });
  });

  it.each([
    ['enum A { B }', 1, 1, 'enum'],
    ['\n  namespace N { export const a = 1 }', 2, 3, 'namespace'],
    ['class A { constructor(private x: number) {} }', 1, 31, 'parameter property'],
    ['const é = 1; enum A { B }', 1, undefined, 'enum'],
    ['let x: = 3', 1, 8, 'token'],
  ])('refuses %j with its place', async (source, line, column, words) => {
    const stripped = await stripper.strip(source, bounds);
    expect(stripped).toMatchObject({ refused: { line, message: expect.stringContaining(words) } });
    expect('refused' in stripped && stripped.refused.column).toBe(column);
  });

  it('ends a source that keeps the parser busy, and serves the next one', async () => {
    const startedAt = performance.now();
    expect(await stripper.strip(exponential, { timeMs: 200, signal: undefined })).toEqual({ ended: 'time' });
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(await stripper.strip('let n: number', bounds)).toEqual({ source: 'let n        ' });
  });

  it('lets a timer of the host tick while the parser is busy', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    await stripper.strip(exponential, { timeMs: 400, signal: undefined });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  it('refuses a source that breaks the parser, and nothing of that reaches the next one', async () => {
    expect(await stripper.strip(tooDeep, bounds)).toMatchObject({ refused: {} });
    expect(await stripper.strip('const x: number = 5; return x', bounds)).toEqual({
      source: 'const x         = 5; return x',
    });
  });

  it('ends at an abort, before and during', async () => {
    expect(await stripper.strip('1', { timeMs: 1000, signal: AbortSignal.abort() })).toEqual({ ended: 'aborted' });
    const during = stripper.strip(exponential, { timeMs: 20_000, signal: AbortSignal.timeout(100) });
    expect(await during).toEqual({ ended: 'aborted' });
  });

  it('serves programs in turn', async () => {
    const sources = ['let a: 1', 'let b: 2', 'let c: 3'];
    const stripped = await Promise.all(sources.map((source) => stripper.strip(source, bounds)));
    expect(stripped).toEqual([{ source: 'let a   ' }, { source: 'let b   ' }, { source: 'let c   ' }]);
  });

  it('ends at an abort also while it waits for its turn', async () => {
    const busy = stripper.strip(exponential, { timeMs: 1500, signal: undefined });
    const startedAt = performance.now();
    const waiting = stripper.strip('let a: 1', { timeMs: 20_000, signal: AbortSignal.timeout(50) });
    expect(await waiting).toEqual({ ended: 'aborted' });
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(await busy).toEqual({ ended: 'time' });
    expect(await stripper.strip('let b: 2', bounds)).toEqual({ source: 'let b   ' });
  });

  it('serves others while one keeps its thread busy, where it may have more than one', async () => {
    const two = new TypeStripper(stripWorkerUrl, 2);
    const busy = two.strip(exponential, { timeMs: 20_000, signal: undefined });
    busy.catch(() => {});
    expect(await two.strip('let a: 1', bounds)).toEqual({ source: 'let a   ' });
    await two.close();
    await expect(busy).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('ends everything at once when it is closed: what runs, what waits, what boots', async () => {
    for (const warm of [true, false]) {
      const one = new TypeStripper(stripWorkerUrl, 1);
      if (warm) await one.strip('1', bounds);
      const all = [exponential, 'let a: 1', 'let b: 2'].map((source) => one.strip(source, bounds));
      const settled = Promise.allSettled(all);
      await new Promise((resolve) => setTimeout(resolve, warm ? 100 : 0));
      const startedAt = performance.now();
      await one.close();
      for (const end of await settled)
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'RUNTIME_CLOSED' } });
      expect(performance.now() - startedAt).toBeLessThan(1500);
      await expect(one.strip('1', bounds)).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    }
  });

  it('rejects where its thread cannot start, each time anew', async () => {
    const broken = new TypeStripper(new URL('file:///nowhere/strip-worker.js'), 1);
    for (let attempt = 0; attempt < 3; attempt++) {
      const settled = await Promise.allSettled([1, 2, 3].map(() => broken.strip('1', bounds)));
      for (const end of settled)
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'RUNTIME_UNAVAILABLE' } });
    }
  });
});
