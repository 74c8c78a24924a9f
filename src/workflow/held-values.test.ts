import { describe, expect, it } from 'vitest';
import { HeldValues, mostHeldBytes, sizeOfValue } from './held-values.ts';

describe('sizeOfValue()', () => {
  it.each([
    ['nothing', undefined, 16],
    ['a number', 7, 16],
    ['a text', 'abc', 22],
    ['bytes', new Uint8Array(100), 116],
    ['a buffer', new ArrayBuffer(100), 116],
    ['a list', [1, null, 'ab'], 68],
    ['an object', { ab: true }, 52],
    ['a map', new Map([['ab', 1]]), 52],
    ['a set', new Set(['ab']), 36],
    ['a date', new Date(0), 16],
  ])('of %s', (_what, value, bytes) => {
    expect(sizeOfValue(value)).toBe(bytes);
  });

  it('goes as deep as a value does', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(sizeOfValue(deep)).toBe(16 * 100_001);
  });
});

describe('HeldValues', () => {
  it('holds the last value of each agent and what is on its way', () => {
    const held = new HeldValues();
    held.keep('a', 10);
    held.keep('a', 3);
    held.keep('b', 5);
    held.add(100);
    held.add(-90);
    expect(held.bytes).toBe(18);
    expect([held.isFull(mostHeldBytes - 18), held.isFull(mostHeldBytes - 17)]).toEqual([false, true]);
  });
});
