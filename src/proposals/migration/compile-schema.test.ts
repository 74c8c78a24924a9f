import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile-schema.ts';

describe('compileSchema()', () => {
  it('says everything that is wrong at once, each with its place', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['a', 'b'],
      properties: { a: { type: 'string' } },
    };
    expect(compileSchema(schema)({ a: 1, c: 2 })).toEqual([
      "the document must have required property 'b'",
      'the document must NOT have additional properties ("c")',
      '/a must be string',
    ]);
    expect(compileSchema(schema)({ a: 'x', b: 1 })).toHaveLength(1);
    expect(compileSchema(true)(1)).toEqual([]);
  });

  it.each([
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ const: 1 }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ const: 1 }] }],
    ['http://json-schema.org/draft-07/schema', { items: [{ const: 1 }] }],
  ])('reads %s', ($schema, rules) => {
    const check = compileSchema({ $schema, ...rules });
    expect(check([1])).toEqual([]);
    expect(check([2])).toEqual(['/0 must be equal to constant']);
  });

  it('takes no member from a prototype', () => {
    expect(compileSchema({ required: ['constructor'] })({})).toHaveLength(1);
  });

  it('leaves formats and unknown words alone, and says no word of them', () => {
    expect(compileSchema({ format: 'date', 'x-order': 1 })('no date')).toEqual([]);
  });

  it.each([
    [null, 'neither an object nor true or false'],
    [[], 'neither an object nor true or false'],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'of the draft "http://json-schema.org/draft-04/schema#"'],
    [{ type: 'nonsense' }, 'schema is invalid'],
    [{ $ref: 'https://example.com/other' }, "can't resolve reference"],
  ])('refuses %j', (schema, reason) => {
    expect(() => compileSchema(schema)).toThrow(reason);
    expect(() => compileSchema(schema)).toThrow('Cannot use the schema: ');
  });
});
