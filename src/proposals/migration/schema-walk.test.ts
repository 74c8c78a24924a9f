import { describe, expect, it } from 'vitest';
import { parsePointer } from '../key-path.ts';
import { schemaAt } from './schema-walk.ts';

// A literal with a member of that name could be taken for a promise.
const condition = (yes: unknown, no: unknown) =>
  Object.fromEntries([
    ['if', {}],
    ['then', yes],
    ['else', no],
  ]);

const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };

describe('schemaAt() says whether a place is allowed', () => {
  const rows: readonly (readonly [string, unknown, string, boolean])[] = [
    ['a declared name', closed, '/a', true],
    ['another name', closed, '/b', false],
    ['another name of an open schema', { properties: { a: {} } }, '/b', true],
    ['below a text', closed, '/a/x', false],
    ['a name that is forbidden', { properties: { a: false } }, '/a', false],
    ['everything', true, '/a/b', true],
    ['nothing', false, '/a', false],
    ['a name that fits a pattern', { patternProperties: { '^x-': {} }, additionalProperties: false }, '/x-a', true],
    ['one that does not', { patternProperties: { '^x-': {} }, additionalProperties: false }, '/y', false],
    ['what a pattern forbids', { properties: { 'x-a': {} }, patternProperties: { '^x-': false } }, '/x-a', false],
    ['a pattern that is none', { patternProperties: { '(': {} }, additionalProperties: false }, '/a', false],
    ['a name of a prototype', closed, '/constructor', false],
    ['what additional properties are', { additionalProperties: closed }, '/x/b', false],
    ['an item', { items: closed }, '/0/a', true],
    ['a member of an item that is not', { items: closed }, '/7/b', false],
    ['an item by its place', { prefixItems: [closed, true], items: false }, '/0/b', false],
    ['an item behind the last place', { prefixItems: [closed, true], items: false }, '/2', false],
    ['an item by its place in draft 7', { items: [closed], additionalItems: false }, '/0/a', true],
    ['an item behind the last place in draft 7', { items: [closed], additionalItems: false }, '/1', false],
    ['a name in a list', { type: 'array' }, '/x', false],
    ['all of several', { allOf: [closed, {}] }, '/b', false],
    ['one of several', { anyOf: [closed, { type: 'string' }, { properties: { b: {} } }] }, '/b', true],
    ['none of several', { oneOf: [closed, { type: 'string' }] }, '/b', false],
    ['one of the branches of a condition', condition(closed, {}), '/b', true],
    ['neither branch of a condition', condition(closed, closed), '/b', false],
    ['behind a reference', { $ref: '#/$defs/x~1y', $defs: { 'x/y': closed } }, '/b', false],
    ['behind an anchor', { $ref: '#here', $defs: { x: { ...closed, $anchor: 'here' } } }, '/b', false],
    [
      'behind a moving anchor',
      { $dynamicRef: '#here', $defs: { x: { ...closed, $dynamicAnchor: 'here' } } },
      '/b',
      false,
    ],
    ['behind an encoded reference', { $ref: '#/$defs/a%20b', $defs: { 'a b': closed } }, '/b', false],
    ['behind an anchor that is not there', { $ref: '#nowhere', $defs: { x: [1] } }, '/b', true],
    ['behind a reference to elsewhere', { $ref: 'https://example.com/x' }, '/b', true],
    ['behind a reference to itself', { $ref: '#' }, '/b', true],
    [
      'behind references that go round in two circles',
      { anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }] }] },
      '/b',
      true,
    ],
    ['within a recursive schema', { ...closed, properties: { next: { $ref: '#' } } }, '/next/next/b', false],
    ['of what nobody names', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, '/b', false],
    ['of what a part names', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, '/a', true],
    ['of what a choice names', { anyOf: [{ properties: { a: {} } }, {}], unevaluatedProperties: false }, '/a', true],
    ['of an item nobody names', { prefixItems: [true], unevaluatedItems: false }, '/1', false],
  ];

  it.each(rows)('%s', (_title, schema, pointer, want) => {
    expect(schemaAt(schema, parsePointer(pointer) ?? []).isAllowed).toBe(want);
  });
});

describe('schemaAt() says whether a scalar fits', () => {
  const rows: readonly (readonly [unknown, unknown, boolean])[] = [
    [{ type: 'integer' }, 1, true],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'number' }, 1.5, true],
    [{ type: ['string', 'null'] }, null, true],
    [{ type: 'object' }, 'x', false],
    [{ type: 'object' }, {}, true],
    [{ type: 'array' }, [], true],
    [{ const: 'x' }, 'x', true],
    [{ const: 'x' }, 'y', false],
    [{ enum: ['x', { a: [1] }] }, 'y', false],
    [{ enum: ['x', { a: [1] }] }, { a: [1] }, true],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 1, true],
    [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 1, false],
    [{ allOf: [{ type: 'string' }] }, 1, false],
    [true, 1, true],
    [false, 1, false],
    [{ $ref: '#' }, 1, true],
  ];

  it.each(rows)('%j: %j', (schema, value, want) => {
    expect(schemaAt({ properties: { v: schema } }, ['v']).fits(value)).toBe(want);
  });
});

describe('schemaAt() collects the words of a schema', () => {
  it.each([
    [{ properties: { v: { default: 'd', const: 'c', enum: ['e', 'f'] } } }, ['d', 'c', 'e', 'f']],
    [{ default: { v: 'd' }, properties: { v: {} } }, ['d']],
    [
      {
        properties: { v: { anyOf: [{ const: 'a' }, { allOf: [{ $ref: '#/$defs/b' }] }] } },
        $defs: { b: { const: 'b' } },
      },
      ['a', 'b'],
    ],
    [{ properties: { w: { const: 'w' } } }, []],
    [{ properties: { v: { $ref: '#/properties/v', const: 1 } } }, [1]],
    [{ additionalProperties: false }, []],
  ])('%j', (schema, want) => {
    expect(schemaAt(schema, ['v']).vocabulary).toEqual(want);
  });
});
