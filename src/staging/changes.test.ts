import { describe, expect, it } from 'vitest';
import { findChanges } from './changes.ts';
import { renderChanges } from './render-changes.ts';
import { createBaseline } from './testing/staged-tree.ts';
import { digest } from './testing/write-back-world.ts';

const find = (before: Record<string, string>, after: Record<string, string>) => {
  const files = new Map(Object.entries(after).map(([path, text]) => [path, Buffer.from(text)]));
  return findChanges(createBaseline(before), files, { digest });
};
const facts = (text: string) => ({ bytes: Buffer.byteLength(text), digest: digest(Buffer.from(text)) });

describe('findChanges()', () => {
  it('tells what was created, modified and deleted, with sizes and digests', () => {
    expect(find({ m: 'old', d: 'gone', same: 's' }, { m: 'newer', c: '', same: 's' })).toEqual([
      { kind: 'create', path: 'c', before: null, after: facts('') },
      { kind: 'delete', path: 'd', before: facts('gone'), after: null },
      { kind: 'modify', path: 'm', before: facts('old'), after: facts('newer') },
    ]);
  });

  it('takes a file that was written again with the same bytes for unchanged, and digests nothing', () => {
    const baseline = createBaseline({ a: 'x' });
    const refuse = () => {
      throw new Error('digested');
    };
    expect(findChanges(baseline, new Map([['a', Buffer.from('x')]]), { digest: refuse })).toEqual([]);
  });

  it('sorts by the bytes of the paths', () => {
    const paths = ['😀', '\ufffd', 'b', 'a/b', 'a-b', 'a', 'Z'];
    const created = find({}, Object.fromEntries(paths.map((path) => [path, ''])));
    expect(created.map(({ path }) => path)).toEqual(['Z', 'a', 'a-b', 'a/b', 'b', '\ufffd', '😀']);
  });

  it('digests only what changed, however many files there are', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `d${index % 100}/f${index}`);
    const baseline = createBaseline(Object.fromEntries(names.map((name) => [name, 'x'])));
    const files = new Map(names.map((name, index) => [name, Buffer.from(index % 10 === 0 ? 'y' : 'x')]));
    let digested = 0;
    const counting = (bytes: Uint8Array) => {
      digested++;
      return digest(bytes);
    };
    expect(findChanges(baseline, files, { digest: counting })).toHaveLength(1000);
    expect(digested).toBe(1000);
  });
});

describe('renderChanges()', () => {
  it('is the change set as JSON, without the bytes', () => {
    const changes = find({ a: 'secret' }, { 'ü\n': 'x' });
    expect(JSON.parse(renderChanges(changes))).toEqual({ changes });
    expect(renderChanges(changes)).not.toContain('secret');
    expect(renderChanges([])).toBe('{\n  "changes": []\n}\n');
  });
});
