import fc from 'fast-check';

/** Any string there is: lone surrogates, NUL, the whole of Latin-1, characters beyond the first plane. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((code) => String.fromCharCode(code)) }),
  fc.constantFrom('\uFEFFmark', 'a\0b', '\uD83D', '\uDE00x', '__proto__', 'then', ''),
);

/** Property names, with those that lie at the border between names and indexes, and those that bite. */
export const anyName: fc.Arbitrary<string> = fc.oneof(
  anyString,
  fc.integer({ min: 0, max: 2 ** 32 }).map(String),
  fc.constantFrom('__proto__', 'constructor', 'then', 'toJSON', 'length', '0', '00', '-0', '-1', '1.0', '1e3'),
  fc.constantFrom('2139999999', '2140000000', '2147483646', '2147483647', '2147483648', '4294967294', '4294967295'),
);

/** Numbers of every kind, with the borders of what the engine keeps as an integer. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, Number.NaN, 2 ** 30 - 1, 2 ** 30, -(2 ** 30), 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1),
);

/** Whole numbers around the places where the engine's limbs and bytes end. */
export const anyBigint: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt(),
  fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: -2, max: 2 }), fc.boolean())
    .map(([bits, more, negative]) => {
      const value = 2n ** BigInt(bits) + BigInt(more);
      return negative ? -value : value;
    }),
);

const anyPrimitive: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, undefined, true, false),
  anyNumber,
  anyBigint,
  anyString,
);

/** An own property under any name; assignment would lose `__proto__`. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    Object.defineProperty(result, name, { value, writable: true, enumerable: true, configurable: true });
  }
  return result;
}

function nested(leaf: fc.Arbitrary<unknown>, rich: boolean): fc.Arbitrary<unknown> {
  const { value } = fc.letrec((tie) => {
    const containers: fc.Arbitrary<unknown>[] = [
      fc.array(tie('value'), { maxLength: 5 }),
      fc.array(fc.tuple(anyName, tie('value')), { maxLength: 5 }).map(objectOf),
    ];
    if (rich) {
      containers.push(
        fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
      );
    }
    return { value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, ...containers) };
  });
  return value as fc.Arbitrary<unknown>; // letrec loses the type
}

/** Plain data: what the engine's own serial form holds exactly. */
export const anyPlain: fc.Arbitrary<unknown> = nested(anyPrimitive, false);

/** Everything that may cross the border, errors aside. */
export const anyCrossing: fc.Arbitrary<unknown> = nested(
  fc.oneof(
    anyPrimitive,
    fc.date({ noInvalidDate: true }),
    fc.uint8Array(),
    fc.uint8Array().map((bytes) => new Uint8Array(bytes).buffer),
  ),
  true,
);
