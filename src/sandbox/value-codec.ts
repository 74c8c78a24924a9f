import { readSerial, setOwn } from './serial-reader.ts';

/** A value on its way across the border, in the engine's serial form. */
export interface CrossingValue {
  readonly bytes: Uint8Array;
  /**
   * Whether the bytes hold the packed form: every array begins with a tag (`array`, `object`, `map`, `set`, `date`,
   * `bytes`, `buffer`, `error`, `native`), so that what the serial form lacks can cross. Plain data does without.
   */
  readonly packed: boolean;
}

/** Turns a value of the guest's into one of the host's. */
export function decodeValue(crossing: CrossingValue): unknown {
  const value = readSerial(crossing.bytes);
  return crossing.packed ? unpack(value) : value;
}

/** An error of the guest's as data: what a result or a thrown value carries. */
export interface GuestErrorFields {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string | number;
  readonly path?: string;
  readonly cause?: GuestErrorFields;
}

/** The host's value for a packed form. */
export function unpack(packed: unknown): unknown {
  if (!Array.isArray(packed)) return packed;
  const [tag, ...items]: readonly unknown[] = packed;
  switch (tag) {
    case 'array':
      return items.map(unpack);
    case 'object':
      return unpackObject(items);
    case 'map':
      return new Map(pairs(items).map(([key, value]) => [unpack(key), unpack(value)]));
    case 'set':
      return new Set(items.map(unpack));
    case 'date':
      return new Date(Number(items[0]));
    case 'error':
      return hostError(packed);
    case 'buffer':
      return (items[0] as Uint8Array).buffer; // the packer's own copy
    default:
      return items[0]; // bytes: the serial form holds them
  }
}

function unpackObject(items: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of pairs(items)) setOwn(result, String(name), unpack(value));
  return result;
}

function pairs(items: readonly unknown[]): readonly (readonly [unknown, unknown])[] {
  return Array.from({ length: items.length / 2 }, (_, index) => [items[index * 2], items[index * 2 + 1]] as const);
}

/** The fields of a packed error. */
export function unpackError(packed: readonly unknown[]): GuestErrorFields {
  const [, name, message, stack, code, path, cause] = packed;
  return {
    name: String(name),
    message: String(message),
    stack: String(stack),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof path === 'string' ? { path } : {}),
    ...(Array.isArray(cause) ? { cause: unpackError(cause) } : {}),
  };
}

// `cause` may be any value here, not an error alone.
function hostError(packed: readonly unknown[]): Error {
  const { name, message, stack, code } = unpackError(packed);
  const error = new Error(message, packed[6] === undefined ? undefined : { cause: unpack(packed[6]) });
  for (const [key, value] of Object.entries({ name, stack })) {
    Object.defineProperty(error, key, { value, writable: true, enumerable: false, configurable: true });
  }
  return code === undefined ? error : Object.assign(error, { code });
}
