import { describe, expect, it } from 'vitest';
import { endOf } from './testing/run-program.ts';

const hint = expect.stringContaining('A program is the body of a function and has no modules');

async function errorOf(source: string, language: 'js' | 'ts' = 'js'): Promise<object> {
  const end = await endOf(source, { language });
  return end.status === 'failed' ? end.error : end;
}

describe('moduleHint()', () => {
  it.each([
    'import fs from "fs"; return 1',
    'const a = 1;\nimport { b } from "b"',
    'import * as all from "all"',
    'import "side"',
    '  import\n  x from "x"',
    'export const a = 1',
    'const a = 1;\nexport default a',
    'export { a }',
    'return import.meta.url',
  ])('tells the author of %j that there are no modules, in both languages', async (source) => {
    expect(await errorOf(source)).toMatchObject({ kind: 'syntax', hint });
    expect(await errorOf(source, 'ts')).toMatchObject({ kind: 'syntax', hint });
  });

  it('tells it where import() rejects as well', async () => {
    expect(await errorOf('await import("fs")')).toMatchObject({ kind: 'thrown', hint });
  });

  it.each(['if x', 'while x', 'a.import x', 'important x', '/* import */ if x', 'throw new Error("import")'])(
    'has nothing to say about %j',
    async (source) => {
      expect(await errorOf(source)).not.toHaveProperty('hint');
    },
  );
});
