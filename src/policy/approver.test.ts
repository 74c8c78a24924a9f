import { describe, expect, it } from 'vitest';
import {
  type Answer,
  type Approver,
  type AskOptions,
  askApprover,
  createCallbackApprover,
  type Question,
} from './approver.ts';

const question: Question = {
  id: 'q',
  run: 'r',
  action: 'edit_file replace a',
  name: 'edit_file',
  level: 'moderate',
  reason: 'r',
  root: '/root',
  arguments: '{}',
  files: [],
  scopes: ['once', 'run'],
};

const never: AskOptions = { timeoutMs: 1, startTimer: () => () => undefined };
const atOnce: AskOptions = {
  timeoutMs: 5,
  startTimer: (callback) => {
    queueMicrotask(callback);
    return () => undefined;
  },
};
const saying =
  (answer: unknown): Approver =>
  () =>
    Promise.resolve(answer as Answer); // what a caller without types may say

describe('askApprover()', () => {
  it('passes a clear yes and a clear no on', async () => {
    const yes = { decision: 'yes', scope: 'run', by: 'me' } as const;
    expect(await askApprover(saying(yes), question, never)).toEqual(yes);
    expect(await askApprover(saying({ decision: 'no' }), question, never)).toEqual({ decision: 'no' });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['true', true],
    ['a yes without a scope', { decision: 'yes' }],
    ['a yes of an unknown scope', { decision: 'yes', scope: 'forever' }],
    ['something else', { decision: 'maybe' }],
  ])('takes %s for a no', async (_name, answer) => {
    expect(await askApprover(saying(answer), question, never)).toMatchObject({ decision: 'no' });
  });

  it('takes a failing approver for a no and says why', async () => {
    const failing: Approver = () => Promise.reject(new Error('no network'));
    const throwing: Approver = () => {
      throw new Error('no network');
    };
    for (const approver of [failing, throwing]) {
      expect(await askApprover(approver, question, never)).toEqual({
        decision: 'no',
        reason: 'the approver failed: no network',
      });
    }
  });

  it('takes silence for a no once the time is over, and tells the approver', async () => {
    let told: AbortSignal | undefined;
    const silent: Approver = (_question, signal) => {
      told = signal;
      return new Promise(() => undefined);
    };
    expect(await askApprover(silent, question, atOnce)).toEqual({ decision: 'no', reason: 'timed out' });
    expect(told?.aborted).toBe(true);
  });

  it('takes an aborted run for a no, before and while the question is open', async () => {
    const silent: Approver = () => new Promise(() => undefined);
    const controller = new AbortController();
    const open = askApprover(silent, question, { ...never, signal: controller.signal });
    controller.abort();
    expect(await open).toEqual({ decision: 'no', reason: 'the run was aborted' });
    expect(
      await askApprover(saying({ decision: 'yes', scope: 'once' }), question, { ...never, signal: controller.signal }),
    ).toEqual({ decision: 'no', reason: 'the run was aborted' });
  });

  it('stops its timer when the answer came', async () => {
    let stopped = 0;
    const counting: AskOptions = { timeoutMs: 5, startTimer: () => () => void stopped++ };
    await askApprover(saying({ decision: 'no' }), question, counting);
    expect(stopped).toBe(1);
  });
});

describe('createCallbackApprover()', () => {
  const signal = new AbortController().signal;
  const said = (value: unknown) => createCallbackApprover(() => Promise.resolve(value as boolean))(question, signal); // what a caller without types may say

  it('takes true for a yes of once and a scope for a yes of that scope', async () => {
    expect(await said(true)).toMatchObject({ decision: 'yes', scope: 'once' });
    expect(await said('project')).toMatchObject({ decision: 'yes', scope: 'project' });
  });

  it.each([false, undefined, null, 1, 'true', 'yes', {}])('takes %j for a no', async (value) => {
    expect(await said(value)).toMatchObject({ decision: 'no' });
  });
});
