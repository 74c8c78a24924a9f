import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachLine } from './byte-lines.ts';
import { dropOneEnding, resolveLineEdit } from './line-edit.ts';
import { applySplices } from './splices.ts';
import { anyFile, anyLine, atLeast, encode, toByteString } from './testing/random-files.ts';

function edit(file: string, line: number, content: string, find = ''): string {
  const bytes = encode(file);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    applySplices(bytes, [resolveLineEdit(bytes, { line, find, content }).splice]),
  );
}

describe('resolveLineEdit()', () => {
  it('keeps indentation only where the new text has none and says something else', () => {
    expect(edit('\t  x\n', 1, 'y')).toBe('\t  y\n');
    expect(edit('  x\n', 1, 'x')).toBe('x\n');
    expect(edit('  x\n', 1, 'x  ')).toBe('x  \n');
    expect(edit('  x\n', 1, ' y')).toBe(' y\n');
    expect(edit('  x\n', 1, '\ty')).toBe('\ty\n');
    expect(edit('  x\n', 1, '')).toBe('\n');
    expect(edit('  x  \n', 1, 'y')).toBe('  y\n');
    expect(edit('    \n', 1, 'y')).toBe('    y\n');
    expect(edit('\u00a0x\n', 1, 'y')).toBe('y\n');
    expect(edit('x\n', 1, 'y')).toBe('y\n');
  });

  it('takes a byte order mark for no part of line 1', () => {
    expect(edit('\ufeff  x\n', 1, 'y')).toBe('\ufeff  y\n');
    expect(edit('\ufeffx\n', 1, '\ufeffy')).toBe('\ufeffy\n');
    expect(edit('\ufeffx\nz\n', 2, '\ufeffy')).toBe('\ufeffx\n\ufeffy\n');
    expect(edit('x\n', 1, '\ufeffy')).toBe('\ufeffy\n');
    expect(() => edit('\ufeffx\n', 1, 'y', '\ufeffx')).toThrow('line 1 does not contain');
    expect(edit('a\n\ufeffx\n', 1, 'y', '\ufeffx')).toBe('a\ny\n');
  });

  it('drops one ending of any kind from content, and judges what is left', () => {
    expect(edit('a\nb\n', 1, 'A\r')).toBe('A\nb\n');
    expect(edit('  a\r\n', 1, '\n')).toBe('\r\n');
    expect(() => edit('a\n', 1, 'A\n\n')).toThrow('content for line 1 must be one line');
    expect(() => edit('a\n', 9, 'A\rB')).toThrow('content for line 9 must be one line');
  });

  it('moves to the one line that holds find, however often', () => {
    expect(edit('a\n  b b\n', 1, 'c', 'b')).toBe('a\n  c\n');
    expect(resolveLineEdit(encode('a\n  b b\n'), { line: 1, find: 'b\r\n', content: 'c' })).toMatchObject({
      line: 2,
      movedFrom: 1,
      keptIndentation: '  ',
    });
    expect(() => edit('a\nb\nb\n', 1, 'c', 'b')).toThrow('2 other lines do (lines 2, 3)');
    expect(() => edit('a\nb\n', 3, 'c', 'b')).toThrow('no line 3: the file has 2 lines');
  });

  it('checks nothing for an empty find', () => {
    expect(edit('a\n', 1, 'b', '\n')).toBe('b\n');
  });

  it('changes the text of that one line and nothing else, in any file', () => {
    fc.assert(
      fc.property(anyFile, fc.nat(), anyLine, (file, pick, content) => {
        const lines = [...eachLine(file)];
        const number = 1 + (pick % Math.max(lines.length, 1));
        const line = lines[number - 1];
        fc.pre(line !== undefined);
        const { splice, keptIndentation } = resolveLineEdit(file, { line: number, find: '', content });
        const after = toByteString(applySplices(file, [splice]));
        const before = toByteString(file);
        const head = before.slice(0, line.start) + (keptIndentation ?? '');
        const isMarkDropped = number === 1 && line.start === 3 && content.startsWith('\ufeff');
        const written = toByteString(encode(isMarkDropped ? content.slice(1) : content));
        expect(after).toBe(head + written + before.slice(line.textEnd));
        const old = before.slice(line.start, line.textEnd);
        const strip = (text: string) => text.replaceAll(/^[ \t]+|[ \t]+$/g, '');
        const isKept = /^[^ \t]/.test(written) && /^[ \t]/.test(old) && strip(old) !== strip(written);
        expect(keptIndentation).toBe(isKept ? /^[ \t]+/.exec(old)?.[0] : undefined);
      }),
      atLeast(1500),
    );
  });
});

describe('dropOneEnding()', () => {
  it.each([
    ['a', 'a'],
    ['a\n', 'a'],
    ['a\r\n', 'a'],
    ['a\r', 'a'],
    ['a\n\n', 'a\n'],
    ['a\n\r', 'a\n'],
    ['a\nb', 'a\nb'],
    ['\n', ''],
  ])('of %j is %j', (text, left) => {
    expect(dropOneEnding(text)).toBe(left);
  });
});
