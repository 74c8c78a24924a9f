import { PortholeError } from '../contract/errors.ts';
import { maxLevels } from './serial-form.ts';
import { type SerialValue, writeSerial } from './serial-writer.ts';
import type { CrossingValue } from './value-codec.ts';

/** What {@link encodeInput} gives: the value, or its size where it is over the ceiling. */
export type EncodedInput = CrossingValue | { readonly tooLarge: number };

/**
 * Turns a value of the host's into one for the guest. Shared references become copies and count as often as they occur.
 * @throws {@link PortholeError} `INPUT_NOT_SERIALIZABLE` naming the place of what cannot cross.
 */
export function encodeInput(value: unknown, maxBytes: number, rootName = 'input'): EncodedInput {
  const walk = new InputWalk(maxBytes, rootName);
  const tree = walk.read(value);
  if (walk.bytes > maxBytes) return { tooLarge: walk.bytes };
  // Without a map, set or error the tree is what the writer takes.
  const bytes = writeSerial(walk.packed ? pack(tree) : (tree as SerialValue));
  return bytes.byteLength > maxBytes ? { tooLarge: bytes.byteLength } : { bytes, packed: walk.packed };
}

/** The same for a helper's answer: always packed, of any size. */
export function encodeAnswer(value: unknown): Uint8Array {
  return writeSerial(pack(new InputWalk(Number.POSITIVE_INFINITY, 'answer').read(value)));
}

// The value as read once, so that either form can be written from it.
type Tree =
  | Exclude<SerialValue, readonly unknown[] | { readonly properties: unknown }>
  | readonly Tree[]
  | { readonly properties: ReadonlyMap<string, Tree> }
  | Packed;

// What the serial form lacks.
interface Packed {
  readonly kind: 'map' | 'set' | 'error';
  readonly items: readonly Tree[];
}

interface Known {
  readonly tree: Tree;
  readonly bytes: number;
  /** Levels of objects, its own included. */
  readonly height: number;
}

const maxCauses = 8;
// The engine holds no larger bigint.
const maxBigintBits = 1024 * 1024;

class InputWalk {
  bytes = 0;
  packed = false;
  readonly #maxBytes: number;
  readonly #ancestors: object[] = [];
  // What was read of each object: one that is shared a million times is walked once, and counts a million times.
  readonly #known = new Map<object, Known>();
  #height = 0;
  // Where the walk is: indexes, property names, entries of collections.
  readonly #path: (number | string | { readonly entry: number })[] = [];
  readonly #rootName: string;
  #causes = 0;

  constructor(maxBytes: number, rootName: string) {
    this.#maxBytes = maxBytes;
    this.#rootName = rootName;
  }

  read(value: unknown): Tree {
    try {
      return this.#visit(value);
    } catch (error) {
      if (error instanceof PortholeError) throw error;
      throw this.#problem('refuses to be read', error); // a getter or a proxy of the caller's
    }
  }

