import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeInput } from './encode-input.ts';
import { writeSerial } from './serial-writer.ts';
import { anyBigint, anyName, anyNumber, anyPlain, anyString } from './testing/arbitrary-values.ts';
import { engineEncodes, engineRecodes } from './testing/raw-engine.ts';

describe('writeSerial()', () => {
  it('writes numbers, bigints and strings as the engine writes the same literal', () => {
    fc.assert(
      fc.property(fc.oneof(anyNumber, anyBigint, anyString), (value) => {
        expect(writeSerial(value)).toEqual(Buffer.from(engineEncodes(literal(value))));
      }),
      { numRuns: 300 },
    );
  });

  it('writes objects under any names as the engine does', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 6 }), (names) => {
        // Integer-like names come first in an object; the writer takes the order it is given.
        const ordered = Object.keys(
          Object.fromEntries(names.filter((name) => name !== '__proto__').map((n) => [n, 1])),
        );
        const source = `{${ordered.map((name) => `[${literal(name)}]: 1`).join()}}`;
        const properties = new Map(ordered.map((name) => [name, 1]));
        expect(writeSerial({ properties })).toEqual(Buffer.from(engineEncodes(source)));
      }),
    );
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['true', true],
    ['[1,[],"x"]', [1, [], 'x']],
    ['new Date(8640000000000000)', new Date(8_640_000_000_000_000)],
    ['new Date(NaN)', new Date(Number.NaN)],
    ['new Uint8Array([1,2,255])', Uint8Array.of(1, 2, 255)],
    ['new ArrayBuffer(3)', new ArrayBuffer(3)],
  ])('writes %s as the engine does', (source, value) => {
    expect(writeSerial(value)).toEqual(Buffer.from(engineEncodes(source)));
  });

  it('writes plain data that the engine reads and writes again with the same bytes', () => {
    fc.assert(
      fc.property(anyPlain, (value) => {
        const encoded = encodeInput(value, Number.MAX_SAFE_INTEGER);
        if (!('bytes' in encoded)) throw new Error('too large');
        expect(Buffer.from(engineRecodes(encoded.bytes))).toEqual(encoded.bytes);
      }),
      { numRuns: 300 },
    );
  });

  it('writes text of many megabytes', () => {
    const text = 'é'.repeat(3_000_000);
    expect(Buffer.compare(engineRecodes(writeSerial(text)), writeSerial(text))).toBe(0);
  });
});

function literal(value: number | bigint | string): string {
  // The engine negates a literal beyond its integers as a fraction; computed, the value is an integer again.
  if (value === -(2 ** 31)) return '-2147483647 - 1';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  const units = Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
