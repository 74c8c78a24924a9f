import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalJsonOfAnyText } from './canonical-json.ts';

describe('canonicalJson()', () => {
  it('writes the example of RFC 8785, section 3.2.2', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by UTF-16 units, as section 3.2.3 has it', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  it('sorts names that look like indexes as texts, not as numbers', () => {
    expect(canonicalJson({ 9: 'a', 10: 'b', x: { 2: 0, 11: 0 } })).toBe('{"10":"b","9":"a","x":{"11":0,"2":0}}');
  });

  it('treats __proto__ as a name like any other', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}');
  });

  it('writes -0 as 0 and leaves undefined members out', () => {
    expect(canonicalJson({ a: -0, b: undefined, c: { d: undefined } })).toBe('{"a":0,"c":{}}');
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a Map', new Map()],
    ['undefined in a list', [undefined]],
  ])('refuses %s', (_name, value) => {
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: 'ARGUMENT_INVALID' }));
  });

  it('refuses a lone surrogate, in a value and in a name', () => {
    expect(() => canonicalJson({ a: 'x\ud800' })).toThrow('lone surrogate');
    expect(() => canonicalJson({ 'x\udc00': 1 })).toThrow('lone surrogate');
    expect(() => canonicalJson('\\\ud800')).toThrow('lone surrogate');
  });

  it('takes a text that only looks like the escape of a lone surrogate', () => {
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"');
    expect(canonicalJson('😀')).toBe('"😀"');
  });

  it('gives equal texts exactly for equal values, whatever the order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });
});

describe('canonicalJsonOfAnyText()', () => {
  it('tells lone surrogates apart', () => {
    expect(canonicalJsonOfAnyText('\ud800')).not.toBe(canonicalJsonOfAnyText('\ud801'));
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