  #visit(value: unknown): Tree {
    this.bytes += 1;
    switch (typeof value) {
      case 'string':
        this.bytes += 1 + value.length;
        return value;
      case 'bigint':
        return this.#visitBigint(value);
      case 'undefined':
      case 'boolean':
      case 'number':
        return value;
      case 'function':
      case 'symbol':
        throw this.#problem(`is a ${typeof value}`);
      default:
        return value === null ? null : this.#visitObject(value as object); // all else is ruled out above
    }
  }

  #visitBigint(value: bigint): bigint {
    if (BigInt.asIntN(64, value) === value) return value;
    const digits = value.toString(16).length;
    if (digits * 4 > maxBigintBits) throw this.#problem(`is a bigint of more than ${maxBigintBits} bits`);
    this.bytes += digits / 2;
    return value;
  }

  #visitObject(value: object): Tree {
    if (this.#ancestors.includes(value)) throw this.#problem('is a cycle: it is one of its own ancestors');
    if (this.#ancestors.length >= maxLevels) throw this.#problem(`is nested deeper than ${maxLevels} levels`);
    const known = this.#known.get(value);
    if (known !== undefined && this.#ancestors.length + known.height <= maxLevels) return this.#repeat(known);
    const outer = { bytes: this.bytes, height: this.#height };
    this.#height = 0;
    this.#ancestors.push(value);
    const tree = this.#visitKind(value);
    this.#ancestors.pop();
    this.#known.set(value, { tree, bytes: this.bytes - outer.bytes, height: this.#height + 1 });
    this.#height = Math.max(outer.height, this.#height + 1);
    return tree;
  }

  #repeat({ tree, bytes, height }: Known): Tree {
    this.bytes += bytes;
    this.#height = Math.max(this.#height, height);
    return tree;
  }

  #visitKind(value: object): Tree {
    if (Array.isArray(value)) return this.#visitItems(value, (index) => index);
    if (value instanceof Date) return new Date(value);
    if (value instanceof Uint8Array || value instanceof ArrayBuffer) {
      this.bytes += value.byteLength;
      return value;
    }
    if (value instanceof Map) return this.#visitCollection('map', [...value].flat(1), 2);
    if (value instanceof Set) return this.#visitCollection('set', [...value], 1);
    if (value instanceof Error) return this.#visitError(value);
    if (!isPlainObject(value)) throw this.#problem(describe(value));
    return this.#visitProperties(value);
  }

  #visitItems(
    items: readonly unknown[],
    step: (index: number) => number | { readonly entry: number },
  ): readonly Tree[] {
    const trees: Tree[] = [];
    // Every item takes a byte at least, so a sparse array of millions is refused before it is walked.
    if (this.bytes + items.length > this.#maxBytes) this.bytes += items.length;
    for (let index = 0; index < items.length && this.#hasRoom(); index++) {
      this.#path.push(step(index));
      trees.push(this.#visit(items[index]));
      this.#path.pop();
    }
    return trees;
  }

  #visitProperties(value: object): Tree {
    const properties = new Map<string, Tree>();
    for (const name of Object.keys(value)) {
      if (!this.#hasRoom()) break;
      this.bytes += name.length;
      this.#path.push(name);
      properties.set(name, this.#visit((value as Record<string, unknown>)[name])); // one of its own keys
      this.#path.pop();
    }
    return { properties };
  }

  #visitCollection(kind: 'map' | 'set', items: readonly unknown[], itemsPerEntry: number): Packed {
    this.packed = true;
    return { kind, items: this.#visitItems(items, (index) => ({ entry: Math.floor(index / itemsPerEntry) })) };
  }

  #visitError(error: Error): Packed {
    this.packed = true;
    const { name, message, stack, cause } = error;
    const code = 'code' in error ? error.code : undefined;
    const texts = [name, message, stack].map((text) => this.#visit(typeof text === 'string' ? text : ''));
    const shownCode = typeof code === 'string' || typeof code === 'number' ? code : undefined;
    return { kind: 'error', items: [...texts, this.#visit(shownCode), undefined, this.#visitCause(cause)] };
  }

  #visitCause(cause: unknown): Tree {
    if (this.#causes >= maxCauses) return undefined;
    this.#causes += 1;
    this.#path.push('cause');
    const tree = this.#visit(cause);
    this.#path.pop();
    this.#causes -= 1;
    return tree;
  }

  #hasRoom(): boolean {
    return this.bytes <= this.#maxBytes;
  }

  #problem(what: string, cause?: unknown): PortholeError {
    const place = this.#rootName + this.#path.map(renderStep).join('');
    const message = `Cannot pass the input: ${place} ${what}`;
    return new PortholeError('INPUT_NOT_SERIALIZABLE', message, { details: { place }, cause });
  }
}

function renderStep(step: number | string | { readonly entry: number }): string {
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step === 'object') return ` entry ${step.entry}`;
  return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

// Plain also across realms: an object whose prototype is the end of its chain.
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== ''
    ? `is an instance of ${name}`
    : 'is an object with a prototype of its own';
}

function pack(tree: Tree): SerialValue {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (isList(tree)) return ['array', ...tree.map(pack)];
  if (tree instanceof Date || tree instanceof Uint8Array || tree instanceof ArrayBuffer) return ['native', tree];
  if ('kind' in tree) return [tree.kind, ...tree.items.map(pack)];
  const packed: SerialValue[] = ['object'];
  for (const [name, item] of tree.properties) packed.push(name, pack(item));
  return packed;
}

// Array.isArray forgets readonly.
function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}
