import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyPlainData } from './plain-data.ts';

function refusedPlace(value: unknown): unknown {
  try {
    copyPlainData(value, 'context');
    return 'nothing';
  } catch (error) {
    return error instanceof Error && 'code' in error ? `${error.code} ${error.message}` : error;
  }
}

describe('copyPlainData()', () => {
  it('copies plain data, frozen at every level, and shares nothing with the original', () => {
    const original = { a: [1, { b: 2n }], n: null, s: 'x', t: true };
    const copy = copyPlainData(original, 'context');
    expect(copy).toEqual(original);
    (original.a[1] as { b: bigint }).b = 3n;
    expect(copy).toEqual({ a: [1, { b: 2n }], n: null, s: 'x', t: true });
    expect([copy, copy['a'], (copy['a'] as unknown[])[1]].every(Object.isFrozen)).toBe(true);
  });

  it('takes objects without a prototype and of other realms', () => {
    expect(copyPlainData(Object.assign(Object.create(null), { a: 1 }), 'context')).toEqual({ a: 1 });
  });

  it('keeps __proto__ as the key it is', () => {
    const copy = copyPlainData(JSON.parse('{"__proto__": {"_unsafe_mode": true}}'), 'context');
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('copies what is reached on several ways once, so that a few lines cannot become gigabytes', () => {
    let value: unknown = { leaf: 1 };
    for (let level = 0; level < 100; level++) value = { left: value, right: value };
    const copy = copyPlainData(value, 'context');
    expect(copy['left']).toBe(copy['right']);
  });

  it.each([
    ['undefined', { a: undefined }, 'context.a is undefined'],
    ['a function', { a: { b: () => 1 } }, 'context.a.b is a function'],
    ['a symbol', { a: [Symbol('x')] }, 'context.a[0] is a symbol'],
    ['a date', { a: new Date(0) }, 'context.a is no plain object'],
    ['a map', { 'odd key': new Map() }, 'context["odd key"] is no plain object'],
    ['a boxed boolean', { a: Object(true) }, 'context.a is no plain object'],
    ['a prototype of its own', Object.create({ _unsafe_mode: true }), 'context is no plain object'],
    ['a prototype without a prototype', Object.create(Object.create(null)), 'context is no plain object'],
    ['a class instance', { a: new (class Point {})() }, 'context.a is no plain object'],
    ['an array', [], 'context is no plain object'],
    ['null', null, 'context is no plain object'],
    ['a text', 'x', 'context is no plain object'],
    ['a hole', { a: new Array(1) }, 'context.a[0] is undefined'],
  ])('refuses %s by its place', (_, value, says) => {
    expect(refusedPlace(value)).toBe(`ARGUMENT_INVALID Cannot use the context: ${says}`);
  });

  it('refuses a getter without running it', () => {
    let ran = false;
    const value = {
      get _unsafe_mode() {
        ran = true;
        return true;
      },
    };
    expect(refusedPlace(value)).toContain('context._unsafe_mode is a getter');
    expect(ran).toBe(false);
  });

  it('refuses cycles and depth without end', () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(refusedPlace(cycle)).toContain('context.self is a cycle');
    let deep: object = {};
    for (let level = 0; level < 300; level++) deep = [deep];
    expect(refusedPlace({ deep })).toContain('is nested deeper than 250 levels');
  });

  it('is the identity on JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        expect(copyPlainData(value, 'context')).toEqual(value);
      }),
    );
  });
});
