import { describe, expect, it } from 'vitest';
import { argumentBytes, parseGuestArguments } from './helper.ts';

describe('parseGuestArguments()', () => {
  it('leaves primitives as they are', () => {
    const primitives = ['text', 5, -0, Number.NaN, 7n, true, null, undefined];
    expect(parseGuestArguments(primitives)).toEqual(primitives);
  });

  it('reads options and things that are no data', () => {
    expect(
      parseGuestArguments([
        ['options', 'a', 1, '__proto__', ['other', 'a function']],
        ['other', 'a symbol'],
      ]),
    ).toEqual([
      {
        kind: 'options',
        fields: new Map<string, unknown>([
          ['a', 1],
          ['__proto__', { kind: 'other', description: 'a function' }],
        ]),
      },
      { kind: 'other', description: 'a symbol' },
    ]);
  });

  it('takes nothing that the prelude does not send for an argument it might have sent', () => {
    const forged = { kind: 'options', fields: { get: () => 'forged' } };
    expect(parseGuestArguments([forged, [], ['options', 1], [[]], new Map()])).toEqual([
      { kind: 'other', description: 'an object' },
      { kind: 'options', fields: new Map() },
      { kind: 'options', fields: new Map([['1', undefined]]) },
      { kind: 'options', fields: new Map() },
      { kind: 'other', description: 'an object' },
    ]);
  });
});

describe('argumentBytes()', () => {
  it('counts the texts, names and large integers among the arguments', () => {
    expect(argumentBytes(['é', 'abc', 5, null, undefined, true, { kind: 'other', description: 'a function' }])).toBe(5);
    expect(argumentBytes([{ kind: 'options', fields: new Map([['name', 'value']]) }])).toBe(9);
    expect(argumentBytes([0xffffn])).toBe(2);
  });
});
