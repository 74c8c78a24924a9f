import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryTree, type MemoryTree } from './memory-tree.ts';
import { codeNow } from './testing/code-of.ts';

function createTree(treeBytes = 1000, treeNodes = 100): MemoryTree {
  return createMemoryTree({ id: 't', quota: { treeBytes, treeNodes } });
}

function write(tree: MemoryTree, path: string, text: string): void {
  tree.openForWriting(tree.parsePath(path, 'write')).replace(Buffer.from(text));
}

function remove(tree: MemoryTree, path: string): void {
  tree.openForRemoval(tree.parsePath(path, 'remove')).remove();
}

function list(tree: MemoryTree, path = '.', isRecursive = true): readonly string[] {
  return tree.listFiles(tree.parsePath(path, 'list'), isRecursive);
}

describe('createMemoryTree()', () => {
  it('takes a leading slash for its root', () => {
    const tree = createTree();
    write(tree, '/d/a', 'x');
    write(tree, '//b', 'y');
    expect(list(tree, '/')).toEqual(['b', 'd/a']);
    expect(tree.parsePath('/~a', 'read').segments).toEqual(['~a']);
  });

  it('makes directories for a file, and they vanish with the last one', () => {
    const tree = createTree();
    write(tree, 'a/b/c/one', '1');
    write(tree, 'a/two', '2');
    expect(tree.isDirectory('a/b/c')).toBe(true);
    remove(tree, 'a/b/c/one');
    expect([tree.isDirectory('a/b'), tree.isDirectory('a')]).toEqual([false, true]);
    expect(list(tree)).toEqual(['a/two']);
    write(tree, 'a/b', 'a file where a directory was');
    expect(list(tree)).toEqual(['a/b', 'a/two']);
  });

  it('lists sorted by bytes, whole or one level, and a file as itself', () => {
    const tree = createTree();
    for (const path of ['\u{1f44d}', '\uffff', 'b/c', 'b', 'a/x', 'a.x', 'a/b/y'].filter((path) => path !== 'b')) {
      write(tree, path, '');
    }
    expect(list(tree)).toEqual(['a.x', 'a/b/y', 'a/x', 'b/c', '\uffff', '\u{1f44d}']);
    expect(list(tree, 'a', false)).toEqual(['a/x']);
    expect(list(tree, 'a/')).toEqual(['a/b/y', 'a/x']);
    expect(list(tree, './a.x')).toEqual(['a.x']);
    expect(list(createTree())).toEqual([]);
  });

  it.each([
    ['missing', 'NOT_FOUND'],
    ['a/x', 'NOT_A_DIRECTORY'],
    ['a/', 'NOT_A_DIRECTORY'],
  ])('refuses to list %s', (path, code) => {
    const tree = createTree();
    write(tree, 'a', '');
    expect(codeNow(() => list(tree, path))).toBe(code);
  });

  it.each([
    ['missing', 'NOT_FOUND'],
    ['d', 'IS_A_DIRECTORY'],
    ['d/a/', 'NOT_A_DIRECTORY'],
    ['d/a/x', 'NOT_A_DIRECTORY'],
  ])('refuses to remove %s', (path, code) => {
    const tree = createTree();
    write(tree, 'd/a', '');
    expect(codeNow(() => remove(tree, path))).toBe(code);
    expect(list(tree)).toEqual(['d/a']);
  });

  it('does not remove what was written since', () => {
    const tree = createTree();
    write(tree, 'a', '1');
    const target = tree.openForRemoval(tree.parsePath('a', 'remove'));
    expect([target.shownPath, target.existing.size]).toEqual(['a', 1]);
    write(tree, 'a', '2');
    expect(codeNow(target.remove)).toBe('CHANGED_SINCE_READ');
    expect(list(tree)).toEqual(['a']);
  });

  it('refuses to grow past its quotas and stays as it was; what was removed counts no more', () => {
    const tree = createTree(10, 3);
    write(tree, 'd/a', '12345');
    expect(codeNow(() => write(tree, 'd/b', '123456'))).toBe('TREE_FULL');
    expect(codeNow(() => write(tree, 'e/f/g', ''))).toBe('TREE_FULL');
    expect(codeNow(() => tree.put('e/f/g', new Uint8Array()))).toBe('TREE_FULL');
    expect([...tree.files().keys()]).toEqual(['d/a']);
    write(tree, 'd/a', '1234567890');
    expect(codeNow(() => write(tree, 'd/a', '12345678901'))).toBe('TREE_FULL');
    write(tree, 'd/a', '');
    write(tree, 'd/b', '1234567890');
    remove(tree, 'd/b');
    remove(tree, 'd/a');
    write(tree, 'e/f/g', '1234567890');
  });

  it('keeps its own bytes, whatever happens to those that were written', () => {
    const tree = createTree();
    const bytes = Buffer.from('abc');
    tree.openForWriting(tree.parsePath('a', 'write')).replace(bytes);
    bytes.fill(0);
    expect(Buffer.from(tree.files().get('a') ?? []).toString()).toBe('abc');
  });

  it('refuses the first node beyond its quota, soon', () => {
    const tree = createTree(1000, 16_384);
    const started = process.cpuUsage();
    let code: string | null = null;
    let nodes = 0;
    while (code === null) code = codeNow(() => tree.put(`d${nodes % 100}/f${nodes++}`, new Uint8Array()));
    expect([code, nodes]).toEqual(['TREE_FULL', 16_384 - 100 + 1]);
    // Time of this process alone: a busy machine is no reason to fail.
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it('holds what a plain map would, and counts what it holds', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((names) => names.join('/'));
    const step = fc.record({ path, text: fc.option(fc.string({ maxLength: 5 })) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const tree = createTree(60, 12);
        const model = new Map<string, string>();
        for (const { path, text } of steps) {
          const code = codeNow(() => (text === null ? remove(tree, path) : write(tree, path, text)));
          if (code === null) text === null ? model.delete(path) : model.set(path, text);
        }
        const held = [...tree.files()].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]);
        expect(Object.fromEntries(held)).toEqual(Object.fromEntries(model));
        expect(list(tree)).toEqual([...model.keys()].sort());
        // As many bytes as are left still fit, and not one more.
        const used = [...model.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        const [first] = model.keys();
        if (first === undefined) return;
        const room = 60 - used + Buffer.byteLength(model.get(first) ?? '');
        write(tree, first, 'x'.repeat(room));
        expect(codeNow(() => write(tree, first, 'x'.repeat(room + 1)))).toBe('TREE_FULL');
      }),
    );
  });
});
