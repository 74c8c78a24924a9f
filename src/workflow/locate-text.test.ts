import { describe, expect, it } from 'vitest';
import { parseStrictDocument } from '../runtime/strict-document.ts';
import type { TextPlace } from './agent-file.ts';
import { createLocator } from './locate-text.ts';

// Where MARK stands in the file, found from where it stands in the value.
function locateMark(file: string, isJson = false): { found: string; really: string } {
  const document = parseStrictDocument(file, { isJson, kind: 'a test' });
  const value = String((document.value as { text: string }).text); // every case has this key
  const place = placeOf(value, value.indexOf('MARK'));
  const { line, column } = createLocator(document.writtenAt(['text']), document.positionOf(['text']))(place);
  const really = placeOf(file, file.indexOf('MARK'));
  return { found: `${line}:${column}`, really: `${really.line}:${really.column}` };
}

function placeOf(text: string, offset: number): Required<TextPlace> & { column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

describe('createLocator()', () => {
  it.each([
    ['a block', 'text: |\n  one\n    two MARK\n'],
    ['a block that begins with empty lines', 'text: |\n\n\n  one\n  MARK\n'],
    ['a block with its indentation given', 'text: |2\n     one\n   MARK\n'],
    ['a stripped block', 'text: |-\n      MARK\n'],
    ['a plain text', 'text: a + MARK\n'],
    ['a text in single quotes', "text: 'it''s MARK'\n"],
    ['a text in double quotes', 'text: "a \\"b\\" \\u0041\\x41\\U00000041 MARK"\n'],
    ['a text in double quotes with escaped line feeds', 'text: "one\\n  two\\nMARK"\n'],
  ])('finds a place in %s', (_what, file) => {
    const { found, really } = locateMark(file);
    expect(found).toBe(really);
  });

  it('finds a place in JSON', () => {
    const { found, really } = locateMark('{\n  "text": "a\\tb\\n\\u00e9 MARK"\n}', true);
    expect(found).toBe(really);
  });

  it.each([
    ['folded', 'text: >\n  one\n  MARK\n'],
    ['quoted over lines', 'text: "one\n  MARK"\n'],
  ])('gives the beginning of a text that is %s', (_what, file) => {
    expect(locateMark(file).found).toBe('1:7');
  });

  it('gives the beginning of a value that is not written there', () => {
    expect(createLocator(undefined, { line: 3, column: 4 })({ line: 9 })).toEqual({ line: 3, column: 4 });
  });
});
