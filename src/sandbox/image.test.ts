import { describe, expect, it } from 'vitest';
import { buildImage } from './build-image.ts';
import { createEngine, initialPages, pageBytes } from './engine.ts';
import { parseImage, renderImage, restoreImage } from './image.ts';
import { engineModule, image, preludeSource } from './testing/sandbox-files.ts';

const host = {
  now: () => 0,
  shouldInterrupt: () => false,
  callFunction: () => 0,
  memoryCeiling: () => initialPages * pageBytes,
  onRefusedGrowth: () => {},
};

describe('buildImage()', () => {
  it('makes the same image every time', () => {
    const again = buildImage(engineModule, preludeSource, image.helperNames);
    expect(again.pointers).toEqual(image.pointers);
    expect(Buffer.compare(renderImage(again), renderImage(image))).toBe(0);
  });

  it('leaves out the C stack and the free heap: the image is small', () => {
    const bytes = image.regions.reduce((sum, region) => sum + region.bytes.byteLength, 0);
    expect(bytes).toBeLessThan(512 * 1024);
    expect(image.regions.map(({ offset }) => offset)[0]).toBe(0);
  });

  it('holds everything allocated: nothing behind the last region differs from zero after a boot', () => {
    const last = image.regions.at(-1);
    if (last === undefined) throw new Error('no regions');
    // What a malloc in a restored engine returns lies inside the memory and does not overlap what is restored before it.
    const engine = createEngine(engineModule, initialPages * pageBytes, host);
    restoreImage(engine, image);
    const rest = engine.heap().subarray(last.offset + last.bytes.byteLength);
    expect(rest.every((byte) => byte === 0)).toBe(true);
    expect(engine.functions.malloc(1024 * 1024)).toBeGreaterThan(last.offset);
  });

  it.each<[string, string, string]>([
    ['does not parse', '(function boot( {', 'the guest prelude threw while booting'],
    ['throws', '(function boot() { throw new Error("x") })', 'the guest prelude threw while booting'],
    ['calls the host', '(function boot(print) { print("log", "x") })', 'the prelude called the host while booting'],
    [
      'takes more memory than there is',
      '(function boot() { return new ArrayBuffer(64 * 1024 * 1024) })',
      'the prelude does not fit into the initial memory',
    ],
  ])('refuses a prelude that %s', (_title, source, message) => {
    expect(() => buildImage(engineModule, source, [])).toThrow(message);
  });

  it('refuses an engine whose context it does not know', () => {
    // Without Math.random to watch, its state cannot be found.
    const source = '(function boot() { Math.random = () => 0.5; return [] })';
    expect(() => buildImage(engineModule, source, [])).toThrow('the state of Math.random was not found in the context');
  });
});

describe('an image as a file', () => {
  it('is read back as it was written, from any memory and any place in it', () => {
    const file = renderImage(image);
    const shared = new Uint8Array(new SharedArrayBuffer(file.byteLength + 7), 3, file.byteLength);
    shared.set(file);
    for (const bytes of [file, shared]) {
      const read = parseImage(bytes);
      expect(read.pointers).toEqual(image.pointers);
      expect(read.helperNames).toEqual(image.helperNames);
      expect(
        read.regions.map(({ offset, bytes: region }) => [
          offset,
          Buffer.from(region).equals(Buffer.from(image.regions.find((r) => r.offset === offset)?.bytes ?? [])),
        ]),
      ).toEqual(image.regions.map(({ offset }) => [offset, true]));
    }
  });
});

describe('restoreImage()', () => {
  it('makes every region what it was, and the stack pointer too', () => {
    const engine = createEngine(engineModule, initialPages * pageBytes, host);
    restoreImage(engine, image);
    for (const { offset, bytes } of image.regions) engine.heap().fill(0xaa, offset, offset + bytes.byteLength);
    engine.functions.stackRestore(image.pointers.stackPointer - 4096);
    restoreImage(engine, image);
    for (const { offset, bytes } of image.regions) {
      expect(Buffer.compare(engine.heap().subarray(offset, offset + bytes.byteLength), bytes)).toBe(0);
    }
    expect(engine.functions.stackPointer()).toBe(image.pointers.stackPointer);
  });
});
