import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeInput } from './encode-input.ts';
import { holdsOnlyPlain, NotPlainError, readSerial } from './serial-reader.ts';
import { type SerialValue, writeSerial } from './serial-writer.ts';
import { anyPlain } from './testing/arbitrary-values.ts';
import { engineEncodes } from './testing/raw-engine.ts';

describe('readSerial()', () => {
  it('reads back every plain value that was written', () => {
    fc.assert(
      fc.property(anyPlain, (value) => {
        const encoded = encodeInput(value, Number.MAX_SAFE_INTEGER);
        if (!('bytes' in encoded)) throw new Error('too large');
        expect(isDeepStrictEqual(readSerial(encoded.bytes), value)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['[1,-1,0,-0,2147483647,-2147483648,1e300,NaN]', [1, -1, 0, -0, 2147483647, -2147483648, 1e300, Number.NaN]],
    ['[1n,-1n,0n,255n,-256n,2n**64n,-(2n**64n)]', [1n, -1n, 0n, 255n, -256n, 2n ** 64n, -(2n ** 64n)]],
    ['["\\u00e9","\\u20ac","\\ud83d","a\\0b","x".repeat(40)]', ['é', '€', '\ud83d', 'a\0b', 'x'.repeat(40)]],
    ['({a: {b: [true, null, undefined]}, 7: 1})', { 7: 1, a: { b: [true, null, undefined] } }],
    ['new Uint8Array([1, 2])', Uint8Array.of(1, 2)],
    ['new Uint8Array([1, 2, 3, 4]).subarray(1, 3)', Uint8Array.of(2, 3)],
    ['new Uint16Array([258]).buffer', Uint8Array.of(2, 1).buffer],
  ])('reads what the engine writes for %s', (source, value) => {
    expect(readSerial(engineEncodes(source))).toStrictEqual(value);
  });

  it('reads a property called __proto__ as an own property', () => {
    const value = readSerial(engineEncodes('{["__proto__"]: 5}'));
    expect(Object.entries(value as object)).toEqual([['__proto__', 5]]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each(['new Date(0)', 'new Number(5)'])('refuses what the engine writes for %s', (source) => {
    expect(() => readSerial(engineEncodes(source))).toThrow(NotPlainError);
  });

  it('reads references to objects that occurred before', () => {
    const source = '[a = [1], { x: a }, u = new Uint8Array([1]), a, u, o = { k: a }, b = new ArrayBuffer(2), o, b]';
    const value = readSerial(engineEncodes(source)) as unknown[]; // as the source says
    const [a, , u, , , o, b] = value;
    expect([a, u, o, b]).toEqual([[1], Uint8Array.of(1), { k: [1] }, new ArrayBuffer(2)]);
    expect(value).toEqual([a, { x: a }, u, a, u, o, b, o, b]);
    expect([value[3] === a, value[4] === u, value[7] === o, value[8] === b]).toEqual([true, true, true, true]);
  });

  it('refuses a reference to what did not come', () => {
    expect(() => readSerial(Uint8Array.of(5, 0, 9, 1, 19, 5))).toThrow(NotPlainError);
  });

  it('refuses another version of the form', () => {
    expect(() => readSerial(Uint8Array.of(4, 0, 1))).toThrow('serial form of version 4');
  });

  it('refuses bytes that were cut anywhere, and never returns a value for them', () => {
    for (const last of ['text', 'wide €', 0.5, 7n, Uint8Array.of(1)]) {
      const whole = writeSerial({ properties: new Map<string, SerialValue>([['key', [5, last]]]) });
      for (let length = 0; length < whole.byteLength; length++) {
        expect(() => readSerial(whole.slice(0, length))).toThrow(NotPlainError);
      }
      expect(readSerial(whole)).toEqual({ key: [5, last] });
    }
  });
});

describe('holdsOnlyPlain()', () => {
  it('is true for every plain value', () => {
    fc.assert(
      fc.property(anyPlain, (value) => {
        const encoded = encodeInput(value, Number.MAX_SAFE_INTEGER);
        expect('bytes' in encoded && holdsOnlyPlain(encoded.bytes)).toBe(true);
      }),
    );
  });

  it.each([
    '[new Date(0)]',
    '({a: {b: new Uint8Array(1)}})',
    '[new ArrayBuffer(1)]',
    '[[new String("x")]]',
    '[a = {}, a]',
  ])('is false for %s', (source) => {
    expect(holdsOnlyPlain(engineEncodes(source))).toBe(false);
  });

  it('is true for 250 levels and false for more, however many', () => {
    const nested = (depth: number, head: readonly number[]) =>
      Uint8Array.from([5, 0, ...Array.from({ length: depth }, () => head).flat(), 1]);
    for (const head of [
      [9, 1],
      [8, 1, 3],
    ]) {
      expect(holdsOnlyPlain(nested(250, head))).toBe(true);
      expect(holdsOnlyPlain(nested(251, head))).toBe(false);
      expect(holdsOnlyPlain(nested(100_000, head))).toBe(false);
    }
  });

  it('counts levels, not containers', () => {
    expect(holdsOnlyPlain(engineEncodes('Array.from({ length: 1000 }, () => [{ a: [] }, {}, []])'))).toBe(true);
  });
});
