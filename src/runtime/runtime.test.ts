import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '../contract/outcome.ts';
import { createRuntime } from './create-runtime.ts';
import { listTools } from './list-tools.ts';
import { nodePowers } from './node-powers.ts';
import { type Runtime, wireRuntime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import { startSandbox } from './started-sandbox.ts';

let root: string;
let runtime: Runtime;

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-runtime-')));
  runtime = await wireRuntime({ root, mode: 'unsafe', workers: 1 });
});

afterEach(async () => {
  await runtime.close();
  rmSync(root, { recursive: true, force: true });
});

const context = { _unsafe_mode: true };

async function untilThereIs(name: string): Promise<void> {
  while (!existsSync(join(root, name))) await setTimeout(5);
}

describe('createRuntime()', () => {
  it('rejects for what it cannot use', async () => {
    await expect(createRuntime({ root: join(root, 'none') })).rejects.toMatchObject({ code: 'ROOT_INVALID' });
    await expect(createRuntime({ rot: root } as RuntimeOptions)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      hint: 'Did you mean root?',
    });
  });

  it('computes without a root, and has no tools then', async () => {
    await using safe = await createRuntime();
    expect(safe.containment).toBeNull();
    expect(await safe.run({ source: 'return 6 * input_data', input: 7 })).toMatchObject({
      status: 'completed',
      value: 42,
    });
    await expect(safe.callTool('file_read', { path: 'a' })).rejects.toMatchObject({ code: 'ROOT_INVALID' });
  });

  it('says which containment is in force', () => {
    expect(['descriptor walk', 'verified open']).toContain(runtime.containment);
  });
});

describe('run()', () => {
  it('gives every outcome its facts', async () => {
    const source = "write_file('a.txt', 'hé'); console.log('x'); return read_file('a.txt', 1)";
    expect(await runtime.run({ source, context })).toEqual({
      status: 'completed',
      value: 'h',
      runId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mode: 'unsafe',
      console: { lines: [{ level: 'log', text: 'x' }], truncated: false },
      warnings: [],
      usage: {
        wallMs: expect.any(Number),
        memoryBytes: expect.any(Number),
        helperCalls: 2,
        bytesRead: 1,
        bytesWritten: 3,
      },
      effects: [
        { helper: 'write_file', path: 'a.txt', bytes: 3, digest: nodePowers.digest(Buffer.from('hé')), created: true },
        { helper: 'read_file', path: 'a.txt', bytes: 1, digest: nodePowers.digest(Buffer.from('h')) },
      ],
      receipt: expect.objectContaining({
        mode: 'unsafe',
        outcome: 'completed',
        files: [
          { path: 'a.txt', mode: 'w', created: true, bytes: 3, digestAfter: nodePowers.digest(Buffer.from('hé')) },
        ],
        reads: [{ path: 'a.txt', bytes: 1 }],
        auditHead: 'memory',
      }),
    });
  });

  it('keeps the effects of a run that was killed', async () => {
    // Native code that never asks whether it should stop: its thread is ended.
    const source = "write_file('a.txt', 'x'); return new Array(1e9).join('x')";
    const outcome = await runtime.run({ source, context, limits: { timeMs: 200 } });
    expect(outcome).toMatchObject({
      status: 'limited',
      limit: 'time',
      effects: [{ helper: 'write_file', path: 'a.txt' }],
    });
    expect(outcome.usage).toMatchObject({ helperCalls: 1, bytesWritten: 1 });
  });

  it('hands effects of its own to every run, and keeps them once it is over', async () => {
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((input) => runtime.run({ source: 'write_file(input_data, input_data)', input, context })),
    );
    expect(outcomes.map(({ effects }) => effects.map(({ path }: Effect) => path))).toEqual([['a'], ['b'], ['c']]);
  });

  it('judges its own copy of the context, made when run() was called', async () => {
    const given: { _unsafe_mode?: boolean } = {};
    const running = runtime.run({
      source: "try { write_file('a', 'x') } catch (error) { return error.code }",
      context: given,
    });
    given._unsafe_mode = true;
    expect(await running).toMatchObject({ value: 'UNSAFE_FLAG_MISSING' });
  });

  it('is not impressed by a flag on Object.prototype', async () => {
    Object.defineProperty(Object.prototype, '_unsafe_mode', { value: true, configurable: true });
    try {
      const source = "try { write_file('a', 'x') } catch (error) { return error.code }";
      expect(await runtime.run({ source })).toMatchObject({ value: 'UNSAFE_FLAG_MISSING' });
    } finally {
      Reflect.deleteProperty(Object.prototype, '_unsafe_mode');
    }
  });

  it('is the same byte for byte with a seed, a clock and powers that are given', async () => {
    const powers = { monotonicMs: () => 5, newId: () => 'run-1' };
    const run = async (): Promise<unknown> => {
      rmSync(join(root, 'a'), { force: true });
      await using same = await createRuntime({ root, mode: 'unsafe', workers: 1, powers });
      const source =
        'console.log(Math.random()); write_file("a", String(Date.now())); return [Math.random(), new Date()]';
      const { usage, ...rest } = await same.run({ source, context, seed: 3, now: '2026-01-01T00:00Z' });
      return rest;
    };
    const first = await run();
    expect(first).toMatchObject({ runId: 'run-1', value: [expect.any(Number), new Date('2026-01-01T00:00Z')] });
    expect(await run()).toEqual(first);
  });

  it('rejects where nothing ran', async () => {
    await expect(runtime.run({ source: '1', limits: { timeMs: -1 } })).rejects.toMatchObject({ code: 'LIMIT_INVALID' });
    await expect(runtime.run({ source: '1', input: () => 1 })).rejects.toMatchObject({
      code: 'INPUT_NOT_SERIALIZABLE',
    });
    await expect(runtime.run({ source: '1', context: { at: new Date() } })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
    });
  });

  it('refuses a run beyond the queue', async () => {
    await using narrow = await createRuntime({ workers: 1, maxQueue: 1 });
    const runs = [1, 2, 3].map((input) => narrow.run({ source: 'return input_data', input }));
    const settled = await Promise.allSettled(runs);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(settled[2]).toMatchObject({ reason: { code: 'QUEUE_FULL' } });
  });

  it('ends aborted, with the reason and what it had done', async () => {
    const controller = new AbortController();
    const running = runtime.run({ source: "write_file('a', 'x'); for (;;) {}", context, signal: controller.signal });
    await untilThereIs('a');
    controller.abort('enough');
    expect(await running).toMatchObject({ status: 'aborted', reason: 'enough', effects: [{ path: 'a' }] });
  });

  it('runs on a thread that was started early', async () => {
    await using early = await wireRuntime({}, { sandbox: startSandbox() });
    expect(await early.run({ source: 'return 1' })).toMatchObject({ value: 1 });
  });

  it('never writes what the operator protects, or Porthole itself', async () => {
    await using guarded = await createRuntime({ root, mode: 'unsafe', protectedPaths: [join(root, 'kept')] });
    const source = "try { write_file('kept', 'y') } catch (error) { return error.code }";
    expect(await guarded.run({ source, context })).toMatchObject({ value: 'PATH_PROTECTED' });
  });
});

