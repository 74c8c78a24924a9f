import { describe, expect, it } from 'vitest';
import { defaultLimits, type Limits } from '../contract/limits.ts';
import type { Helper } from './helper.ts';
import type { HelperReply, WorkerEnd } from './messages.ts';
import { type SandboxOutcome, SandboxRun } from './sandbox-run.ts';
import { writeSerial } from './serial-writer.ts';

const text = { file: 'program.js', source: '', lineCount: 1, parameters: ['input_data', 'context'] };

function sandboxRun(helper?: Helper, limits: Partial<Limits> = {}): SandboxRun {
  return new SandboxRun({ ...defaultLimits, ...limits }, text, [helper]);
}

function finish(run: SandboxRun, end: WorkerEnd): SandboxOutcome {
  return run.finish({ kind: 'done', end, pendingWork: false, memoryBytes: 1, wallMs: 2 });
}

const completed: WorkerEnd = { kind: 'value', value: { bytes: writeSerial(5), packed: false } };

describe('a call of a run', () => {
  it('is answered once, whatever the helper does', async () => {
    const faults: readonly Helper[] = [
      () => ({ kind: 'value', value: 1 }),
      async () => ({ kind: 'value', value: 1 }),
      () => ({ kind: 'value', value: Symbol('x') }),
      async () => ({ kind: 'value', value: Symbol('x') }),
      () => {
        throw new Error('x');
      },
      () => Promise.reject(new Error('x')),
      () => ({
        kind: 'value',
        value: 1,
        afterReply: () => {
          throw new Error('x');
        },
      }),
      async () => ({
        kind: 'text',
        utf8: Buffer.from('x'),
        afterReply: () => {
          throw new Error('x');
        },
      }),
      () => {
        throw 'no error at all';
      },
    ];
    for (const helper of faults) {
      const replies: HelperReply[] = [];
      sandboxRun(helper).call(0, [], (reply) => replies.push(reply));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(replies).toHaveLength(1);
    }
  });

  it('does what comes after the reply behind the reply', () => {
    const order: string[] = [];
    sandboxRun(() => ({ kind: 'value', value: 1, afterReply: () => order.push('after') })).call(0, [], () =>
      order.push('reply'),
    );
    expect(order).toEqual(['reply', 'after']);
  });

  it('reaches no helper when the run has its end, and none that it does not have', () => {
    let calls = 0;
    const run = sandboxRun(() => {
      calls++;
      return { kind: 'value', value: 1 };
    });
    const replies: HelperReply[] = [];
    for (const number of [1, -1, 0.5, Number.NaN]) run.call(number, [], (reply) => replies.push(reply));
    run.latch({ status: 'aborted', reason: 'x' });
    run.call(0, [], (reply) => replies.push(reply));
    expect(calls).toBe(0);
    expect(replies).toEqual([1, 2, 3, 4, 5].map(() => ({ kind: 'stop' })));
  });
});

describe('the end of a run', () => {
  it('is the first one that was latched, whatever the worker says', () => {
    const run = sandboxRun();
    run.latch({ status: 'aborted', reason: 'first' });
    run.latch({ status: 'aborted', reason: 'second' });
    expect(finish(run, completed).end).toEqual({ status: 'aborted', reason: 'first' });
    expect(run.finishKilled({ status: 'aborted', reason: 'third' }, 5)).toMatchObject({
      end: { reason: 'first' },
      wallMs: 5,
      memoryBytes: 0,
    });
  });

  it.each<[WorkerEnd, object]>([
    [completed, { status: 'completed', value: 5 }],
    [
      { kind: 'problem', text: 'result is a function' },
      {
        status: 'failed',
        error: { kind: 'not_serializable', message: 'Cannot return the result: result is a function' },
      },
    ],
    [
      { kind: 'never_settles' },
      {
        status: 'failed',
        error: { kind: 'never_settles', code: 'NEVER_SETTLES', hint: expect.stringContaining('resolve') },
      },
    ],
    [
      { kind: 'result_too_large', used: 9 },
      { status: 'limited', limit: 'result', used: 9 },
    ],
    [
      { kind: 'result_too_large', used: undefined },
      { status: 'limited', limit: 'result' },
    ],
    [
      { kind: 'latched', latch: 'time' },
      { status: 'limited', limit: 'time', ceiling: 10_000 },
    ],
    [
      { kind: 'latched', latch: 'memory' },
      { status: 'limited', limit: 'memory' },
    ],
    [{ kind: 'latched', latch: 'stopped' }, { status: 'crashed' }],
    [
      { kind: 'trapped', stack: true, message: 'RangeError' },
      { status: 'limited', limit: 'stack' },
    ],
    [
      { kind: 'trapped', stack: false, message: 'unreachable' },
      { status: 'crashed', error: { message: 'unreachable' } },
    ],
    [
      { kind: 'thrown', syntax: false, described: writeSerial(['thrownLossy', 'text']) },
      { status: 'failed', error: { thrown: 'text', thrownLossy: true } },
    ],
  ])('follows from what the worker saw: %j', (end, expected) => {
    expect(finish(sandboxRun(), end).end).toMatchObject(expected);
  });

  it.each<[string, WorkerEnd]>([
    ['a value that cannot be read', { kind: 'value', value: { bytes: Uint8Array.of(1, 2, 3), packed: false } }],
    ['a value nested beyond any stack', { kind: 'value', value: { bytes: deepArray(100_000), packed: false } }],
    ['an error that cannot be read', { kind: 'thrown', syntax: false, described: Uint8Array.of(9) }],
    ['an error that is no list', { kind: 'thrown', syntax: false, described: writeSerial(null) }],
  ])('is crashed, and throws nothing in the host, for %s', (_title, end) => {
    expect(finish(sandboxRun(), end).end).toMatchObject({ status: 'crashed' });
  });
});

function deepArray(depth: number): Uint8Array {
  return Uint8Array.from([5, 0, ...Array.from({ length: depth }, () => [9, 1]).flat(), 1]);
}
