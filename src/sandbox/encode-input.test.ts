import { describe, expect, it } from 'vitest';
import { encodeAnswer, encodeInput } from './encode-input.ts';
import { readSerial } from './serial-reader.ts';
import { unpack } from './value-codec.ts';

const unlimited = Number.MAX_SAFE_INTEGER;

class Point {
  readonly x = 1;
}

function cyclic(): unknown {
  const inner: { self?: unknown } = {};
  inner.self = { list: [inner] };
  return { inner };
}

function deep(levels: number): unknown {
  return wrapped(1, levels);
}

function wrapped(leaf: unknown, levels: number): unknown {
  let value = leaf;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('encodeInput()', () => {
  it.each<[string, unknown, string]>([
    ['a function', { items: [{}, { call: () => 1 }] }, 'input.items[1].call is a function'],
    ['a symbol', { a: Symbol('x') }, 'input.a is a symbol'],
    ['a cycle', cyclic(), 'input.inner.self.list[0] is a cycle: it is one of its own ancestors'],
    ['a class instance', [new Point()], 'input[0] is an instance of Point'],
    ['a RegExp', { 'my key': /x/ }, 'input["my key"] is an instance of RegExp'],
    ['a boxed number', Object(5), 'input is an instance of Number'],
    ['another typed array', new Uint16Array(1), 'input is an instance of Uint16Array'],
    ['a WeakMap', new WeakMap(), 'input is an instance of WeakMap'],
    ['an object with a prototype without a name', Object.create({}), 'input is an instance of Object'],
    ['a nameless class', new (class {})(), 'input is an object with a prototype of its own'],
    ['a promise', { p: Promise.resolve() }, 'input.p is an instance of Promise'],
    ['a map key', new Map([[{ f: Symbol.iterator }, 1]]), 'input entry 0.f is a symbol'],
    [
      'a map value',
      new Map<unknown, unknown>([
        [1, 1],
        [2, () => 1],
      ]),
      'input entry 1 is a function',
    ],
    ['a set item', new Set([1, () => 1]), 'input entry 1 is a function'],
    ['a cause', new Error('x', { cause: { f: () => 1 } }), 'input.cause.f is a function'],
    ['too deep a value', deep(251), `input${'[0]'.repeat(250)} is nested deeper than 250 levels`],
    ['a bigint the engine cannot hold', [1n << 1_048_576n], 'input[0] is a bigint of more than 1048576 bits'],
    [
      'a getter that throws',
      {
        get bad() {
          throw new Error('no');
        },
      },
      'input.bad refuses to be read',
    ],
    ['a revoked proxy', revoked(), 'input refuses to be read'],
  ])('names the place of %s', (_title, value, problem) => {
    expect(() => encodeInput(value, unlimited)).toThrow(
      expect.objectContaining({ code: 'INPUT_NOT_SERIALIZABLE', message: `Cannot pass the input: ${problem}` }),
    );
  });

  it('keeps the reason of a getter that throws as the cause', () => {
    const reason = new Error('no');
    const value = {
      get bad(): unknown {
        throw reason;
      },
    };
    expect(() => encodeInput(value, unlimited)).toThrow(expect.objectContaining({ cause: reason }));
  });

  it('names the root as it is told', () => {
    expect(() => encodeInput({ f: () => 1 }, unlimited, 'context')).toThrow('context.f is a function');
  });

  it('takes values nested 250 levels deep', () => {
    expect(encodeInput(deep(250), unlimited)).toHaveProperty('bytes');
  });

  it('reads every property once and in order', () => {
    const reads: string[] = [];
    const get = (target: object, name: string | symbol): unknown => {
      reads.push(String(name));
      return Reflect.get(target, name);
    };
    const value = new Proxy({ b: 1, a: 2, 1: 3 }, { get });
    encodeInput(value, unlimited);
    expect(reads.filter((name) => name.length === 1)).toEqual(['1', 'b', 'a']);
  });

  it('never calls toJSON', () => {
    const value = { a: 1, toJSON: undefined };
    Object.defineProperty(value, 'toJSON', {
      enumerable: false,
      value: () => {
        throw new Error('called');
      },
    });
    expect(crossed(value)).toEqual({ a: 1 });
  });

  it('drops symbol keys, named extras of arrays and properties that are not enumerable', () => {
    const list = Object.assign([1, 2], { extra: true });
    const value = { list, [Symbol('s')]: 1 };
    Object.defineProperty(value, 'hidden', { value: 1, enumerable: false });
    expect(crossed(value)).toEqual({ list: [1, 2] });
  });

  it('makes holes undefined and shared references copies', () => {
    const shared = { x: 1 };
    const sparse: unknown[] = [shared];
    sparse[3] = shared;
    const result = crossed(sparse) as unknown[];
    expect(result).toStrictEqual([{ x: 1 }, undefined, undefined, { x: 1 }]);
    expect(result[0]).not.toBe(result[3]);
  });

  it('takes a Buffer as bytes', () => {
    expect(crossed(Buffer.from('hi'))).toEqual(Uint8Array.from([0x68, 0x69]));
  });

  it('packs only what the serial form lacks', () => {
    expect(encodeInput([{ a: new Date(0), b: new Uint8Array(1) }], unlimited)).toMatchObject({ packed: false });
    expect(encodeInput([{ a: new Set() }], unlimited)).toMatchObject({ packed: true });
  });

  it('keeps name, message, stack, code and causes of an error', () => {
    const error = new TypeError('outer', { cause: new Error('inner', { cause: { status: 404 } }) });
    Object.assign(error, { code: 'E_OUTER' });
    const copy = crossed(error) as TypeError & { cause: Error };
    expect(copy).toBeInstanceOf(Error);
    expect(copy).toMatchObject({ name: 'TypeError', message: 'outer', code: 'E_OUTER', stack: error.stack });
    expect(copy.cause.message).toBe('inner');
    expect(copy.cause.cause).toEqual({ status: 404 });
  });

  it('follows eight causes and no further', () => {
    let error = new Error('0');
    for (let index = 1; index <= 12; index++) error = new Error(String(index), { cause: error });
    let depth = 0;
    for (let link = crossed(error) as Error; link.cause instanceof Error; link = link.cause) depth++;
    expect(depth).toBe(8);
  });

  it('names an error that is its own cause as a cycle', () => {
    const error = new Error('x');
    error.cause = error;
    expect(() => encodeInput(error, unlimited)).toThrow('input.cause is a cycle');
  });

  it('reads fields of an error that are no strings as empty', () => {
    const error = new Error('x');
    Object.defineProperty(error, 'message', { value: 5 });
    expect(crossed(error)).toMatchObject({ message: '' });
  });
});

describe('encodeInput() at its ceiling', () => {
  it('accepts a value of exactly that many bytes and refuses one byte less', () => {
    const value = { key: ['text', 1, { more: 2n ** 100n }] };
    const encoded = encodeInput(value, unlimited);
    if (!('bytes' in encoded)) throw new Error('refused');
    const size = encoded.bytes.byteLength;
    expect(encodeInput(value, size)).toHaveProperty('bytes');
    expect(encodeInput(value, size - 1)).toEqual({ tooLarge: size });
  });

  it('never judges by more than the encoded size', () => {
    for (const value of [
      [null, true, undefined],
      '',
      'x'.repeat(100),
      { a: { b: {} } },
      [[], []],
      new Set([1]),
      5n,
      2n ** 65n,
    ]) {
      const encoded = encodeInput(value, unlimited);
      if (!('bytes' in encoded)) throw new Error('refused');
      expect(encodeInput(value, encoded.bytes.byteLength)).toHaveProperty('bytes');
    }
  });

  it.each<[string, () => unknown]>([
    ['arrays that share their items', () => doubling((value) => [value, value])],
    ['objects that share their values', () => doubling((value) => ({ a: value, b: value }))],
    [
      'maps that share their values',
      () =>
        doubling(
          (value) =>
            new Map([
              [1, value],
              [2, value],
            ]),
        ),
    ],
    ['a sparse array of four billion holes', () => new Array(4_000_000_000)],
    ['many sparse arrays', () => Array.from({ length: 1000 }, () => new Array(4_000_000_000))],
  ])('refuses %s at once', (_title, make) => {
    const startedAt = performance.now();
    expect(encodeInput(make(), 16 * 1024 * 1024)).toHaveProperty('tooLarge');
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});

describe('encodeInput() of shared values', () => {
  it('reads a shared object once and writes it as often as it occurs', () => {
    let reads = 0;
    const shared = {
      get x() {
        reads++;
        return 'text';
      },
    };
    const size = sizeOf([shared, shared, shared]);
    expect(reads).toBe(1);
    expect(size).toBe(sizeOf([{ x: 'text' }, { x: 'text' }, { x: 'text' }]));
  });

  it('measures the depth of a shared value at each place', () => {
    const shared = deep(200);
    expect(() => encodeInput([shared, wrapped(shared, 49)], unlimited)).not.toThrow();
    expect(() => encodeInput([shared, wrapped(shared, 50)], unlimited)).toThrow('is nested deeper than 250 levels');
  });
});

describe('encodeAnswer()', () => {
  it.each([5, 'text', null, undefined, ['refused', 'x'], { a: [1, { b: new Set([1]) }] }, Uint8Array.of(5)])(
    'packs %j so that it is told from a refusal',
    (value) => {
      const packed = readSerial(encodeAnswer(value));
      expect(unpack(packed)).toEqual(value);
      expect(Array.isArray(packed) && packed[0] === 'refused').toBe(false);
    },
  );
});

function sizeOf(value: unknown): number {
  const encoded = encodeInput(value, unlimited);
  return 'bytes' in encoded ? encoded.bytes.byteLength : encoded.tooLarge;
}

function doubling(wrap: (value: unknown) => unknown): unknown {
  let value: unknown = 'leaf';
  for (let level = 0; level < 60; level++) value = wrap(value);
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function crossed(value: unknown): unknown {
  return unpack(readSerial(encodeAnswer(value)));
}
