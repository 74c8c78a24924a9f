import { describe, expect, it } from 'vitest';
import type { ScalarNode } from './documents/document-node.ts';
import { yamlFormat } from './documents/yaml-format.ts';
import { guardBytes, guardMeaning } from './guard-splices.ts';
import { locateKey } from './locate-key.ts';

const text = 'a: x # c\nb: y\n';

describe('guardMeaning()', () => {
  it('accepts a text in which the scalars alone are different', () => {
    expect(guard('a: z # c\nb: y\n')).toBeUndefined();
  });

  it.each([
    ['another value', 'a: z # c\nb: z\n'],
    ['another key', 'a: z # c\nc: y\n'],
    ['a comment that is gone', 'a: z\nb: y\n'],
    ['another comment', 'a: z # d\nb: y\n'],
    ['a further key', 'a: z # c\nb: y\nd: 1\n'],
    ['a key that is gone', 'a: z # c\n'],
    ['the scalar as it was', text],
    ['another scalar there', 'a: q # c\nb: y\n'],
    ['quotes around it', 'a: "z" # c\nb: y\n'],
    ['a list instead', 'a: [z] # c\nb: y\n'],
    ['an empty file', ''],
  ])('finds %s', (_title, after) => {
    expect(guard(after)).toBeDefined();
  });

  it('names the change after which the file is different', () => {
    const changes = [change('/a', 'z'), change('/b', 'q')];
    const tokens = tokensOf(text);
    expect(guardMeaning(tokens, 'a: z # c\nb: q\n', changes, yamlFormat)).toBeUndefined();
    expect(guardMeaning(tokens, 'a: z # d\nb: q\n', changes, yamlFormat)).toBe(changes[0]);
    expect(guardMeaning(tokens, 'a: z # c\nb: r\n', changes, yamlFormat)).toBe(changes[1]);
    expect(guardMeaning(tokens, 'a: z # c\nb: q\nc: 1\n', changes, yamlFormat)).toBe(changes[1]);
  });

  it('finds a change whose scalar is not there', () => {
    const moved = { ...change('/b', 'q'), scalar: { ...scalarAt('/b'), start: 1 } };
    expect(guardMeaning(tokensOf(text), text, [moved], yamlFormat)).toBe(moved);
  });

  it('finds a text that cannot be read at all', () => {
    const broken = { ...yamlFormat, readTokens: () => undefined };
    expect(guardMeaning(tokensOf(text), text, [change('/a', 'z')], broken)).toBeDefined();
  });
});

describe('guardBytes()', () => {
  const before = bytesOf('abcdef');
  const splices = [{ start: 1, end: 3, bytes: bytesOf('XYZ') }];

  it('accepts a file whose bytes are the same outside the ranges', () => {
    expect(guardBytes(before, bytesOf('aXYZdef'), splices)).toBe(true);
    expect(guardBytes(before, before, [])).toBe(true);
  });

  it.each(['AXYZdef', 'aXYZdeF', 'aXYZdefg', 'aXYZde', 'XYZdef', 'aXYdef', ''])('finds a difference in %s', (after) => {
    expect(guardBytes(before, bytesOf(after), splices)).toBe(false);
  });
});

function guard(after: string): unknown {
  return guardMeaning(tokensOf(text), after, [change('/a', 'z')], yamlFormat);
}

function change(key: string, source: string) {
  const scalar = scalarAt(key);
  return { kind: 'change' as const, scalar, written: { ...scalar, source } };
}

function scalarAt(key: string): ScalarNode {
  const read = yamlFormat.read(text);
  const located = read.kind === 'read' ? locateKey(read.documents, key) : undefined;
  if (located?.kind !== 'scalar') throw new Error(key);
  return located.scalar;
}

function tokensOf(whole: string) {
  return yamlFormat.readTokens(whole) ?? { starts: [], sources: [] };
}

function bytesOf(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
