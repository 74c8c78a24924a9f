import { exportNames, importNames } from './engine-names.ts';

/** The engine's functions by plain names; every pointer and every value is a number. */
export type EngineFunctions = Readonly<Record<keyof typeof exportNames, (...args: number[]) => number>>;

/** What the engine asks of its host. Everything else it could ask for is refused. */
export interface EngineHost {
  /** Wall clock for the guest, milliseconds since 1970. */
  now(): number;
  /** Asked every few thousand operations; true ends the guest's code, uncatchably. */
  shouldInterrupt(): boolean;
  /** A call of the guest-visible native function `id`; returns an owned value pointer. */
  callFunction(id: number, argumentCount: number, argumentsPointer: number): number;
  /** The ceiling of linear memory right now, bytes; never more than the memory's own maximum. */
  memoryCeiling(): number;
  /** An allocation was refused: the guest met the ceiling, whatever it does about it. */
  onRefusedGrowth(): void;
}

/** One instance of the engine over its own linear memory. */
export interface Engine {
  readonly functions: EngineFunctions;
  /** The bytes of linear memory; fetched anew after every call into the engine, since growth replaces them. */
  heap(): Uint8Array;
}

/** Linear memory comes in pages of 64 KiB. */
export const pageBytes = 65_536;
/** The build asks for 256 pages at start: about 5 MiB of C stack, its data, and room for the heap. */
export const initialPages = 256;

/** Instantiates the compiled engine; throws what WebAssembly throws. */
export function createEngine(module: WebAssembly.Module, maximumBytes: number, host: EngineHost): Engine {
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum: Math.ceil(maximumBytes / pageBytes) });
  let bytes = new Uint8Array(memory.buffer);
  const heap = (): Uint8Array => {
    if (bytes.byteLength === 0) bytes = new Uint8Array(memory.buffer);
    return bytes;
  };
  const instance = new WebAssembly.Instance(module, { a: engineImports(memory, heap, host) });
  return { functions: namedFunctions(instance.exports), heap };
}

function namedFunctions(exports: WebAssembly.Exports): EngineFunctions {
  // The names are compared with the build's own loader in engine-names.test.ts.
  return Object.fromEntries(
    Object.entries(exportNames).map(([name, minified]) => [name, exports[minified]]),
  ) as unknown as EngineFunctions;
}

function engineImports(
  memory: WebAssembly.Memory,
  heap: () => Uint8Array,
  host: EngineHost,
): WebAssembly.ModuleImports {
  const view = (): DataView => new DataView(heap().buffer);
  const imports: Record<keyof typeof importNames, WebAssembly.ImportValue> = {
    memory,
    now: () => host.now(),
    shouldInterrupt: () => (host.shouldInterrupt() ? 1 : 0),
    // Context, this, argument count, arguments, number of the function.
    callFunction: (...[, , count, pointer, id]: [number, number, number, number, number]) =>
      host.callFunction(id, count, pointer),
    resizeHeap: (requested: number) => (growTo(memory, requested >>> 0, host) ? 1 : 0),
    // The guest lives in UTC: `struct tm` from the days since 1970, offset and daylight saving zero.
    localTime: (seconds: bigint, pointer: number) => writeUtcTime(view(), Number(seconds), pointer),
    setTimeZone: (offset: number, daylight: number, standardName: number, daylightName: number) => {
      view().setInt32(offset, 0, true);
      view().setInt32(daylight, 0, true);
      for (const name of [standardName, daylightName]) heap().set([0x55, 0x54, 0x43, 0], name);
    },
    // No environment, no descriptors, no modules, no timers.
    environmentSizes: (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environmentGet: () => 0,
    writeDescriptor: () => badDescriptor,
    closeDescriptor: () => badDescriptor,
    seekDescriptor: () => badDescriptor,
    loadModule: () => 0,
    normalizeModule: () => 0,
    setTimer: () => 0,
    runtimeKeepaliveClear: () => {},
    freeHostRef: () => {},
    assertFailed: () => stopEngine('assertion failed'),
    abort: () => stopEngine('abort'),
    exit: (status: number) => stopEngine(`exit ${status}`),
  };
  return Object.fromEntries(
    Object.entries(importNames).map(([name, minified]) => [minified, imports[name as keyof typeof importNames]]),
  ); // keys of that very table
}

// WASI's errno for "bad file descriptor".
const badDescriptor = 8;

function stopEngine(why: string): never {
  throw new Error(`the engine stopped itself: ${why}`);
}

// Asks for a fifth more than needed, so that a growing heap does not ask at every allocation.
function growTo(memory: WebAssembly.Memory, requested: number, host: EngineHost): boolean {
  const ceiling = host.memoryCeiling();
  const granted =
    requested <= ceiling && (grow(memory, Math.min(ceiling, Math.ceil(requested * 1.2))) || grow(memory, requested));
  if (!granted) host.onRefusedGrowth();
  return granted;
}

function grow(memory: WebAssembly.Memory, bytes: number): boolean {
  try {
    memory.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / pageBytes)));
    return true;
  } catch {
    return false;
  }
}

function writeUtcTime(view: DataView, seconds: number, pointer: number): void {
  const date = new Date(seconds * 1000);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const startOfYear = new Date(date).setUTCMonth(0, 1);
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear() - 1900,
    date.getUTCDay(),
    Math.round((date.getTime() - startOfYear) / 86_400_000),
    0, // tm_isdst
    0, // tm_gmtoff
  ];
  fields.forEach((value, index) => {
    view.setInt32(pointer + index * 4, value, true);
  });
}
