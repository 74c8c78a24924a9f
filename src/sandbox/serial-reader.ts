import { firstName, maxLevels, serialVersion, tags } from './serial-form.ts';

/** Thrown when bytes hold something the plain reader does not take; the packed form carries that. */
export class NotPlainError extends Error {}

/** Reads a value written by the engine. @throws {@link NotPlainError} for anything but plain data and bytes. */
export function readSerial(bytes: Uint8Array): unknown {
  const reader = new ByteReader(bytes);
  return readValue(reader, { names: readNames(reader), objects: [] });
}

// What references in the form point to: names of properties, and objects in the order in which they began.
interface Known {
  readonly names: readonly string[];
  readonly objects: unknown[];
}

/**
 * Whether the bytes hold only what JSON-like data is made of: no dates, bytes, references or boxes, and no more levels
 * than may cross.
 */
export function holdsOnlyPlain(bytes: Uint8Array): boolean {
  const reader = new ByteReader(bytes);
  readVersion(reader);
  for (let count = reader.unsigned(); count > 0; count--) reader.skip(textBytes(reader.unsigned()));
  // What is still open: n > 0 for n items of an array, n < 0 for -n properties of an object. No recursion.
  const open: number[] = [1];
  for (let count = open.pop(); count !== undefined; count = open.pop()) {
    if (count === 0) continue;
    if (count < 0) reader.unsigned(); // the name
    open.push(count < 0 ? count + 1 : count - 1);
    const tag = reader.byte();
    if (tag === tags.array || tag === tags.object) {
      if (open.length > maxLevels) return false;
      const size = reader.unsigned();
      open.push(tag === tags.array ? size : -size);
    } else if (!skipPrimitive(reader, tag)) return false;
  }
  return true;
}

function skipPrimitive(reader: ByteReader, tag: number): boolean {
  if (tag === tags.int32) reader.unsigned();
  else if (tag === tags.float64) reader.skip(8);
  else if (tag === tags.string) reader.skip(textBytes(reader.unsigned()));
  else if (tag === tags.bigint) reader.skip(reader.unsigned());
  else return tag >= tags.null && tag <= tags.true;
  return true;
}

function readNames(reader: ByteReader): readonly string[] {
  readVersion(reader);
  const count = reader.unsigned();
  const names: string[] = [];
  for (let index = 0; index < count; index++) names.push(reader.text());
  return names;
}

function readVersion(reader: ByteReader): void {
  const version = reader.byte();
  if (version !== serialVersion) throw new NotPlainError(`serial form of version ${version}`);
}

function readValue(reader: ByteReader, known: Known): unknown {
  const tag = reader.byte();
  switch (tag) {
    case tags.null:
      return null;
    case tags.undefined:
      return undefined;
    case tags.false:
      return false;
    case tags.true:
      return true;
    case tags.int32:
      return reader.signed();
    case tags.float64:
      return reader.float64();
    case tags.string:
      return reader.text();
    case tags.bigint:
      return readBigint(reader);
    case tags.array:
      return readArray(reader, known);
    case tags.object:
      return readObject(reader, known);
    case tags.typedArray:
      return readTypedArray(reader, known);
    case tags.arrayBuffer:
      return readBuffer(reader, known);
    case tags.reference:
      return readReference(reader, known);
    default:
      throw new NotPlainError(`tag ${tag} at byte ${reader.position}`);
  }
}

function readArray(reader: ByteReader, known: Known): unknown[] {
  const length = reader.unsigned();
  const items: unknown[] = [];
  known.objects.push(items);
  for (let index = 0; index < length; index++) items.push(readValue(reader, known));
  return items;
}

function readObject(reader: ByteReader, known: Known): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  known.objects.push(result);
  for (let count = reader.unsigned(); count > 0; count--) {
    const reference = reader.unsigned();
    const name = reference % 2 === 1 ? String((reference - 1) / 2) : (known.names[reference / 2 - firstName] ?? '');
    setOwn(result, name, readValue(reader, known));
  }
  return result;
}

/** Sets an own property under any name, `__proto__` included. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else target[name] = value;
}

function readBigint(reader: ByteReader): bigint {
  const bytes = reader.take(reader.unsigned());
  if (bytes.byteLength === 0) return 0n;
  const hex = Buffer.from(bytes).reverse().toString('hex');
  return BigInt.asIntN(bytes.byteLength * 8, BigInt(`0x${hex}`));
}

function readTypedArray(reader: ByteReader, known: Known): Uint8Array {
  reader.byte(); // the packer lets only Uint8Array through
  const place = known.objects.push(undefined) - 1;
  const length = reader.unsigned();
  const offset = reader.unsigned();
  reader.byte(); // the tag of the buffer, which the packer makes for this one alone
  const bytes = new Uint8Array(readBuffer(reader, known), offset, length);
  known.objects[place] = bytes;
  return bytes;
}

function readBuffer(reader: ByteReader, { objects }: Known): ArrayBuffer {
  const length = reader.unsigned();
  reader.unsigned(); // maximum length of a resizable one
  const { buffer } = new Uint8Array(reader.take(length)).slice();
  objects.push(buffer);
  return buffer;
}

function readReference(reader: ByteReader, { objects }: Known): unknown {
  const number = reader.unsigned();
  if (number >= objects.length) throw new NotPlainError(`a reference to object ${number}, which did not come`);
  return objects[number];
}

// A string's length with its width in the lowest bit, as bytes.
const textBytes = (lengthAndWidth: number): number =>
  lengthAndWidth % 2 === 1 ? lengthAndWidth - 1 : lengthAndWidth / 2;

class ByteReader {
  position = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    const value = this.#bytes[this.position++];
    if (value === undefined) throw new NotPlainError('the serial form ends too early');
    return value;
  }

  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const part = this.byte();
      value += (part & 0x7f) * factor;
      if (part < 0x80) return value;
    }
  }

  signed(): number {
    const folded = this.unsigned();
    return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;
  }

  float64(): number {
    const start = this.position;
    this.skip(8);
    return this.#bytes.readDoubleLE(start);
  }

  text(): string {
    const lengthAndWidth = this.unsigned();
    const start = this.position;
    this.skip(textBytes(lengthAndWidth));
    const end = this.position;
    if (lengthAndWidth % 2 === 1) return this.#bytes.toString('utf16le', start, end);
    return end - start < shortText ? this.#shortLatin1(start, end) : this.#bytes.toString('latin1', start, end);
  }

  take(count: number): Uint8Array {
    const start = this.position;
    this.skip(count);
    return this.#bytes.subarray(start, this.position);
  }

  skip(count: number): void {
    this.position += count;
    if (this.position > this.#bytes.byteLength) throw new NotPlainError('the serial form ends too early');
  }

  #shortLatin1(start: number, end: number): string {
    let text = '';
    for (let index = start; index < end; index++) text += String.fromCharCode(this.#bytes[index] ?? 0);
    return text;
  }
}

// Below this length a loop beats the call into Buffer.
const shortText = 24;
