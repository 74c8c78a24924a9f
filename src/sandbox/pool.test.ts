import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits } from '../contract/limits.ts';
import type { Helper } from './helper.ts';
import { type PoolOptions, SandboxPool } from './pool.ts';
import type { SandboxOutcome } from './sandbox-run.ts';
import { createPool, type ProgramOptions, program } from './testing/run-program.ts';
import { sandboxFiles } from './testing/sandbox-files.ts';

const jsLoop = 'while (true) {}';
const nativeLoop = 'return new Array(1e9).join("x")';

const pools: SandboxPool[] = [];
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-pool-'));
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function openPool(options: Partial<PoolOptions> = {}): Promise<SandboxPool> {
  const pool = await createPool(options);
  pools.push(pool);
  return pool;
}

/** A pool whose thread is warm. */
async function warmPool(options: Partial<PoolOptions> = {}): Promise<SandboxPool> {
  const pool = await openPool(options);
  await run(pool, 'return 1');
  return pool;
}

function run(pool: SandboxPool, source: string, options: ProgramOptions = {}): Promise<SandboxOutcome> {
  return pool.run(program(source, options));
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function timed<T>(work: () => Promise<T>): Promise<readonly [value: T, ms: number]> {
  const startedAt = performance.now();
  const value = await work();
  return [value, performance.now() - startedAt];
}

describe('a pool', () => {
  it('runs a program on a thread', async () => {
    const pool = await openPool();
    const outcome = await run(pool, 'console.log("hi"); return input_data + 1', { input: 41 });
    expect(outcome.end).toEqual({ status: 'completed', value: 42 });
    expect(outcome.console).toEqual({ lines: [{ level: 'log', text: 'hi' }], truncated: false });
    expect(outcome.wallMs).toBeGreaterThan(0);
  });

  it('moves a large result, console and input', async () => {
    const pool = await openPool();
    const input = 'é€'.repeat(1e6);
    const outcome = await run(pool, 'console.log(input_data); return input_data', {
      input,
      limits: { resultBytes: 16e6, consoleBytes: 16e6 },
    });
    expect(outcome.end.status === 'completed' && outcome.end.value === input).toBe(true);
    expect(outcome.console.lines[0]?.text === input).toBe(true);
  });

  it('runs as many programs at once as it has workers, and the rest in the order of their calls', async () => {
    const pool = await warmPool({ workers: 2 });
    const order: number[] = [];
    const helper = (index: number): Helper => {
      return () => {
        order.push(index);
        return { kind: 'value', value: index };
      };
    };
    const runs = Array.from({ length: 12 }, (_, index) =>
      run(pool, 'return read_file("x")', { helpers: { read_file: helper(index) } }),
    );
    const values = (await Promise.all(runs)).map(({ end }) => end.status === 'completed' && end.value);
    expect(values).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    // With two workers, neighbours may overtake each other; nobody overtakes by more, also while a thread boots.
    for (const [place, index] of order.entries()) expect(Math.abs(place - index)).toBeLessThanOrEqual(2);
  });

  it('serves a queue in order with a single worker', async () => {
    const pool = await openPool({ workers: 1 });
    const order: unknown[] = [];
    const read_file: Helper = ([index]) => {
      order.push(index);
      return { kind: 'value', value: null };
    };
    await Promise.all(
      Array.from({ length: 8 }, (_, input) => run(pool, 'read_file(input_data)', { input, helpers: { read_file } })),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('refuses with QUEUE_FULL beyond its queue, and takes runs again later', async () => {
    const pool = await warmPool({ workers: 1, maxQueue: 2 });
    const running = run(pool, jsLoop, { limits: { timeMs: 100 } });
    const waiting = [run(pool, 'return 1'), run(pool, 'return 2')];
    await expect(run(pool, 'return 3')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    expect((await running).end).toMatchObject({ limit: 'time' });
    expect((await Promise.all(waiting)).map(({ end }) => end)).toEqual([
      { status: 'completed', value: 1 },
      { status: 'completed', value: 2 },
    ]);
    expect((await run(pool, 'return 4')).end).toEqual({ status: 'completed', value: 4 });
  });

  it('keeps programs that run at the same time apart', async () => {
    const pool = await openPool({ workers: 2 });
    const source = `globalThis.mine = input_data; const out = [];
      for (let i = 0; i < 200; i++) { out.push(globalThis.mine === input_data && read_file("x") === input_data); await null; }
      return out.every(Boolean)`;
    const runs = Array.from({ length: 10 }, (_, input) => {
      const read_file: Helper = () => ({ kind: 'value', value: input });
      return run(pool, source, { input, helpers: { read_file } });
    });
    for (const { end } of await Promise.all(runs)) expect(end).toEqual({ status: 'completed', value: true });
  });

  it('rejects what cannot cross before anything runs, and goes on', async () => {
    const pool = await openPool();
    await expect(run(pool, 'return 1', { input: () => 1 })).rejects.toMatchObject({ code: 'INPUT_NOT_SERIALIZABLE' });
    expect((await run(pool, 'return 1')).end).toMatchObject({ status: 'completed' });
  });

  it('holds deep recursion: each ends by the guest stack, none by the thread', async () => {
    const pool = await openPool();
    for (const source of [
      '(function f() { f() })()',
      'return JSON.parse("[".repeat(2e5) + "]".repeat(2e5))',
      'return eval("(".repeat(5e4) + "1" + ")".repeat(5e4))',
      `return ${'['.repeat(5e4)}${']'.repeat(5e4)}`,
      'const a = []; a[0] = a; return a.flat(Infinity)',
      'return new RegExp("(?:".repeat(1e5) + "a" + ")".repeat(1e5))',
      'const f = () => f.call(...[]); f()',
      'class A { get x() { return this.x } } new A().x',
      'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x',
      'const o = { toString() { return "" + this } }; return "" + o',
    ]) {
      const { end } = await run(pool, source, { limits: { stackBytes: 512 * 1024 } });
      expect([source, end]).toMatchObject([source, { status: 'limited', limit: 'stack' }]);
    }
    const deep = await run(pool, 'let o = 1; for (let i = 0; i < 249; i++) o = { o }; return [o, new Map()]', {
      limits: { stackBytes: 512 * 1024 },
    });
    expect(deep.end.status).toBe('completed');
  });

  it('gives a run more or less memory than its threads were made for', async () => {
    const pool = await openPool();
    const source = 'return new Uint8Array(input_data).length';
    for (const [bytes, memoryBytes, status] of [
      [90e6, 128 * 2 ** 20, 'completed'],
      [90e6, 64 * 2 ** 20, 'limited'],
      [20e6, 16 * 2 ** 20, 'limited'],
      [1000e6, 2 * 2 ** 30, 'completed'],
    ] as const) {
      expect((await run(pool, source, { input: bytes, limits: { memoryBytes } })).end.status).toBe(status);
    }
  });
});

describe('a runaway', () => {
  it.each([
    jsLoop,
    nativeLoop,
    '[].indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    '(7n ** 370000n).toString()',
    `return ${'/(x+x+)+y/'}.test("x".repeat(40))`,
  ])('is ended at its deadline, and the next run works: %s', async (source) => {
    const pool = await warmPool();
    const [{ end, wallMs }, ms] = await timed(() => run(pool, source, { limits: { timeMs: 150 } }));
    expect(end).toEqual({ status: 'limited', limit: 'time', ceiling: 150 });
    expect(wallMs).toBeGreaterThanOrEqual(150);
    expect(ms).toBeLessThan(1500);
    expect((await run(pool, 'return 1')).end).toEqual({ status: 'completed', value: 1 });
  });

  it('keeps what it had printed', async () => {
    const pool = await warmPool();
    const { console: output } = await run(pool, `for (let i = 0; i < 100; i++) console.log(i); ${nativeLoop}`, {
      limits: { timeMs: 120 },
    });
    expect(output.lines).toHaveLength(100);
  });

  it('stops no timer of the host', async () => {
    const pool = await warmPool({ workers: 2 });
    const runaways = [
      run(pool, jsLoop, { limits: { timeMs: 400 } }),
      run(pool, nativeLoop, { limits: { timeMs: 400 } }),
    ];
    const late: number[] = [];
    let expected = performance.now() + 10;
    const timer = setInterval(() => {
      late.push(performance.now() - expected);
      expected = performance.now() + 10;
    }, 10);
    await Promise.all(runaways);
    clearInterval(timer);
    expect(late.length).toBeGreaterThan(5);
    expect(late.sort((a, b) => a - b)[Math.floor(late.length / 2)]).toBeLessThan(60);
  });

  it('delays the run behind it by less than a thread takes to start: one is warm already', async () => {
    const pool = await warmPool();
    const waits: number[] = [];
    const starts: number[] = [];
    for (let round = 0; round < 4; round++) {
      await run(pool, nativeLoop, { limits: { timeMs: 250 } });
      waits.push((await timed(() => run(pool, 'return 1')))[1]);
      const fresh = await openPool();
      starts.push((await timed(() => run(fresh, 'return 1')))[1]);
    }
    expect(Math.min(...waits)).toBeLessThan(Math.min(...starts));
  });

  it('reaches no helper once its time is up', async () => {
    const pool = await warmPool();
    let calls = 0;
    let callsAtEnd = 0;
    const read_file: Helper = () => {
      calls++;
      return { kind: 'value', value: null };
    };
    const ended = run(pool, 'for (;;) { try { read_file("x") } catch {} }', {
      helpers: { read_file },
      limits: { timeMs: 100, helperCalls: 1e9 },
    });
    expect((await ended).end).toMatchObject({ limit: 'time' });
    callsAtEnd = calls;
    await sleep(30);
    expect(calls).toBe(callsAtEnd);
  });
});

describe('an abort', () => {
  const reason = new Error('no longer wanted');

  it('before the run ends it before anything happens', async () => {
    const pool = await openPool();
    const [{ end }, ms] = await timed(() => run(pool, jsLoop, { signal: AbortSignal.abort(reason) }));
    expect(end).toEqual({ status: 'aborted', reason });
    expect(ms).toBeLessThan(50);
  });

  it.each([
    jsLoop,
    nativeLoop,
    'await new Promise(() => {})\nwhile (true) {}',
    'for (;;) { try { for (;;) {} } catch {} }',
  ])('during guest code ends it within 50 ms: %s', async (source) => {
    const pool = await warmPool();
    await run(pool, nativeLoop, { limits: { timeMs: 120 } });
    const controller = new AbortController();
    const running = run(pool, source.replace('await new Promise(() => {})\n', ''), { signal: controller.signal });
    await sleep(60);
    const [{ end }, ms] = await timed(() => {
      controller.abort(reason);
      return running;
    });
    expect(end).toEqual({ status: 'aborted', reason });
    expect(ms).toBeLessThan(250);
    expect((await run(pool, 'return 1')).end).toMatchObject({ status: 'completed' });
  });

  it('in the queue ends the run at once and frees its place', async () => {
    const pool = await warmPool({ workers: 1, maxQueue: 1 });
    const running = run(pool, jsLoop, { limits: { timeMs: 300 } });
    const controller = new AbortController();
    const waiting = run(pool, 'return "never"', { signal: controller.signal });
    await sleep(20);
    const [{ end }, ms] = await timed(() => {
      controller.abort(reason);
      return waiting;
    });
    expect(end).toEqual({ status: 'aborted', reason });
    expect(ms).toBeLessThan(50);
    const next = run(pool, 'return "next"');
    expect((await running).end).toMatchObject({ limit: 'time' });
    expect((await next).end).toEqual({ status: 'completed', value: 'next' });
  });

  it('while the first thread boots ends the run, and the thread serves the next', async () => {
    const pool = await openPool();
    const controller = new AbortController();
    const first = run(pool, 'return 1', { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 1);
    expect((await first).end).toEqual({ status: 'aborted', reason });
    expect((await run(pool, 'return 2')).end).toEqual({ status: 'completed', value: 2 });
  });

  it('during a helper wait ends the run within 50 ms, and the late answer harms nobody', async () => {
    const pool = await warmPool();
    const controller = new AbortController();
    let answer: (value: Awaited<ReturnType<Helper>>) => void = () => {};
    const read_file: Helper = () =>
      new Promise((resolve) => {
        answer = resolve;
        setTimeout(() => controller.abort(reason), 10);
      });
    const [{ end }, ms] = await timed(() =>
      run(pool, 'return read_file("x")', { helpers: { read_file }, signal: controller.signal }),
    );
    expect(end).toEqual({ status: 'aborted', reason });
    expect(ms).toBeLessThan(250);
    const next = run(pool, 'return typeof read_file("y")', {
      helpers: { read_file: () => ({ kind: 'value', value: 1 }) },
    });
    answer({ kind: 'text', utf8: Buffer.from('late') });
    expect((await next).end).toEqual({ status: 'completed', value: 'number' });
  });

  it('that comes from a helper is seen before the guest goes on', async () => {
    const pool = await warmPool();
    const controller = new AbortController();
    let calls = 0;
    const read_file: Helper = () => {
      calls++;
      controller.abort(reason);
      return { kind: 'value', value: 1 };
    };
    const { end } = await run(pool, 'for (;;) read_file("x")', { helpers: { read_file }, signal: controller.signal });
    expect(end).toEqual({ status: 'aborted', reason });
    expect(calls).toBe(1);
  });

  it('after the run changes nothing, and leaves no listener behind', async () => {
    const pool = await warmPool();
    const controller = new AbortController();
    for (let index = 0; index < 20; index++) await run(pool, 'return 1', { signal: controller.signal });
    controller.abort(reason);
    expect((await run(pool, 'return 2')).end).toEqual({ status: 'completed', value: 2 });
  });
});

describe('helpers on the host', () => {
  it('may answer later, in order, while the guest waits', async () => {
    const pool = await warmPool();
    let count = 0;
    const read_file: Helper = async () => {
      await sleep(1);
      return { kind: 'value', value: count++ };
    };
    const { end } = await run(pool, 'return Array.from({ length: 20 }, () => read_file("x"))', {
      helpers: { read_file },
    });
    expect(end).toEqual({ status: 'completed', value: Array.from({ length: 20 }, (_, index) => index) });
  });

  it('that wait count toward the deadline', async () => {
    const pool = await warmPool();
    const read_file: Helper = () => new Promise(() => {});
    const { end } = await run(pool, 'try { read_file("x") } catch {} return 1', {
      helpers: { read_file },
      limits: { timeMs: 100 },
    });
    expect(end).toEqual({ status: 'limited', limit: 'time', ceiling: 100 });
    expect((await run(pool, 'return 2')).end).toMatchObject({ status: 'completed' });
  });

  it.each<[string, Helper]>([
    [
      'throws',
      () => {
        throw new Error('a fault');
      },
    ],
    ['rejects', () => Promise.reject(new Error('a fault'))],
    ['answers with what cannot cross', () => ({ kind: 'value', value: () => 1 })],
    [
      'fails after its reply',
      () => ({
        kind: 'value',
        value: 1,
        afterReply: () => {
          throw new Error('a fault');
        },
      }),
    ],
  ])(
    'that %s ends the run as crashed, never blamed on the guest, and the thread serves on',
    async (_title, read_file) => {
      const pool = await warmPool();
      const { end } = await run(
        pool,
        'for (let i = 0; i < 3; i++) { try { read_file("x") } catch {} } return "went on"',
        { helpers: { read_file } },
      );
      expect(end).toMatchObject({
        status: 'crashed',
        error: { message: expect.stringMatching(/a fault|answer is a function/) },
      });
      const answer: Helper = () => ({ kind: 'value', value: 5 });
      expect((await run(pool, 'return read_file("x")', { helpers: { read_file: answer } })).end).toEqual({
        status: 'completed',
        value: 5,
      });
    },
  );
});

describe('closing', () => {
  it('ends what runs as aborted and rejects what waits, and every later call', async () => {
    const pool = await warmPool({ workers: 1 });
    const running = run(pool, nativeLoop);
    const waiting = run(pool, 'return 1');
    waiting.catch(() => {});
    await sleep(20);
    const [, ms] = await timed(() => pool.close());
    expect(ms).toBeLessThan(1000);
    expect((await running).end).toMatchObject({ status: 'aborted', reason: { code: 'RUNTIME_CLOSED' } });
    await expect(waiting).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    await expect(run(pool, 'return 1')).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('while a thread boots rejects the run that waits for it', async () => {
    const pool = await openPool();
    const first = run(pool, 'return 1');
    first.catch(() => {});
    await Promise.resolve();
    await pool.close();
    await expect(first).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('at the moment a thread is handed on ends the run it was meant for, at once', async () => {
    const pool = await warmPool({ workers: 1 });
    const first = run(pool, 'return 1');
    const second = run(pool, jsLoop, { limits: { timeMs: 30_000 } });
    await first;
    const [settled, ms] = await timed(async () => (await Promise.allSettled([second, pool.close()]))[0]);
    // Whether it had begun by then is a matter of microtasks.
    if (settled.status === 'fulfilled')
      expect(settled.value.end).toMatchObject({ status: 'aborted', reason: { code: 'RUNTIME_CLOSED' } });
    else expect(settled.reason).toMatchObject({ code: 'RUNTIME_CLOSED' });
    expect(ms).toBeLessThan(1000);
  });

  it('while types are erased rejects that run', async () => {
    const pool = await openPool();
    const first = run(pool, 'return 1 as number', { language: 'ts' });
    first.catch(() => {});
    await pool.close();
    await expect(first).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('may be done twice, and before anything ran', async () => {
    const pool = await openPool();
    await pool.close();
    await pool.close();
    await expect(run(pool, 'return 1')).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });
});

describe('a thread that cannot boot', () => {
  async function brokenPool(files: Partial<Awaited<ReturnType<typeof sandboxFiles>>>): Promise<SandboxPool> {
    const pool = new SandboxPool(
      { ...(await sandboxFiles()), ...files },
      { workers: 2, maxQueue: 10, limits: defaultLimits, helperNames: [], monotonicMs: () => performance.now() },
    );
    pools.push(pool);
    return pool;
  }

  function workerFile(name: string, text: string): URL {
    const path = join(directory, name);
    writeFileSync(path, text);
    return pathToFileURL(path);
  }

  it.each<[string, () => Partial<Awaited<ReturnType<typeof sandboxFiles>>>]>([
    ['throws', () => ({ workerUrl: workerFile('throws.mjs', 'throw new Error("cannot start here")') })],
    ['does not parse', () => ({ workerUrl: workerFile('syntax.mjs', 'const = ;') })],
    ['exits', () => ({ workerUrl: workerFile('exits.mjs', 'process.exit(3)') })],
    ['is not there', () => ({ workerUrl: new URL('missing.mjs', pathToFileURL(join(directory, 'x'))) })],
    ['gets an engine that does not compile', () => ({ engine: WebAssembly.compile(Uint8Array.of(0, 1, 2)) })],
    ['gets an image that is none', () => ({ image: new Uint8Array(16) })],
  ])('because it %s fails every waiting run at once with RUNTIME_UNAVAILABLE', async (_title, files) => {
    const pool = await brokenPool(files());
    const startedAt = performance.now();
    const runs = await Promise.allSettled(
      [1, 2, 3, 4].map(() => run(pool, 'return 1', { limits: { timeMs: 60_000 } })),
    );
    expect(performance.now() - startedAt).toBeLessThan(8000);
    for (const settled of runs)
      expect(settled).toMatchObject({ status: 'rejected', reason: { code: 'RUNTIME_UNAVAILABLE' } });
    await expect(run(pool, 'return 1')).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
  });

  it('says why', async () => {
    const pool = await brokenPool({ workerUrl: workerFile('why.mjs', 'throw new Error("cannot start here")') });
    await expect(run(pool, 'return 1')).rejects.toThrow('Cannot start the sandbox: cannot start here');
  });

  it('that dies under a program makes that run crashed, and the pool heals', async () => {
    // The first thread dies at its first program; the next ones are what they are to be.
    const { workerUrl } = await sandboxFiles();
    const marker = join(directory, 'died');
    const text = `import { existsSync, writeFileSync } from 'node:fs'; import { parentPort } from 'node:worker_threads';
      if (existsSync(${JSON.stringify(marker)})) await import(${JSON.stringify(workerUrl.href)});
      else { writeFileSync(${JSON.stringify(marker)}, ''); parentPort.once('message', () => {
        parentPort.once('message', () => { throw new Error('struck by lightning') }); parentPort.postMessage({ kind: 'ready' }) }) }`;
    const pool = new SandboxPool(
      { ...(await sandboxFiles()), workerUrl: workerFile('dies.mjs', text) },
      { workers: 1, maxQueue: 10, limits: defaultLimits, helperNames: [], monotonicMs: () => performance.now() },
    );
    pools.push(pool);
    const runs = [run(pool, 'return 1'), run(pool, 'return 2'), run(pool, 'return 3')];
    expect((await Promise.all(runs)).map(({ end }) => end)).toMatchObject([
      { status: 'crashed', error: { message: 'struck by lightning' } },
      { status: 'completed', value: 2 },
      { status: 'completed', value: 3 },
    ]);
  });

  it('is replaced when it dies while idle: no run waits for it', async () => {
    const { workerUrl } = await sandboxFiles();
    const marker = join(directory, 'idle-died');
    const text = `import { existsSync, writeFileSync } from 'node:fs';
      await import(${JSON.stringify(workerUrl.href)});
      if (!existsSync(${JSON.stringify(marker)})) { writeFileSync(${JSON.stringify(marker)}, ''); setTimeout(() => process.exit(1), 400) }`;
    const pool = new SandboxPool(
      { ...(await sandboxFiles()), workerUrl: workerFile('idle.mjs', text) },
      { workers: 1, maxQueue: 10, limits: defaultLimits, helperNames: [], monotonicMs: () => performance.now() },
    );
    pools.push(pool);
    expect((await run(pool, 'return 1')).end).toMatchObject({ status: 'completed' });
    await sleep(1500);
    const [{ end }, ms] = await timed(() => run(pool, 'return 2', { limits: { timeMs: 20_000 } }));
    expect(end).toEqual({ status: 'completed', value: 2 });
    expect(ms).toBeLessThan(10_000);
  });
});

describe('the process', () => {
  it('ends by itself when its pool is idle, and only then', async () => {
    const output = await runChild(`
      const pool = await createPool();
      console.log((await pool.run(program('return 1'))).end.value);
      console.log((await pool.run(program('return new Array(1e9).join("x")', { limits: { timeMs: 120 } }))).end.limit);
      console.log((await pool.run(program('return 3'))).end.value);
      console.log((await pool.run(program('return read_file("x")', { helpers: { read_file: async () => ({ kind: 'value', value: 4 }) } }))).end.value);
      console.log((await pool.run(program('while (true) {}', { limits: { timeMs: 120 } }))).end.limit);`);
    expect(output).toBe('1\ntime\n3\n4\ntime\n');
  }, 60_000);

  it('shows its guests UTC, whatever its own time zone', async () => {
    const source =
      'const d = new Date(2024, 6, 1, 12); return [d.toISOString(), d.getTimezoneOffset(), d.toString(), new Date("2024-03-10T02:30:00").getTime()].join()';
    const output = await runChild(
      `
      console.log(new Date(2024, 6, 1).getTimezoneOffset());
      const pool = await createPool();
      console.log((await pool.run(program(${JSON.stringify(source)}))).end.value);`,
      { TZ: 'America/New_York' },
    );
    expect(output).toBe(
      '240\n2024-07-01T12:00:00.000Z,0,Mon Jul 01 2024 12:00:00 GMT+0000,1710037800000\n'.replace('0,Mon', '0,Mon'),
    );
  }, 60_000);

  // Resolves with what the child printed when it has ended by itself; a child that hangs is ended and fails the test.
  function runChild(body: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const file = join(directory, `child-${Math.random().toString(36).slice(2)}.mts`);
    writeFileSync(
      file,
      `import { createPool, program } from ${JSON.stringify(new URL('testing/run-program.ts', import.meta.url).href)};\n${body}\n`,
    );
    const child = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, ...env },
    });
    return new Promise((resolve, reject) => {
      let output = '';
      let errors = '';
      const timer = setTimeout(() => child.kill('SIGKILL'), 45_000);
      child.stdout.on('data', (data: Buffer) => {
        output += data.toString();
      });
      child.stderr.on('data', (data: Buffer) => {
        errors += data.toString();
      });
      child.on('exit', (code) => {
        clearTimeout(timer);
        if (code === 0) resolve(output);
        else reject(new Error(`the child ended with ${code}: ${output}${errors}`));
      });
    });
  }
});
