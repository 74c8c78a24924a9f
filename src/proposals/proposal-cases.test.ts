import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { planInMemory } from './testing/plan-in-memory.ts';

const contentSchema = z.union([z.strictObject({ text: z.string() }), z.strictObject({ hex: z.string() })]);
const caseSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  file: contentSchema,
  edit: z.strictObject({ key: z.string(), from: z.string(), to: z.string() }),
  evidence: z.string().default(''),
  allow: z.array(z.string()).optional(),
  setup: z.string().optional(),
  want: z.union([
    z.strictObject({ applied: contentSchema }),
    z.strictObject({ already: z.literal(true) }),
    z.strictObject({ rejected: z.string() }),
  ]),
});
const file: unknown = JSON.parse(readFileSync(new URL('./cases/proposals.json', import.meta.url), 'utf8'));
const { cases } = z.object({ cases: z.array(caseSchema) }).parse(file);

describe('every case of cases/proposals.json', () => {
  it('is here', () => {
    expect(cases).toHaveLength(29);
  });

  it.each(cases)('$id: $title', async ({ path, file, edit, evidence, allow, setup, want }) => {
    const before = bytesOf(file);
    const plan = await planInMemory({ [path]: before }, [{ path, ...edit }], {
      allow: allow ?? [path],
      evidence: [evidence],
      links: setup === undefined ? [] : [path],
    });
    if ('rejected' in want) {
      expect(plan).toMatchObject({ files: [], applied: [], already: [], rejected: [{ path, key: edit.key }] });
      expect(plan.rejected[0]?.message).toContain(want.rejected);
      expect(plan.rejected[0]?.hint).toMatch(/^[A-Z"].*[.?]$/);
    } else if ('already' in want) {
      expect(plan).toMatchObject({ files: [], applied: [], already: [{ edit: 1, path, key: edit.key }], rejected: [] });
    } else {
      expect(plan).toMatchObject({ applied: [{ edit: 1, path, key: edit.key }], already: [], rejected: [] });
      expect(plan.files).toEqual([{ path, before, after: bytesOf(want.applied) }]);
    }
  });
});

function bytesOf(content: z.infer<typeof contentSchema>): Uint8Array {
  return 'hex' in content ? Uint8Array.from(Buffer.from(content.hex, 'hex')) : new TextEncoder().encode(content.text);
}
