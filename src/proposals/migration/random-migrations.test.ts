import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileSchema } from './compile-schema.ts';
import { migrateDocument } from './migrate-document.ts';
import { isFilled } from './render-block.ts';

type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
type Mapping = Readonly<Record<string, Value>>;

const leaf = fc.constantFrom<Value>('x', 'two words', 1, 0.5, true, null, '1.2', '# none', 'a: b', '');
const name = fc.constantFrom('a', 'b', 'c', 'd e', 'x/y', '__proto', 'null', '1');
const { mapping } = fc.letrec<{ value: Value; mapping: Mapping }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('mapping'), fc.array(tie('value'), { minLength: 1, maxLength: 3 })),
  mapping: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4 }),
}));

describe('migrateDocument() of random documents', () => {
  it('writes what the answer means and keeps every comment of a line that stays, or refuses', () => {
    const compiled = compileSchema(true);
    fc.assert(
      fc.property(mapping, mapping, fc.infiniteStream(fc.nat(9)), (original, other, stream) => {
        const text = `# top\n${render(original, 0)}# end\n`;
        const answer = mix(original, other, () => stream.next().value ?? 0);
        const request = { path: 'v.yaml', before: new TextEncoder().encode(text), answer: JSON.stringify(answer) };
        // The schema names every value of the answer, so that only the splicing is at stake.
        const { after, refusals } = migrateDocument(request, { schema: { default: answer }, compiled, identity: [] });
        expect(after === undefined).toBe(refusals.length > 0);
        if (after === undefined) return;
        const written = new TextDecoder().decode(after);
        expect(parse(written)).toEqual(answer);
        expect(written).toMatch(/^# top\n/);
        expect(written).toMatch(/# end\n$/);
        for (const key of Object.keys(original)) {
          if (answer[key] === original[key]) expect(written).toContain(`# at ${JSON.stringify(key)}`);
        }
      }),
    );
  });
});

/** What a model could make of a mapping: keys dropped, renamed, changed, and new ones. */
function mix(original: Mapping, other: Mapping, next: () => number): Mapping {
  const kept = Object.entries(original).flatMap(([key, value]): [string, Value][] => {
    const choice = next();
    if (choice === 0) return [];
    if (choice === 1) return [[`${key} new`, value]];
    if (choice === 2) return [[key, other[key] ?? 'new']];
    return [[key, isMapping(value) ? mix(value, other, next) : value]];
  });
  const added = Object.entries(other).filter(() => next() === 0);
  const all = [...kept, ...added];
  return Object.fromEntries(all.length > 0 ? all : Object.entries(original));
}

function render(value: Value, indent: number): string {
  const blanks = ' '.repeat(indent);
  if (Array.isArray(value)) {
    return value
      .map((item: Value) => `${blanks}- ${isFilled(item) ? render(item, indent + 2).trimStart() : line(item)}`)
      .join('');
  }
  return Object.entries(value ?? {})
    .map(([key, member]: [string, Value]) => {
      const head = `${blanks}${JSON.stringify(key)}:`;
      const comment = ` # at ${JSON.stringify(key)}\n`;
      return isFilled(member)
        ? `${head}${comment}${render(member, indent + 2)}`
        : `${head} ${JSON.stringify(member)}${comment}`;
    })
    .join('');
}

function line(value: Value): string {
  return `${JSON.stringify(value)} # item\n`;
}

function isMapping(value: Value): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
