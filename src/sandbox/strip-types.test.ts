import { transformSync } from 'amaro';
import { describe, expect, it } from 'vitest';
import { stripTypes } from './strip-types.ts';

describe('stripTypes()', () => {
  it.each([
    ['const x: number = 1;', 'const x         = 1;'],
    ['return await (x as Promise<string>);', 'return await (x                   );'],
    ['type A = { b: 1 };\nreturn 2', '                  \nreturn 2'],
    ['function f<T>(a?: T): a is T {}', 'function f   (a    )         {}'],
    ['import type { A } from "./a"', undefined],
    ['return { a: 1 } satisfies object', 'return { a: 1 }                 '],
    ['return "// : string"', 'return "// : string"'],
    ['', ''],
  ])('keeps every position of %j', (source, stripped) => {
    const result = stripTypes(source, transformSync);
    if (stripped === undefined) expect(result).toHaveProperty('refused');
    else expect(result).toEqual({ source: stripped });
  });

  it.each([
    ['enum A { B }', 1, 1, 'cannot be erased: it needs code generation'],
    ['\n\n  namespace N { export const a = 1 }', 3, 3, 'needs code generation'],
    ['class A {\n  constructor(private x: number) {} }', 2, 23, 'needs code generation'],
    ['let x: = 3', 1, 8, ''],
    ['return <number>x', 1, 8, ''],
  ])('refuses %j with its line and column', (source, line, column, words) => {
    const result = stripTypes(source, transformSync);
    expect(result).toMatchObject({ refused: { line, column, message: expect.stringContaining(words) } });
  });

  it('gives no position behind the body', () => {
    expect(stripTypes('const a = {', transformSync)).toEqual({ refused: { message: expect.any(String) } });
  });

  it('does not take a broken stripper for a refused program', () => {
    const broken = (): never => {
      throw new RangeError('the parser broke');
    };
    expect(() => stripTypes('let a', broken)).toThrow('the parser broke');
  });

  it('says something where the complaint is no drawing', () => {
    const mute = (): never => {
      throw 'what?';
    };
    expect(stripTypes('let a', mute)).toEqual({ refused: { message: 'the types cannot be erased' } });
  });
});
