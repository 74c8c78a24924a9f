import { PortholeError } from '../contract/errors.ts';

/** Plain data by name. */
export type PlainObject = Readonly<Record<string, unknown>>;

// What the engine's serial form holds as well.
const maxDepth = 250;

/**
 * A deeply frozen copy of an object of plain data: null, booleans, numbers, strings, bigint, arrays, plain objects.
 * The host judges this copy, so that nobody can change it after it was judged; no code of the given value runs.
 * @throws PortholeError `ARGUMENT_INVALID` naming the place of anything else
 */
export function copyPlainData(given: unknown, name: string): PlainObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refusal(name, `is no plain object`);
  }
  return copyObject(given, { place: name, ancestors: [], copies: new Map() });
}

interface Walk {
  readonly place: string;
  readonly ancestors: readonly object[];
  /** What was copied already: a value reached on several ways is copied once. */
  readonly copies: Map<object, object>;
}

function copyValue(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      return value === null ? null : copyContainer(value, walk);
    default:
      throw refusal(walk.place, value === undefined ? 'is undefined' : `is a ${typeof value}`);
  }
}

function copyContainer(value: object, walk: Walk): object {
  const known = walk.copies.get(value);
  if (known !== undefined) return known;
  if (walk.ancestors.includes(value)) throw refusal(walk.place, 'is a cycle: it is one of its own ancestors');
  if (walk.ancestors.length >= maxDepth) throw refusal(walk.place, `is nested deeper than ${maxDepth} levels`);
  const copy = Array.isArray(value) ? copyArray(value, walk) : copyObject(value, walk);
  walk.copies.set(value, copy);
  return copy;
}

function copyArray(value: readonly unknown[], walk: Walk): readonly unknown[] {
  const items = Array.from({ length: value.length }, (_, index) =>
    copyValue(ownData(value, String(index), `${walk.place}[${index}]`), below(walk, value, `${walk.place}[${index}]`)),
  );
  return Object.freeze(items);
}

function copyObject(value: object, walk: Walk): PlainObject {
  if (!isPlainObject(value)) throw refusal(walk.place, 'is no plain object');
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const place = /^[A-Za-z_$][\w$]*$/.test(key) ? `${walk.place}.${key}` : `${walk.place}[${JSON.stringify(key)}]`;
    const item = copyValue(ownData(value, key, place), below(walk, value, place));
    // Defined, not assigned: the key may be `__proto__`.
    Object.defineProperty(copy, key, { value: item, enumerable: true });
  }
  return Object.freeze(copy);
}

function ownData(holder: object, key: string, place: string): unknown {
  const property = Object.getOwnPropertyDescriptor(holder, key);
  if (property !== undefined && !('value' in property)) throw refusal(place, 'is a getter, and would run code');
  return property?.value;
}

function below({ ancestors, copies }: Walk, parent: object, place: string): Walk {
  return { place, ancestors: [...ancestors, parent], copies };
}

// Plain also across realms: an object without a prototype, or whose prototype is the end of the chain.
function isPlainObject(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  return (
    prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty'))
  );
}

function refusal(place: string, what: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot use the context: ${place} ${what}`, {
    details: { place },
    hint: 'A context holds null, booleans, numbers, strings, bigint, arrays and plain objects.',
  });
}
