import { describe, expect, it } from 'vitest';
import { OwnedRunLife } from './run-life.ts';

describe('OwnedRunLife', () => {
  it('is over when it is ended, or one of its sources is raised', () => {
    const ended = new OwnedRunLife([]);
    expect(ended.isOver()).toBe(false);
    ended.end();
    ended.end();
    expect([ended.isOver(), ended.signal.aborted]).toEqual([true, true]);
    const source = new AbortController();
    const watching = new OwnedRunLife([undefined, source.signal]);
    source.abort();
    expect(watching.isOver()).toBe(true);
    expect(watching.signal.aborted).toBe(true);
  });

  it('raises its signal, which is one and the same, with a source or at the end', () => {
    const source = new AbortController();
    const raised: string[] = [];
    const life = new OwnedRunLife([source.signal]);
    life.signal.addEventListener('abort', () => raised.push('by the source'));
    expect(life.signal).toBe(life.signal);
    source.abort();
    const other = new OwnedRunLife([undefined]);
    other.signal.addEventListener('abort', () => raised.push('at the end'));
    other.end();
    expect(raised).toEqual(['by the source', 'at the end']);
  });

  it('lets go of its sources when it ends', () => {
    const source = new EventTarget() as AbortSignal; // what it does with listeners is what is looked at
    const listeners = new Set<unknown>();
    source.addEventListener = (_: string, listener: unknown) => void listeners.add(listener);
    source.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener);
    const life = new OwnedRunLife([source]);
    expect(life.signal.aborted).toBe(false);
    expect(listeners.size).toBe(1);
    life.end();
    expect(listeners.size).toBe(0);
  });
});
