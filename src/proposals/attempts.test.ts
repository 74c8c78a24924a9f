import { describe, expect, test } from 'vitest';
import { type AttemptStore, checkAttempts, takeAttempt, uncapped } from './attempts.ts';

function countIn(counts: Map<string, number>): AttemptStore {
  return {
    used: (change) => Promise.resolve(counts.get(change) ?? 0),
    take: (change, max) => {
      const used = counts.get(change) ?? 0;
      if (used >= max) return Promise.resolve(undefined);
      counts.set(change, used + 1);
      return Promise.resolve(used + 1);
    },
  };
}

describe('attempts', () => {
  test('looking takes none; taking puts one on record', async () => {
    const counts = new Map<string, number>();
    const cap = { change: 'pr-1', max: 2, store: countIn(counts) };
    expect(await checkAttempts(cap)).toEqual({ change: 'pr-1', used: 0, max: 2, recorded: false });
    expect(counts.size).toBe(0);
    expect(await takeAttempt(cap)).toEqual({ change: 'pr-1', used: 1, max: 2, recorded: true });
    expect(await takeAttempt(cap)).toMatchObject({ used: 2 });
    const refused = { code: 'ATTEMPTS_SPENT', details: { change: 'pr-1', used: 2, max: 2 } };
    await expect(takeAttempt(cap)).rejects.toMatchObject(refused);
    await expect(checkAttempts(cap)).rejects.toMatchObject(refused);
    expect(await checkAttempts({ ...cap, change: 'pr-2' })).toMatchObject({ used: 0 });
  });

  test('without a name nothing is counted, and the report says so', async () => {
    expect(await checkAttempts(undefined)).toBe(uncapped);
    expect(await takeAttempt(undefined)).toBe(uncapped);
  });

  test('a store that cannot record stops what it was to be recorded for', async () => {
    const store: AttemptStore = { used: () => Promise.resolve(0), take: () => Promise.reject(new Error('no disk')) };
    await expect(takeAttempt({ change: 'x', max: 2, store })).rejects.toThrow('no disk');
  });

  test.each([Number.NaN, -1, 0, 3, 1.5, '1'])('a store that answers %s is not believed', async (answer) => {
    const wrong = Promise.resolve(answer as number);
    const store: AttemptStore = { used: () => wrong, take: () => wrong };
    await expect(takeAttempt({ change: 'x', max: 2, store })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  test('a count that is none is not believed', async () => {
    const store: AttemptStore = { used: () => Promise.resolve(-1), take: () => Promise.resolve(1) };
    await expect(checkAttempts({ change: 'x', max: 2, store })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  test('the name of a change is shown as text', async () => {
    const store = countIn(new Map([['a\u202eb\n', 1]]));
    const error = await checkAttempts({ change: 'a\u202eb\n', max: 1, store }).catch((reason) => reason);
    expect(error.message).not.toMatch(/[\u202e\n]/);
  });
});
