import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderJson } from './json-text.ts';

function compact(value: unknown): string {
  return JSON.stringify(JSON.parse(renderJson(value)));
}

describe('renderJson()', () => {
  it('is JSON.stringify with an indent of two, for what JSON has', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const hasTag = /"\$/.test(JSON.stringify(value));
        const hasControls = /[\u007f-\u009f\p{Bidi_Control}]/u.test(JSON.stringify(value));
        const hasNegativeZero =
          JSON.stringify(value, (_, item) => (Object.is(item, -0) ? '-0' : item)) !== JSON.stringify(value);
        if (!hasTag && !hasControls && !hasNegativeZero) expect(renderJson(value)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it.each([
    ['{"$bigint":"10"}', 10n],
    ['{"$undefined":true}', undefined],
    ['{"$number":"NaN"}', Number.NaN],
    ['{"$number":"-Infinity"}', Number.NEGATIVE_INFINITY],
    ['{"$number":"Infinity"}', Number.POSITIVE_INFINITY],
    ['{"$number":"-0"}', -0],
    ['{"$date":"1970-01-01T00:00:00.000Z"}', new Date(0)],
    ['{"$date":null}', new Date(Number.NaN)],
    ['{"$map":[[{"k":1},[{"$bigint":"2"}]]]}', new Map([[{ k: 1 }, [2n]]])],
    ['{"$set":[1,{"$undefined":true}]}', new Set([1, undefined])],
    ['{"$bytes":"AQI="}', new Uint8Array([1, 2])],
    ['{"$bytes":"AQI="}', new Uint8Array([0, 1, 2, 3]).subarray(1, 3)],
    ['{"$buffer":"AQI="}', new Uint8Array([1, 2]).buffer],
    ['{"$object":{"$bigint":"10"}}', { $bigint: '10' }],
    ['{"$object":{"$object":{"$object":{"$x":1}}}}', { $object: { $x: 1 } }],
    ['{"$a":1,"b":2}', { $a: 1, b: 2 }],
    ['{"a":{"$undefined":true}}', { a: undefined }],
    ['[]', []],
    ['{}', {}],
  ])('writes %s', (expected, value) => {
    expect(compact(value)).toBe(expected);
  });

  it('writes errors with their code and cause', () => {
    const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E1' });
    expect(JSON.parse(renderJson(error))).toMatchObject({
      $error: {
        name: 'TypeError',
        message: 'outer',
        code: 'E1',
        stack: expect.stringContaining('outer'),
        cause: { $error: { name: 'Error', message: 'inner' } },
      },
    });
    const bare = new Error('x');
    Object.defineProperty(bare, 'stack', { value: undefined });
    expect(compact(bare)).toBe('{"$error":{"name":"Error","message":"x"}}');
  });

  it('keeps odd keys, and escapes lone surrogates as JSON does', () => {
    expect(compact(JSON.parse('{"__proto__":1,"":2}'))).toBe('{"__proto__":1,"":2}');
    expect(renderJson('a\ud83d')).toBe('"a\\ud83d"');
  });

  it('escapes what a terminal would act upon, and stays the same JSON', () => {
    const text = '\u009b31m\u202e\u007f';
    expect(renderJson(text)).toBe('"\\u009b31m\\u202e\\u007f"');
    expect(JSON.parse(renderJson({ [text]: text }))).toEqual({ [text]: text });
  });
});
