import type { Engine } from './engine.ts';

/** Where things are inside the image; all are addresses in linear memory. */
export interface ImagePointers {
  readonly runtime: number;
  readonly context: number;
  /** Room for the arguments of one call: pointers of 4 bytes. */
  readonly argumentBlock: number;
  /** The 8 bytes that `Math.random` goes on from. */
  readonly randomState: number;
  /** The C stack pointer at rest. */
  readonly stackPointer: number;
  // Values of the prelude.
  readonly isPlain: number;
  readonly pack: number;
  readonly describeThrown: number;
  readonly revive: number;
  readonly deepFreeze: number;
  readonly emptyContext: number;
  readonly removeConsole: number;
  /** The helper functions, by the names of `helperNames`. */
  readonly helpers: readonly number[];
}

/** The memory of a booted engine that has not yet seen a program. */
export interface Image {
  readonly pointers: ImagePointers;
  readonly helperNames: readonly string[];
  /** Everything below and above the C stack up to the end of the heap; the rest is free and need not be restored. */
  readonly regions: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
}

/** Makes the engine's memory the image again: nothing of earlier runs is reachable afterwards. */
export function restoreImage(engine: Engine, image: Image): void {
  const heap = engine.heap();
  for (const { offset, bytes } of image.regions) heap.set(bytes, offset);
  engine.functions.stackRestore(image.pointers.stackPointer);
}

interface ImageHead {
  readonly pointers: ImagePointers;
  readonly helperNames: readonly string[];
  readonly regions: readonly { readonly offset: number; readonly length: number }[];
}

/** The image as one file: length of the head (4 bytes, little endian), the head as JSON, the regions. */
export function renderImage(image: Image): Uint8Array {
  const head: ImageHead = {
    pointers: image.pointers,
    helperNames: image.helperNames,
    regions: image.regions.map(({ offset, bytes }) => ({ offset, length: bytes.byteLength })),
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.byteLength);
  return Buffer.concat([length, json, ...image.regions.map(({ bytes }) => bytes)]);
}

/** Reads what {@link renderImage} wrote; the regions stay views of the given bytes. */
export function parseImage(file: Uint8Array): Image {
  const headLength = new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  // Copied first: text decoders refuse shared memory.
  const head = JSON.parse(Buffer.from(file.slice(4, 4 + headLength)).toString()) as ImageHead; // written by renderImage
  let start = 4 + headLength;
  const regions = head.regions.map(({ offset, length }) => {
    const bytes = file.subarray(start, start + length);
    start += length;
    return { offset, bytes };
  });
  return { pointers: head.pointers, helperNames: head.helperNames, regions };
}
