import { describe, expect, it } from 'vitest';
import { createWindowCursors } from './window-cursors.ts';

const at = (chars: number) => ({ chars, bytes: chars * 2 });

describe('createWindowCursors()', () => {
  it('knows the start of every file, and nothing else at first', () => {
    expect(createWindowCursors().nearest('a', 100)).toEqual(at(0));
  });

  it('gives the furthest position that is not behind the offset', () => {
    const cursors = createWindowCursors();
    for (const chars of [10, 30, 20]) cursors.remember('a', at(chars));
    expect(cursors.nearest('a', 29)).toEqual(at(20));
    expect(cursors.nearest('a', 30)).toEqual(at(30));
    expect(cursors.nearest('a', 9)).toEqual(at(0));
    expect(cursors.nearest('b', 30)).toEqual(at(0));
  });

  it('forgets a file when told so', () => {
    const cursors = createWindowCursors();
    cursors.remember('a', at(5));
    cursors.forget('a');
    expect(cursors.nearest('a', 5)).toEqual(at(0));
  });

  it('keeps the positions and files used last', () => {
    const cursors = createWindowCursors();
    for (let chars = 1; chars <= 100; chars++) cursors.remember('a', at(chars));
    expect(cursors.nearest('a', 1)).toEqual(at(0));
    expect(cursors.nearest('a', 90)).toEqual(at(90));
    for (let file = 0; file < 15; file++) cursors.remember(`${file}`, at(1));
    cursors.remember('a', at(200));
    for (let file = 15; file < 20; file++) cursors.remember(`${file}`, at(1));
    expect(cursors.nearest('0', 1)).toEqual(at(0));
    expect(cursors.nearest('a', 200)).toEqual(at(200));
  });
});
