import { describe, expect, it } from 'vitest';
import { yamlFormat } from './documents/yaml-format.ts';
import { locateKey } from './locate-key.ts';

describe('locateKey()', () => {
  it.each([
    ['/a/b', 'a: {b: x}', 'x'],
    ['a.b', 'a: {b: x}', 'x'],
    ['a.1.b', 'a: [0, {b: x}]', 'x'],
    ['a.b', '"a.b": x', 'x'],
    ['a.b.c', 'a: {b.c: x, d: y}', 'x'],
    ['/a~1b/~0c', 'a/b: {~c: x}', 'x'],
    ['/~01', '~1: x', 'x'],
    ['/', '"": x', 'x'],
    ['', 'x', 'x'],
    ['#0', 'x', 'x'],
    ['#1', 'x\n---\ny', 'y'],
    ['#1/a', 'a: x\n---\na: y', 'y'],
    ['#1.a.b', 'a: x\n---\na: {b: y}', 'y'],
    ['/#1', '"#1": x', 'x'],
    ['#tag', '"#tag": x', 'x'],
  ])('finds %s in %s', (key, text, want) => {
    expect(find(text, key)).toBe(want);
  });

  it.each([
    ['/image', 'a: 1', 'key "/image" not found', 'There is no "image" there; the keys are "a".'],
    ['/image/tga', 'image: {tag: 1, pull: 2}', 'key "/image/tga" not found', 'Did you mean "tag"?'],
    ['/a/b', 'a: 1', 'key "/a/b" not found', 'The path goes on below a value that has nothing below it.'],
    ['/a/-', 'a: [1]', 'key "/a/-" not found', 'The list has 1 items; they count from 0.'],
    ['/a/01', 'a: [1, 2]', 'key "/a/01" not found', 'The list has 2 items; they count from 0.'],
    ['/a~2', 'a: 1', 'key "/a~2" not found', 'In a JSON Pointer "~" is written ~0 and "/" is ~1.'],
    ['/a/4', 'a: [1]', 'key "/a/4" index 4 out of range', 'The list has 1 items; they count from 0.'],
    ['a.4', 'a: [1]', 'key "a.4" index 4 out of range', 'The list has 1 items; they count from 0.'],
    ['/a', 'a: [1]', 'key "/a" is not a scalar', 'Name one value below it.'],
    ['/a', 'a: {b: 1}', 'key "/a" is not a scalar', 'Name one value below it; the keys are "b".'],
    ['', 'a: {b: 1}', 'key "" is not a scalar', 'Name one value below it; the keys are "a".'],
    ['a.b', 'a: {b: 1, b: 2}', 'key "a.b" is duplicated', 'The key stands there twice; a person has to remove one.'],
    ['c.b', 'a: &x {b: 1}\nc: *x', 'key "c.b" is an alias', 'Edit the value it stands for, where its anchor is.'],
    ['a.b', 'a: {b: 1}\na.b: 2', 'key "a.b" is ambiguous; use a JSON Pointer', 'Write / before every name.'],
    ['a.b.c.d', 'a.b: {c.d: 1}\na: {b.c: {d: 1}}', 'key "a.b.c.d" is ambiguous; use a JSON Pointer', ''],
    ['/a', 'a: 1\n---\na: 1', 'file holds 2 documents; name one as #<index>', 'The first is #0: "#0/a".'],
    ['a', 'a: 1\n---\na: 1', 'file holds 2 documents; name one as #<index>', 'The first is #0: "#0.a".'],
    ['#2/a', 'a: 1\n---\na: 1', 'key "#2/a" not found', 'The file holds 2 documents; they count from #0.'],
    ['#1', 'a: 1', 'key "#1" not found', 'The file holds 1 document; they count from #0.'],
    ['/\u001b[2J', 'a: 1', 'key "/\\u{1b}[2J" not found', ''],
  ])('refuses %s in %s', (key, text, message, hint) => {
    const found = find(text, key);
    expect(found).toContain(message);
    expect(found).toContain(hint);
  });

  it('takes dotted paths of 64 names and no more, since it tries every way to join them', () => {
    const names = Array.from({ length: 64 }, () => 'a');
    const text = `${names.map((name) => `{${name}: `).join('')}x${'}'.repeat(64)}`;
    expect(find(text, names.join('.'))).toBe('x');
    expect(find(text, `${names.join('.')}.a`)).toContain('is ambiguous; use a JSON Pointer');
  });

  it('lists a few names of many', () => {
    const text = Array.from({ length: 30 }, (_, index) => `key${index}: 1\n`).join('');
    expect(find(text, '/zzzzzzzzz')).toContain('"key9", ….');
  });
});

function find(text: string, key: string): string {
  const read = yamlFormat.read(text);
  if (read.kind !== 'read') return read.reason;
  const located = locateKey(read.documents, key);
  return located.kind === 'scalar' ? located.scalar.text : `${located.message} | ${located.hint}`;
}
