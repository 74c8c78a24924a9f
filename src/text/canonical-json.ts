import { PortholeError } from '../contract/errors.ts';

/**
 * The canonical text of a JSON value (RFC 8785): no blanks, names in the order of their UTF-16 units, numbers and
 * strings as ECMAScript writes them. Members that are `undefined` are left out.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` for a value JSON has no form for, and for lone surrogates.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalJsonOfAnyText(value);
  // ECMAScript escapes a lone surrogate and nothing else that begins so, but a text may hold such an escape itself.
  if (text.includes('\\ud') && /(?<!\\)(?:\\\\)*\\ud/.test(text)) {
    throw new PortholeError('ARGUMENT_INVALID', 'Cannot write a string as canonical JSON: it holds a lone surrogate');
  }
  return text;
}

/** As {@link canonicalJson}, with a lone surrogate as its escape: still one text per value, for digests only. */
export function canonicalJsonOfAnyText(value: unknown): string {
  const ordered = inOrder(value);
  return ordered === unorderable ? write(value) : JSON.stringify(ordered);
}

// Objects put names that look like array indexes first, whatever the order of insertion, and set "__proto__" apart.
const unorderable = Symbol('unorderable');

// The same value with all names in order, so that the engine's own writer, several times faster, does the rest.
function inOrder(value: unknown): unknown {
  if (isPlainObject(value)) return objectInOrder(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value.map(inOrder);
    return items.includes(unorderable) ? unorderable : items;
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  throw new PortholeError(
    'ARGUMENT_INVALID',
    `Cannot write ${describe(value)} as canonical JSON: JSON has no such value`,
  );
}

function objectInOrder(value: Readonly<Record<string, unknown>>): unknown {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    const child = inOrder(member);
    if (child === unorderable || oddName.test(name)) return unorderable;
    ordered[name] = child;
  }
  return ordered;
}

const oddName = /^(?:\d+|__proto__)$/;

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(inOrder(value));
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${write(value[name])}`).join(',')}}`;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  return typeof value === 'object' ? 'an object that is not plain' : String(value);
}
