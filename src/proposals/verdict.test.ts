import { describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import { parseVerdict, verdictJsonSchema } from './verdict.ts';

const edit = { path: 'v.yaml', key: '/a', from: '1', to: '2', rationale: 'newer' };
const verdict = {
  classification: 'mechanical',
  summary: 'Move a',
  reasoning: 'It was released',
  edits: [edit],
  escalationReason: '',
};

describe('parseVerdict()', () => {
  it('gives a well-shaped verdict as it is', () => {
    expect(parseVerdict(verdict)).toEqual(verdict);
  });

  it('lists everything that is wrong at once', () => {
    const answer = { ...verdict, classification: 'sure', edits: [{ ...edit, from: 1, why: 'x' }], extra: true };
    expect(problemsOf(answer)).toEqual([
      'classification: invalid option: expected one of "mechanical"|"escalate"|"no_action"',
      'edits.0.from: invalid input: expected string, received number',
      'edits.0: unknown field "why"',
      'the answer: unknown field "extra"',
    ]);
  });

  it.each([null, [], 'mechanical', 7])('refuses %j, which is no verdict at all', (answer) => {
    expect(problemsOf(answer)).toHaveLength(1);
  });

  it.each(Object.keys(verdict))('refuses a verdict without %s', (name) => {
    const { [name]: _, ...answer }: Record<string, unknown> = verdict;
    expect(problemsOf(answer)).toEqual([expect.stringContaining(`${name}: `)]);
  });

  it('refuses a mechanical verdict without edits, and only that', () => {
    expect(problemsOf({ ...verdict, edits: [] })).toEqual(['edits: a mechanical verdict needs at least one edit']);
    expect(parseVerdict({ ...verdict, classification: 'no_action', edits: [] }).edits).toEqual([]);
  });

  it('takes the reasoning where an escalation gives no reason', () => {
    const escalation = { ...verdict, classification: 'escalate', edits: [], escalationReason: ' \n' };
    expect(parseVerdict(escalation).escalationReason).toBe('It was released');
    expect(parseVerdict({ ...escalation, escalationReason: 'Ask Ada' }).escalationReason).toBe('Ask Ada');
    expect(parseVerdict(verdict).escalationReason).toBe('');
  });

  it('cuts free text and repairs what has no UTF-8 form', () => {
    const { summary, edits } = parseVerdict({
      ...verdict,
      summary: 'x'.repeat(9999),
      edits: [{ ...edit, rationale: 'a\ud800' }],
    });
    expect(summary).toBe(`${'x'.repeat(3999)}…`);
    expect(edits[0]?.rationale).toBe('a\ufffd');
  });

  it('refuses values, keys and paths that are too long or have no UTF-8 form, since they are used as they are', () => {
    const answer = { ...verdict, edits: [{ ...edit, path: 'p'.repeat(5000), to: '\udc00', from: 'f'.repeat(16_385) }] };
    expect(problemsOf(answer)).toEqual([
      'edits.0.path: at most 4095 characters',
      'edits.0.from: at most 16384 characters',
      'edits.0.to: a lone surrogate has no UTF-8 form',
    ]);
    const many = Array.from({ length: 1001 }, () => edit);
    expect(problemsOf({ ...verdict, edits: many })).toEqual(['edits: at most 1000 edits, not 1001']);
  });

  it('takes no field from a prototype', () => {
    expect(problemsOf(JSON.parse('{"__proto__": {"summary": "x"}}'))).toContain(
      'the answer: unknown field "__proto__"',
    );
  });
});

describe('verdictJsonSchema()', () => {
  it('requires every field, allows no other, and uses only keywords that strict modes know', () => {
    const schema = verdictJsonSchema();
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false, required: Object.keys(verdict) });
    const items = { type: 'object', additionalProperties: false, required: Object.keys(edit) };
    expect(schema['properties']).toMatchObject({ edits: { type: 'array', items } });
    const keywords = new Set<string>();
    JSON.stringify(schema, (key: string, value: unknown) => {
      keywords.add(key);
      return value;
    });
    const names = ['', '0', '1', '2', '3', '4', ...Object.keys(verdict), ...Object.keys(edit)];
    expect([...keywords].filter((key) => !names.includes(key)).sort()).toEqual([
      'additionalProperties',
      'description',
      'enum',
      'items',
      'properties',
      'required',
      'type',
    ]);
  });

  it('describes every field', () => {
    const { properties } = JSON.parse(JSON.stringify(verdictJsonSchema()));
    for (const field of Object.values<{ description?: string }>(properties)) expect(field.description).toBeTruthy();
    for (const field of Object.values<{ description?: string }>(properties.edits.items.properties))
      expect(field.description).toBeTruthy();
  });
});

function problemsOf(answer: unknown): unknown {
  try {
    parseVerdict(answer);
  } catch (error) {
    if (!(error instanceof PortholeError)) throw error;
    expect(error.code).toBe('VERDICT_INVALID');
    return error.details['problems'];
  }
  return [];
}
