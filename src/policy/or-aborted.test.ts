import { describe, expect, it } from 'vitest';
import { orAborted } from './or-aborted.ts';

const stop = () => new Error('stopped');
const never = new Promise<never>(() => undefined);

describe('orAborted()', () => {
  it('gives what came in time, and what went wrong', async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(7), signal, stop)).toBe(7);
    await expect(orAborted(Promise.reject(new Error('broken')), signal, stop)).rejects.toThrow('broken');
    expect(await orAborted(Promise.resolve(7), undefined, stop)).toBe(7);
  });

  it('stops waiting when the signal is raised, before or while it waits', async () => {
    await expect(orAborted(never, AbortSignal.abort(), stop)).rejects.toThrow('stopped');
    const controller = new AbortController();
    const waiting = orAborted(never, controller.signal, stop);
    controller.abort();
    await expect(waiting).rejects.toThrow('stopped');
  });

  it('lets what fails later fail unseen', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(orAborted(work, AbortSignal.abort(), stop)).rejects.toThrow('stopped');
    fail(new Error('late'));
  });
});
