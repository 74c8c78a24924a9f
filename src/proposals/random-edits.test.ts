import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listScalars } from './list-scalars.ts';
import { planInMemory, textOf } from './testing/plan-in-memory.ts';
import { type RandomFile, type RandomScalar, randomFile } from './testing/random-files.ts';

const formats = ['yaml', 'jsonc', 'toml'] as const;

describe('edits of random files with comments', () => {
  it.each(formats)('leave every byte outside the scalars of a %s file alone', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(), async (seed, choice) => {
        const file = randomFile(format, seed);
        const chosen = file.scalars.filter((_, index) => (index + choice) % 3 === 0);
        const edits = chosen.map((scalar) => ({
          path: file.path,
          key: scalar.key,
          from: scalar.from,
          to: newText(scalar),
        }));
        const plan = await planInMemory({ [file.path]: file.text }, edits);
        expect(plan.rejected).toEqual([]);
        expect(plan.applied.length + plan.already.length).toBe(edits.length);
        const after = plan.files[0] === undefined ? file.text : textOf(plan.files[0].after);
        expect(after).toBe(replaceScalars(file, chosen));
      }),
    );
  });

  it.each(formats)('find in a %s file the values that are listed, and no others', (format) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { path, text, scalars } = randomFile(format, seed);
        const listed = [...listScalars(path, new TextEncoder().encode(text))];
        expect(listed).toEqual(scalars.map(({ key, from }) => ({ path, key, value: from })));
      }),
    );
  });
});

function newText({ from, source }: RandomScalar): string {
  if (source !== from) return '"new" 𝄞'; // it stood between quotes
  if (/^[\d.+-]|inf/.test(source)) return source.includes('-05-') ? '2001-01-01' : '77';
  if (source === 'true' || source === 'null' || source === '~') return source === 'true' ? 'false' : source;
  return 'new';
}

function replaceScalars({ text }: RandomFile, chosen: readonly RandomScalar[]): string {
  let after = text;
  for (const scalar of chosen.toReversed()) {
    const to = newText(scalar);
    const source = scalar.source.startsWith('"') ? JSON.stringify(to) : scalar.source.startsWith("'") ? `'${to}'` : to;
    after = after.slice(0, scalar.start) + source + after.slice(scalar.start + scalar.source.length);
  }
  return after;
}
