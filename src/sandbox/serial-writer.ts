import { firstName, serialVersion, tags } from './serial-form.ts';

/** A value the writer takes: what the engine's serial form holds without help. */
export type SerialValue =
  | null
  | undefined
  | boolean
  | number
  | string
  | bigint
  | Uint8Array
  | ArrayBuffer
  | Date
  | readonly SerialValue[]
  | SerialObject;

/** Properties in order; a Map, because keys are untrusted. */
export interface SerialObject {
  readonly properties: ReadonlyMap<string, SerialValue>;
}

/** Writes a value in the engine's serial form. */
export function writeSerial(value: SerialValue): Uint8Array {
  const names = new Map<string, number>();
  const body = new ByteWriter();
  writeValue(body, value, names);
  const head = new ByteWriter();
  head.byte(serialVersion);
  head.unsigned(names.size);
  for (const name of names.keys()) writeText(head, name);
  return Buffer.concat([head.taken(), body.taken()]);
}

function writeValue(out: ByteWriter, value: SerialValue, names: Map<string, number>): void {
  switch (typeof value) {
    case 'undefined':
      return out.byte(tags.undefined);
    case 'boolean':
      return out.byte(value ? tags.true : tags.false);
    case 'number':
      return writeNumber(out, value);
    case 'string':
      out.byte(tags.string);
      return writeText(out, value);
    case 'bigint':
      return writeBigint(out, value);
    default:
      return value === null ? out.byte(tags.null) : writeObject(out, value, names);
  }
}

function writeObject(
  out: ByteWriter,
  value: Exclude<SerialValue, null | undefined | boolean | number | string | bigint>,
  names: Map<string, number>,
): void {
  if (Array.isArray(value)) {
    const items = value as readonly SerialValue[]; // isArray forgets readonly
    out.byte(tags.array);
    out.unsigned(items.length);
    for (const item of items) writeValue(out, item, names);
  } else if (value instanceof Date) {
    out.byte(tags.date);
    writeNumber(out, value.getTime());
  } else if (value instanceof Uint8Array) {
    writeTypedArray(out, value);
  } else if (value instanceof ArrayBuffer) {
    writeBuffer(out, new Uint8Array(value));
  } else {
    const { properties } = value as SerialObject; // the only kind left
    out.byte(tags.object);
    out.unsigned(properties.size);
    for (const [name, item] of properties) {
      out.unsigned(nameReference(name, names));
      writeValue(out, item, names);
    }
  }
}

// The engine's integers have 32 bits.
const largestInt = 0x7fffffff;

// Array-index-like names are written as numbers (odd references), as the engine itself does.
function nameReference(name: string, names: Map<string, number>): number {
  if (/^(?:0|[1-9]\d{0,9})$/.test(name) && Number(name) <= largestInt) return Number(name) * 2 + 1;
  let index = names.get(name);
  if (index === undefined) {
    index = names.size;
    names.set(name, index);
  }
  return (index + firstName) * 2;
}

function writeNumber(out: ByteWriter, value: number): void {
  if (Number.isInteger(value) && value >= -largestInt - 1 && value <= largestInt && !Object.is(value, -0)) {
    out.byte(tags.int32);
    out.unsigned(value < 0 ? -value * 2 - 1 : value * 2);
  } else {
    out.byte(tags.float64);
    out.float64(value);
  }
}

function writeText(out: ByteWriter, text: string): void {
  const wide = !isLatin1(text);
  out.unsigned(text.length * 2 + (wide ? 1 : 0));
  out.bytes(Buffer.from(text, wide ? 'utf16le' : 'latin1'));
}

// The whole range, controls included.
const latin1 = /^[\0-\xff]*$/;

function isLatin1(text: string): boolean {
  return latin1.test(text);
}

// Two's complement, little endian, as few bytes as hold the sign; zero has none.
function writeBigint(out: ByteWriter, value: bigint): void {
  out.byte(tags.bigint);
  if (value === 0n) return out.unsigned(0);
  const magnitude = value < 0n ? -value - 1n : value;
  const bits = magnitude === 0n ? 1 : magnitude.toString(2).length + 1;
  const length = Math.ceil(bits / 8);
  let hex = BigInt.asUintN(length * 8, value).toString(16);
  hex = hex.padStart(length * 2, '0');
  out.unsigned(length);
  out.bytes(Buffer.from(hex, 'hex').reverse());
}

function writeTypedArray(out: ByteWriter, value: Uint8Array): void {
  out.byte(tags.typedArray);
  out.byte(uint8ArrayKind);
  out.unsigned(value.byteLength);
  out.unsigned(0);
  writeBuffer(out, value);
}

// The engine's number for Uint8Array among typed arrays.
const uint8ArrayKind = 2;

function writeBuffer(out: ByteWriter, bytes: Uint8Array): void {
  out.byte(tags.arrayBuffer);
  out.unsigned(bytes.byteLength);
  out.unsigned(0xffffffff); // not resizable
  out.bytes(bytes);
}

class ByteWriter {
  #buffer = Buffer.allocUnsafe(256);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  // LEB128: seven bits a byte, lowest first.
  unsigned(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleLE(value, this.#length);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.byteLength);
    this.#buffer.set(value, this.#length);
    this.#length += value.byteLength;
  }

  taken(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#buffer.byteLength) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.byteLength * 2, this.#length + count));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}
