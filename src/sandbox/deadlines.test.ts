import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from './deadlines.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function recorder() {
  const due: string[] = [];
  const deadlines = new Deadlines(() => performance.now());
  const add = (name: string, inMs: number) => {
    const deadline = { atMs: performance.now() + inMs, onDue: () => void due.push(name) };
    deadlines.add(deadline);
    return deadline;
  };
  return { due, deadlines, add };
}

describe('Deadlines', () => {
  it('fires each at its time, in whatever order they were added', () => {
    const { due, add } = recorder();
    add('late', 300);
    add('early', 100);
    vi.advanceTimersByTime(150);
    expect(due).toEqual(['early']);
    vi.advanceTimersByTime(200);
    expect(due).toEqual(['early', 'late']);
  });

  it('does not fire what was cancelled, and still fires the others', () => {
    const { due, deadlines, add } = recorder();
    deadlines.cancel(add('cancelled', 100));
    add('kept', 200);
    vi.advanceTimersByTime(500);
    expect(due).toEqual(['kept']);
  });

  it('sets one timer for any number of deadlines', () => {
    const { add } = recorder();
    for (let index = 0; index < 100; index++) add(`${index}`, 1000 + index);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('lets a deadline that is due add the next one', () => {
    const { due, deadlines } = recorder();
    deadlines.add({
      atMs: 10,
      onDue: () => deadlines.add({ atMs: performance.now() + 10, onDue: () => void due.push('second') }),
    });
    vi.advanceTimersByTime(50);
    expect(due).toEqual(['second']);
  });

  it('forgets everything when cleared', () => {
    const { due, deadlines, add } = recorder();
    add('never', 10);
    deadlines.clear();
    vi.advanceTimersByTime(100);
    expect(due).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
