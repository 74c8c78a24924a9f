import { describe, expect, it } from 'vitest';
import { RunClock } from './run-clock.ts';
import { createPool, program } from './testing/run-program.ts';

describe('RunClock', () => {
  it('tells of the first wait and of the last, however often one is ended', () => {
    const told: string[] = [];
    const clock = new RunClock();
    clock.attach({ onPause: () => told.push('pause'), onResume: () => told.push('resume') });
    const first = clock.pause();
    const second = clock.pause();
    first();
    first();
    expect(told).toEqual(['pause']);
    second();
    expect(told).toEqual(['pause', 'resume']);
  });

  it('needs nobody who listens', () => {
    expect(() => new RunClock().pause()()).not.toThrow();
  });
});

describe('a program whose clock is stopped', () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  const waitingFor = (ms: number, clock: RunClock) => async () => {
    const goOn = clock.pause();
    await wait(ms).finally(goOn);
    return { kind: 'value', value: 1 } as const;
  };

  it('keeps its time, for itself and for the thread that would be ended', async () => {
    const pool = await createPool();
    const clock = new RunClock();
    const helpers = { read_file: waitingFor(400, clock) };
    const source = 'read_file(); read_file(); const end = Date.now() + 60; while (Date.now() < end); return 1';
    const outcome = await pool.run(program(source, { helpers, clock, limits: { timeMs: 250 } }));
    expect(outcome.end).toEqual({ status: 'completed', value: 1 });
    expect(outcome.wallMs).toBeGreaterThan(800);
    await pool.close();
  });

  it('has no more than its time', async () => {
    const pool = await createPool();
    const clock = new RunClock();
    const helpers = { read_file: waitingFor(300, clock) };
    const startedAt = performance.now();
    const looping = await pool.run(program('read_file(); for (;;);', { helpers, clock, limits: { timeMs: 200 } }));
    expect(looping.end).toMatchObject({ status: 'limited', limit: 'time' });
    expect(performance.now() - startedAt).toBeLessThan(1500);
    await pool.close();
  });

  it('leaves nothing of that to the next program on its thread, which ends by itself and is not killed', async () => {
    const pool = await createPool();
    // A thread that gets no processor for 50 ms is killed as well: what counts is that it is not always so.
    let endedByItself = 0;
    for (let attempt = 0; attempt < 5 && endedByItself === 0; attempt++) {
      const clock = new RunClock();
      const helpers = { read_file: waitingFor(300, clock) };
      expect((await pool.run(program('read_file()', { helpers, clock }))).end.status).toBe('completed');
      const next = await pool.run(program('for (;;);', { limits: { timeMs: 100 } }));
      expect(next.end).toMatchObject({ status: 'limited', limit: 'time' });
      // Of a thread that was killed nobody knows its memory.
      if (next.memoryBytes > 0) endedByItself++;
    }
    expect(endedByItself).toBe(1);
    await pool.close();
  });

  it('is ended all the same by an abort', async () => {
    const pool = await createPool();
    const clock = new RunClock();
    const controller = new AbortController();
    const helpers = { read_file: waitingFor(10_000, clock) };
    const running = pool.run(program('read_file()', { helpers, clock, signal: controller.signal }));
    await wait(150);
    const abortedAt = performance.now();
    controller.abort();
    expect((await running).end.status).toBe('aborted');
    expect(performance.now() - abortedAt).toBeLessThan(50);
    await pool.close();
  });
});