describe('callTool()', () => {
  it('reads and writes through the same root', async () => {
    expect(await runtime.callTool('file_write', { path: 'a.txt', content: 'x' }, { context })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x');
    expect(await runtime.callTool('file_read', { path: 'a.txt' })).toMatchObject({ ok: true, result: { text: 'x' } });
  });

  it('needs the flag of the context as well, which is plain data', async () => {
    expect(await runtime.callTool('file_write', { path: 'a.txt', content: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'UNSAFE_FLAG_MISSING' },
    });
    const withDate = runtime.callTool('file_read', { path: 'a.txt' }, { context: { at: new Date() } });
    await expect(withDate).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  it('rejects for a tool there is not', async () => {
    await expect(runtime.callTool('file_raed', {})).rejects.toMatchObject({ hint: 'Did you mean file_read?' });
  });
});

describe('close()', () => {
  it('ends running programs and refuses everything from then on', async () => {
    writeFileSync(join(root, 'a.txt'), 'x');
    const running = runtime.run({ source: "write_file('b', 'x'); for (;;) {}", context });
    await untilThereIs('b');
    await runtime.close();
    expect(await running).toMatchObject({ status: 'aborted' });
    await expect(runtime.run({ source: '1' })).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    await expect(runtime.callTool('file_read', { path: 'a.txt' })).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('may be called again, and before anything ran', async () => {
    await runtime.close();
    await runtime.close();
    await expect(runtime.run({ source: '1' })).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });
});

describe('listTools()', () => {
  it('describes every tool with a JSON Schema', async () => {
    expect((await listTools()).map(({ name }) => name)).toEqual(['file_read', 'file_write', 'edit_file']);
  });
});
