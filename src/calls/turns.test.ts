import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

describe('createTurns()', () => {
  it('gives one turn per place at a time', () => {
    const turns = createTurns();
    const turn = turns.tryTake('a');
    expect(turns.tryTake('a')).toBeUndefined();
    expect(turns.tryTake('b')).toBeDefined();
    turn?.release();
    expect(turns.tryTake('a')).toBeDefined();
  });

  it('wakes everybody who waits, in the order they came', async () => {
    const turns = createTurns();
    const turn = turns.tryTake('a');
    const woken: number[] = [];
    const waiting = [1, 2, 3].map((number) => turns.whenFree('a').then(() => woken.push(number)));
    turn?.release();
    await Promise.all(waiting);
    expect(woken).toEqual([1, 2, 3]);
    await turns.whenFree('a');
  });

  it('does not let a turn that is over end the next one', () => {
    const turns = createTurns();
    const first = turns.tryTake('a');
    first?.release();
    turns.tryTake('a');
    first?.release();
    expect(turns.tryTake('a')).toBeUndefined();
  });
});
