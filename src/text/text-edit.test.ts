import { describe, expect, it } from 'vitest';
import { applySplices } from './splices.ts';
import { encode } from './testing/random-files.ts';
import { resolveTextEdit } from './text-edit.ts';

function edit(file: string, find: string, content: string): string {
  const bytes = encode(file);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    applySplices(bytes, [resolveTextEdit(bytes, { find, content }).splice]),
  );
}

describe('resolveTextEdit()', () => {
  it('writes line breaks as most lines of the file end', () => {
    expect(edit('a\r\nb\r\nc\n', 'b', '1\n2\r3\r\n4')).toBe('a\r\n1\r\n2\r\n3\r\n4\r\nc\n');
    expect(edit('a\rb\rc', 'c', 'x\ny')).toBe('a\rb\rx\ry');
    expect(edit('a', 'a', 'x\r\ny')).toBe('x\ny');
  });

  it('replaces across lines and endings', () => {
    expect(edit('a\r\nb\rc\nd', 'a\nb\nc\n', '-')).toBe('-d');
    expect(edit('a\n\nb', '\n\n', '\n')).toBe('a\nb');
  });

  it.each([['$&'], ['$1'], ['\\n'], ['&lt;'], ['“”'], ['\u00a0']])('takes %j for plain text on both sides', (text) => {
    expect(edit(`[${text}]\n`, text, 'x')).toBe('[x]\n');
    expect(edit('[x]\n', 'x', text)).toBe(`[${text}]\n`);
    expect(() => edit('[x]\n', `${text}x`, '')).toThrow('not found');
  });

  it('takes a byte order mark for text', () => {
    expect(edit('\ufeffa\n', '\ufeffa', 'b')).toBe('b\n');
  });

  it('refuses an empty find', () => {
    expect(() => edit('a', '', 'b')).toThrow('find is empty');
  });
});
