import { createEngine, type Engine, initialPages, pageBytes } from '../engine.ts';
import { restoreImage } from '../image.ts';
import { engineModule, image } from './sandbox-files.ts';

const engine: Engine = createEngine(engineModule, 4 * initialPages * pageBytes, {
  now: () => Date.now(),
  shouldInterrupt: () => false,
  callFunction: () => 0,
  memoryCeiling: () => 4 * initialPages * pageBytes,
  onRefusedGrowth: () => {},
});

/** What the engine's own writer makes of an expression: nothing of ours lies between. */
export function engineEncodes(expression: string): Uint8Array {
  restoreImage(engine, image);
  const source = put(Buffer.from(`(${expression})\0`));
  const file = put(Buffer.from('expression.js\0'));
  return encode(
    engine.functions.evaluate(image.pointers.context, source, Buffer.byteLength(expression) + 2, file, 0, 0),
  );
}

/** What the engine's own writer makes of the value that its own reader made of the bytes. */
export function engineRecodes(bytes: Uint8Array): Uint8Array {
  restoreImage(engine, image);
  const { functions } = engine;
  const buffer = functions.newArrayBuffer(image.pointers.context, put(bytes), bytes.byteLength);
  return encode(functions.decode(image.pointers.context, buffer));
}

function encode(value: number): Uint8Array {
  const { functions } = engine;
  const { context } = image.pointers;
  if (functions.resolveException(context, value) !== 0) throw new Error('the engine refused the value');
  const buffer = functions.encode(context, value);
  if (functions.resolveException(context, buffer) !== 0) throw new Error('the engine did not write the value');
  const start = functions.getArrayBuffer(context, buffer);
  return engine.heap().slice(start, start + functions.getArrayBufferLength(context, buffer));
}

function put(bytes: Uint8Array): number {
  const pointer = engine.functions.malloc(bytes.byteLength);
  engine.heap().set(bytes, pointer);
  return pointer;
}
