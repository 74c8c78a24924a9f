import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits, type Limits } from '../contract/limits.ts';
import { limitsOfExpressions, type SandboxBatch, type TaskEnd } from './batch.ts';
import { expressionHeadLength, wrapExpression } from './expression.ts';
import type { BatchTask } from './messages.ts';
import type { SandboxPool } from './pool.ts';
import { createPool, evaluateHere, type GivenBatch } from './testing/run-program.ts';

async function evaluate(source: string, given: GivenBatch = {}): Promise<TaskEnd['end']> {
  const { ends } = await evaluateHere([{ kind: 'bridge', when: undefined, transform: source }], given);
  return ends[0]?.end ?? { status: 'crashed', error: { message: 'no end' } };
}

async function valueOfExpression(source: string, given: GivenBatch = {}): Promise<unknown> {
  const end = await evaluate(source, given);
  return end.status === 'completed' ? end.value : end;
}

async function check(task: Exclude<BatchTask, { kind: 'bridge' }>): Promise<TaskEnd['end'] | undefined> {
  return (await evaluateHere([task])).ends[0]?.end;
}

describe('an expression', () => {
  it('sees the value and the context, and gives its own value', async () => {
    expect(await valueOfExpression('input_data.a + context.b', { input: { a: 1 }, context: { b: 2 } })).toBe(3);
    expect(await valueOfExpression('({ all: [input_data, context] })', { input: 'x' })).toEqual({ all: ['x', {}] });
    expect(await valueOfExpression('\uFEFFinput_data', { input: 5 })).toBe(5);
    expect(await valueOfExpression('input_data // the value', { input: 5 })).toBe(5);
    expect(await valueOfExpression('1, 2')).toBe(2);
  });

  it('cannot change the context', async () => {
    expect(await valueOfExpression('(context._unsafe_mode = true, context._unsafe_mode)')).toBe(undefined);
  });

  it('finds no console and no helper, by name or by way of the global object', async () => {
    const names = '["console", "read_file", "write_file", "require", "process", "fetch", "setTimeout"]';
    expect(await valueOfExpression(`${names}.filter((name) => name in globalThis)`)).toEqual([]);
    for (const name of ['console', 'read_file', 'write_file']) {
      expect(await valueOfExpression(`typeof ${name}`)).toBe('undefined');
    }
  });

  it('reaches of the safe mode everything but the console', async () => {
    const names = await valueOfExpression('Reflect.ownKeys(globalThis).filter((key) => typeof key === "string")');
    const safe = readFileSync(new URL('reachable-names.safe.txt', import.meta.url), 'utf8');
    const listed = [...safe.matchAll(/^globalThis\.([\w$]+): /gm)].map(([, name]) => name);
    expect(new Set(names as string[])).toEqual(new Set(listed.filter((name) => name !== 'console')));
    expect(listed).toContain('console');
  });

  it.each([
    'let x = 1',
    'return 1',
    'if (true) 1',
    '1; 2',
    'throw new Error()',
    '',
    '// nothing',
    'await input_data',
    '...input_data',
    'import.meta',
    'new.target',
    'super.x',
    '1 /*',
    '`',
  ])('is refused where it is none: %s', async (source) => {
    expect(await evaluate(source)).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
    expect(await check({ kind: 'expression', source })).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
  });

  it.each([
    '1) + (2',
    '1), (globalThis.seen = true',
    '1)\nglobalThis.seen = true;\n(1',
    '1);globalThis.seen=true;(0',
    '1] + [2',
    'x) => (y',
    ')(',
    '1) // ]',
  ])('cannot close what stands around it: %s', async (source) => {
    expect(await evaluate(source)).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
    expect(await check({ kind: 'expression', source })).toMatchObject({ status: 'failed' });
  });

  it('is one by the rules of another engine as well, whatever brackets it is made of', async () => {
    const value = fc.constantFrom('1', 'a', '[1]', '(1)', '{}', '');
    const between = fc.array(fc.constantFrom('+', ',', '=>', ';', '\n', '&&', '.x=', '(', ')', '[', ']', '1'), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(value, between, value, async (before, middle, after) => {
        const source = `${before})${middle.join('')}(${after}`;
        const end = await check({ kind: 'expression', source });
        if (end?.status !== 'completed') return;
        expect(() => new Function(`return (${source}\n)`)).not.toThrow();
        expect(() => new Function(`return [${source}\n]`)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  it('reports errors at its own line and column', async () => {
    expect(await evaluate('input_data\n  .nothing.here', { input: 1 })).toMatchObject({
      status: 'failed',
      error: { kind: 'thrown', name: 'TypeError', line: 2 },
    });
    expect(await evaluate('null.x')).toMatchObject({ error: { line: 1, column: 5 } });
    expect(await check({ kind: 'expression', source: '1 +\n* 2' })).toMatchObject({ error: { line: 2, column: 1 } });
  });

  it('stands behind a head of the same length in both of its forms', () => {
    const { runnable, check: other } = wrapExpression('EXPRESSION()');
    expect([runnable.indexOf('EXPRESSION'), other?.indexOf('EXPRESSION')]).toEqual([
      expressionHeadLength,
      expressionHeadLength,
    ]);
  });

  it('leaves nothing behind for the next one, within a batch and after it', async () => {
    const leave: BatchTask = { kind: 'bridge', when: undefined, transform: '(globalThis.left = 1)' };
    const look: BatchTask = { kind: 'bridge', when: 'typeof left === "undefined"', transform: 'typeof left' };
    const { ends } = await evaluateHere([leave, look, look]);
    expect(ends.map(({ end }) => end.status === 'completed' && end.value)).toEqual([1, 'undefined', 'undefined']);
    expect(await valueOfExpression('typeof left')).toBe('undefined');
  });

  it('gives what a run can give: a promise cannot cross, a map can', async () => {
    expect(await evaluate('Promise.resolve(1)')).toMatchObject({
      status: 'failed',
      error: { kind: 'not_serializable' },
    });
    expect(await valueOfExpression('new Map([[1, input_data]])', { input: 2 })).toEqual(new Map([[1, 2]]));
  });

  it('repeats Math.random by the seed and the clock by now', async () => {
    const source = '[Math.random(), Date.now()]';
    const given = { seed: 7n, now: 1000 };
    const [one, other] = [await valueOfExpression(source, given), await valueOfExpression(source, given)];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ 1: 1000 });
  });
});

describe('the parts of a bridge', () => {
  it('end with the predicate unless it is true', async () => {
    const tasks = ['true', 'false', '1'].map((when): BatchTask => ({ kind: 'bridge', when, transform: '"moved"' }));
    const { ends } = await evaluateHere(tasks);
    expect(ends).toEqual([
      { part: 'transform', end: { status: 'completed', value: 'moved' } },
      { part: 'when', end: { status: 'completed', value: false } },
      { part: 'when', end: { status: 'completed', value: 1 } },
    ]);
  });
});

describe('the ceilings of an expression', () => {
  it('are those of the run where these are narrower', () => {
    expect(limitsOfExpressions(defaultLimits)).toMatchObject({ timeMs: 250, memoryBytes: 16 * 1024 * 1024 });
    expect(limitsOfExpressions({ ...defaultLimits, timeMs: 100 })).toMatchObject({ timeMs: 100 });
  });

  it('end one that takes its time or its memory', async () => {
    const limits: Limits = limitsOfExpressions({ ...defaultLimits, timeMs: 50 });
    expect(await evaluate('(() => { for (;;); })()', { limits })).toMatchObject({ status: 'limited', limit: 'time' });
    expect(await evaluate('"x".repeat(2 ** 23).repeat(4).length + new Array(1e6).fill(0).length')).toMatchObject({
      status: 'limited',
      limit: 'memory',
    });
  });
});

describe('a program that is only compiled', () => {
  it('does not run', async () => {
    const task = { kind: 'program', file: 'a.js', helpers: [] } as const;
    expect(await check({ ...task, source: 'throw new Error("ran")' })).toEqual({ status: 'completed', value: true });
  });

  it('is refused where it does not parse, or closes what stands around it', async () => {
    const task = { kind: 'program', file: 'a.js', helpers: [0] } as const;
    expect(await check({ ...task, source: 'let a = 1;\nlet 2;' })).toMatchObject({
      error: { kind: 'syntax', line: 2 },
    });
    expect(await check({ ...task, source: '} globalThis.x = 1; {' })).toMatchObject({ error: { kind: 'syntax' } });
    expect(await check({ ...task, source: 'let read_file' })).toMatchObject({
      error: { hint: expect.stringContaining('read_file') },
    });
  });
});

describe('a batch on a thread', () => {
  let pool: SandboxPool;
  beforeAll(async () => {
    pool = await createPool();
  });
  afterAll(() => pool.close());

  const batchOf = (sources: readonly string[], more: Partial<SandboxBatch> = {}): SandboxBatch => ({
    tasks: sources.map((when) => ({ kind: 'bridge', when, transform: undefined })),
    input: undefined,
    context: {},
    limits: limitsOfExpressions(defaultLimits),
    seed: 1n,
    now: undefined,
    signal: undefined,
    ...more,
  });

  it('goes on in further messages where one takes long', async () => {
    const busy = '(() => { const end = Date.now() + 30; while (Date.now() < end); return true; })()';
    const { ends, ended } = await pool.evaluate(batchOf([busy, busy, busy, busy]));
    expect([ends.length, ended]).toEqual([4, undefined]);
  });

  it('names the expression that had to be killed, and gives what came before', async () => {
    const endless = '[].indexOf.call({ length: 2 ** 53 - 1 }, 1) > 0';
    const { ends, ended } = await pool.evaluate(batchOf(['true', endless, 'true']));
    expect(ends).toEqual([{ part: 'when', end: { status: 'completed', value: true } }]);
    expect(ended).toEqual({ status: 'limited', limit: 'time', ceiling: 250 });
    expect((await pool.evaluate(batchOf(['true']))).ends).toHaveLength(1);
  });

  it('ends when its signal is raised, before it starts and while it goes on', async () => {
    const aborted = AbortSignal.abort('enough');
    expect(await pool.evaluate(batchOf(['true'], { signal: aborted }))).toEqual({
      ends: [],
      ended: { status: 'aborted', reason: 'enough' },
    });
    const controller = new AbortController();
    const going = pool.evaluate(batchOf(['(() => { for (;;); })()'], { signal: controller.signal }));
    setTimeout(() => controller.abort('enough'), 20);
    expect((await going).ended).toEqual({ status: 'aborted', reason: 'enough' });
  });

  it('refuses a value that is larger than the input may be', async () => {
    const limits = { ...limitsOfExpressions(defaultLimits), inputBytes: 10 };
    const tooLong = 'x'.repeat(100);
    for (const more of [{ input: tooLong }, { context: { tooLong } }]) {
      expect((await pool.evaluate(batchOf(['true'], { ...more, limits }))).ended).toMatchObject({ limit: 'input' });
    }
  });

  it('erases types, or says why it cannot', async () => {
    const how = { limits: defaultLimits, signal: undefined };
    expect(await pool.eraseTypes('const a: number = 1', how)).toMatchObject({
      source: expect.not.stringContaining(':'),
    });
    expect(await pool.eraseTypes('enum A { B }', how)).toMatchObject({ status: 'failed', error: { kind: 'syntax' } });
    expect(await pool.eraseTypes('1', { ...how, signal: AbortSignal.abort() })).toMatchObject({ status: 'aborted' });
  });
});
