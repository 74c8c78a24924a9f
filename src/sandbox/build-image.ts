import { defaultLimits } from '../contract/limits.ts';
import { createEngine, type Engine, type EngineHost, initialPages, pageBytes } from './engine.ts';
import { preludeFile } from './guest-errors.ts';
import type { Image, ImagePointers } from './image.ts';
import { nativeFunctions } from './native-functions.ts';

// The build's C stack lies between its data and its heap.
const stackBytes = 5 * 1024 * 1024;

/**
 * Boots an engine, runs the prelude in it and takes its memory aside. Done once, when the package is built.
 * @param preludeSource text of `guest-prelude.js`
 * @param helperNames names of the helper functions the image holds, in the order of their numbers
 */
export function buildImage(module: WebAssembly.Module, preludeSource: string, helperNames: readonly string[]): Image {
  const engine = createEngine(module, initialPages * pageBytes, bootHost);
  const { functions } = engine;
  functions.initialize();
  const runtime = functions.newRuntime();
  const context = functions.newContext(runtime, 0);
  functions.setMaxStackSize(runtime, defaultLimits.stackBytes);
  const prelude = bootPrelude(engine, context, preludeSource, helperNames);
  functions.enableInterruptHandler(runtime);
  const pointers: ImagePointers = {
    runtime,
    context,
    argumentBlock: functions.malloc(64),
    randomState: findRandomState(engine, context),
    stackPointer: functions.stackPointer(),
    ...prelude,
  };
  return { pointers, helperNames, regions: takeRegions(engine, pointers.stackPointer) };
}

const bootHost: EngineHost = {
  now: () => 0,
  shouldInterrupt: () => false,
  callFunction: () => {
    throw new Error('the prelude called the host while booting');
  },
  memoryCeiling: () => initialPages * pageBytes,
  onRefusedGrowth: () => {
    throw new Error('the prelude does not fit into the initial memory');
  },
};

function bootPrelude(
  engine: Engine,
  context: number,
  source: string,
  helperNames: readonly string[],
): Pick<
  ImagePointers,
  Exclude<keyof ImagePointers, 'runtime' | 'context' | 'argumentBlock' | 'randomState' | 'stackPointer'>
> {
  const { functions } = engine;
  const names = nativeFunctions.map((name, id) => functions.newFunction(context, putText(engine, name), 0, 0, id));
  const list = evaluate(engine, context, JSON.stringify(helperNames));
  const boot = evaluate(engine, context, source);
  const block = functions.malloc(4 * (names.length + 1));
  new Uint32Array(engine.heap().buffer, block, names.length + 1).set([...names, list]);
  const made = functions.call(context, boot, functions.getUndefined(), names.length + 1, block);
  checkNoException(engine, context, made);
  functions.free(block);
  const at = (index: number): number => functions.getPropNumber(context, made, index);
  const helpers = at(6);
  return {
    isPlain: at(0),
    pack: at(1),
    describeThrown: at(2),
    revive: at(3),
    deepFreeze: at(4),
    emptyContext: at(5),
    removeConsole: at(7),
    helpers: helperNames.map((_, index) => functions.getPropNumber(context, helpers, index)),
  };
}

function evaluate(engine: Engine, context: number, source: string): number {
  const { functions } = engine;
  const text = Buffer.from(source);
  const code = putText(engine, source);
  const file = putText(engine, preludeFile);
  const value = functions.evaluate(context, code, text.byteLength, file, 0, 0);
  checkNoException(engine, context, value);
  functions.free(code);
  functions.free(file);
  return value;
}

function checkNoException(engine: Engine, context: number, value: number): void {
  if (engine.functions.resolveException(context, value) !== 0) throw new Error('the guest prelude threw while booting');
}

function putText(engine: Engine, text: string): number {
  const bytes = Buffer.from(`${text}\0`);
  const pointer = engine.functions.malloc(bytes.byteLength);
  engine.heap().set(bytes, pointer);
  return pointer;
}

// Math.random is xorshift64*: its state is the 8 bytes that one call changes by that very step.
function findRandomState(engine: Engine, context: number): number {
  const before = engine.heap().slice();
  evaluate(engine, context, 'Math.random()');
  const old = new DataView(before.buffer);
  const now = new DataView(engine.heap().buffer);
  for (let offset = context; offset < context + 4096; offset += 8) {
    const state = old.getBigUint64(offset, true);
    if (state !== 0n && now.getBigUint64(offset, true) === xorshift(state)) return offset;
  }
  throw new Error('the state of Math.random was not found in the context');
}

function xorshift(state: bigint): bigint {
  let next = state ^ (state >> 12n);
  next ^= BigInt.asUintN(64, next << 25n);
  return next ^ (next >> 27n);
}

function takeRegions(engine: Engine, stackPointer: number): Image['regions'] {
  const heap = engine.heap();
  const dataEnd = stackPointer - stackBytes + 4096;
  const stackTop = stackPointer - 64;
  let heapEnd = heap.byteLength;
  while (heapEnd > stackTop && heap[heapEnd - 1] === 0) heapEnd--;
  // The allocator's last chunk begins with its size, so nothing allocated lies behind the last byte that is not 0.
  const rounded = Math.min(heap.byteLength, Math.ceil((heapEnd + 16) / 4096) * 4096);
  return [
    { offset: 0, bytes: heap.slice(0, dataEnd) },
    { offset: stackTop, bytes: heap.slice(stackTop, rounded) },
  ];
}
