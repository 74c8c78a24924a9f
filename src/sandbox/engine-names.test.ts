import { describe, expect, it } from 'vitest';
import { exportNames, importNames } from './engine-names.ts';
import { engineLoaderUrl, engineModule } from './testing/sandbox-files.ts';

// What the build's own loader calls each export; the five that it does not show are found by what they do.
const loaderNames: Readonly<Record<Exclude<keyof typeof exportNames, UnnamedExport>, string>> = {
  malloc: '_malloc',
  free: '_free',
  setMaxStackSize: '_QTS_RuntimeSetMaxStackSize',
  getUndefined: '_QTS_GetUndefined',
  newRuntime: '_QTS_NewRuntime',
  newContext: '_QTS_NewContext',
  freeValue: '_QTS_FreeValuePointer',
  newArrayBuffer: '_QTS_NewArrayBuffer',
  newFloat64: '_QTS_NewFloat64',
  getFloat64: '_QTS_GetFloat64',
  getArrayBuffer: '_QTS_GetArrayBuffer',
  getArrayBufferLength: '_QTS_GetArrayBufferLength',
  isJobPending: '_QTS_IsJobPending',
  executePendingJob: '_QTS_ExecutePendingJob',
  getPropNumber: '_QTS_GetPropNumber',
  call: '_QTS_Call',
  resolveException: '_QTS_ResolveException',
  evaluate: '_QTS_Eval',
  promiseState: '_QTS_PromiseState',
  promiseResult: '_QTS_PromiseResult',
  newFunction: '_QTS_NewFunction',
  getArgument: '_QTS_ArgvGetJSValueConstPointer',
  enableInterruptHandler: '_QTS_RuntimeEnableInterruptHandler',
  encode: '_QTS_bjson_encode',
  decode: '_QTS_bjson_decode',
};
type UnnamedExport = 'initialize' | 'stackRestore' | 'stackPointer';

interface Loader {
  readonly names: Readonly<Record<string, unknown>>;
  readonly exports: WebAssembly.Exports;
  readonly imports: Readonly<Record<string, (...args: unknown[]) => unknown>>;
  readonly memory: WebAssembly.Memory;
  /** Calls of the loader's own callbacks, by name. */
  readonly called: readonly string[];
}

const loader = await load();

describe('exportNames', () => {
  it.each(Object.entries(loaderNames))('%s is the function that the loader calls %s', (name, loaderName) => {
    const minified = exportNames[name as keyof typeof exportNames]; // a key of that very table
    expect(loader.exports[minified]).toBeTypeOf('function');
    expect(loader.exports[minified]).toBe(loader.names[loaderName]);
  });

  it('stackPointer and stackRestore read and set the C stack pointer', () => {
    const pointer = exportOf('stackPointer');
    const before = pointer();
    exportOf('stackRestore')(before - 64);
    expect(pointer()).toBe(before - 64);
    exportOf('stackRestore')(before);
    expect(pointer()).toBe(before);
  });

  it('initialize is the one function the loader calls before it is ready', () => {
    expect(exportNames.initialize).toBe(loader.names['initializedBy']);
  });
});

describe('importNames', () => {
  it('lists every import of the build, with the memory as the only one that is no function', () => {
    const imports = WebAssembly.Module.imports(engineModule);
    expect(imports.map(({ name }) => name).sort()).toEqual(Object.values(importNames).sort());
    expect(imports.every(({ module }) => module === 'a')).toBe(true);
    expect(imports.filter(({ kind }) => kind !== 'function').map(({ name }) => name)).toEqual([importNames.memory]);
  });

  it.each([
    ['shouldInterrupt', 'shouldInterrupt'],
    ['callFunction', 'callFunction'],
    ['freeHostRef', 'freeHostRef'],
    ['loadModule', 'loadModuleSource'],
    ['normalizeModule', 'normalizeModule'],
  ] as const)('%s is where the loader asks its callback %s', (name, callback) => {
    const before = loader.called.length;
    importOf(name)(0, 0, 0, 0, 0);
    expect(loader.called.slice(before)).toEqual([callback]);
  });

  it('now is the wall clock', () => {
    expect(Math.abs(Number(importOf('now')()) - Date.now())).toBeLessThan(1000);
  });

  it('resizeHeap grows the memory to at least that many bytes', () => {
    const asked = loader.memory.buffer.byteLength + 1;
    expect(importOf('resizeHeap')(asked)).toBe(true);
    expect(loader.memory.buffer.byteLength).toBeGreaterThanOrEqual(asked);
  });

  it('localTime writes the fields of the local time', () => {
    importOf('localTime')(86_400n * 366n, scratch);
    const year = new DataView(loader.memory.buffer).getInt32(scratch + 20, true);
    expect(year).toBe(71);
  });

  it('setTimeZone writes the names of the zone', () => {
    importOf('setTimeZone')(scratch, scratch + 4, scratch + 8, scratch + 32);
    expect(textAt(scratch + 8)).toMatch(/^UTC[+-]\d{4}$/);
  });

  it('environmentSizes counts as many variables as environmentGet writes', () => {
    importOf('environmentSizes')(scratch, scratch + 4);
    const count = new DataView(loader.memory.buffer).getUint32(scratch, true);
    expect(count).toBeGreaterThan(5);
    importOf('environmentGet')(scratch, scratch + 64);
    const first = new DataView(loader.memory.buffer).getUint32(scratch, true);
    expect(textAt(first)).toMatch(/^[A-Z_]+=/);
  });

  it('closeDescriptor and seekDescriptor answer as the loader stubs them', () => {
    expect(importOf('closeDescriptor')()).toBe(52);
    expect(importOf('seekDescriptor')()).toBe(70);
  });

  it('writeDescriptor reports the bytes it was given', () => {
    expect(importOf('writeDescriptor')(1, scratch, 0, scratch + 16)).toBe(0);
    expect(new DataView(loader.memory.buffer).getUint32(scratch + 16, true)).toBe(0);
  });

  it('setTimer and runtimeKeepaliveClear have no effect when nothing is timed', () => {
    expect(importOf('setTimer')(0, 0)).toBe(0);
    expect(importOf('runtimeKeepaliveClear')()).toBeUndefined();
  });

  it('abort, assertFailed and exit end the engine', () => {
    expect(() => importOf('exit')(3)).toThrow(expect.objectContaining({ status: 3 }));
    expect(() => importOf('abort')()).toThrow('Aborted()');
    expect(() => importOf('assertFailed')(scratch, 0, 0, 0)).toThrow('Assertion failed');
  });
});

// Some bytes of the C stack's far end, which nothing uses here.
const scratch = 1024 * 1024;

function exportOf(name: keyof typeof exportNames): (...args: number[]) => number {
  const found = loader.exports[exportNames[name]];
  if (found === undefined) throw new Error(`the build exports no ${name}`);
  return found;
}

function importOf(name: keyof typeof importNames): (...args: unknown[]) => unknown {
  const found = loader.imports[importNames[name]];
  if (found === undefined) throw new Error(`the build imports no ${name}`);
  return found;
}

function textAt(address: number): string {
  const bytes = new Uint8Array(loader.memory.buffer, address, 64);
  return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
}

async function load(): Promise<Loader> {
  const { default: start } = (await import(engineLoaderUrl.href)) as {
    readonly default: (settings: object) => Promise<Record<string, unknown>>;
  }; // the loader ships no declarations
  const called: string[] = [];
  const callbacks = ['shouldInterrupt', 'callFunction', 'freeHostRef', 'loadModuleSource', 'normalizeModule'];
  const initializers: string[] = [];
  let exports: WebAssembly.Exports = {};
  let imports: Loader['imports'] = {};
  const memory = new WebAssembly.Memory({ initial: 256, maximum: 1024 });
  const names = await start({
    wasmMemory: memory,
    printErr: () => {},
    callbacks: Object.fromEntries(callbacks.map((name) => [name, () => called.push(name)])),
    instantiateWasm: (given: WebAssembly.Imports, ready: (instance: { readonly exports: object }) => void) => {
      imports = given['a'] as unknown as Loader['imports']; // all but the memory are functions
      exports = watchCalls(new WebAssembly.Instance(engineModule, given).exports, initializers);
      ready({ exports });
    },
  });
  return { names: { ...names, initializedBy: initializers.join() }, exports, imports, memory, called };
}

// The same functions under the same names; each notes its calls.
function watchCalls(exports: WebAssembly.Exports, calls: string[]): WebAssembly.Exports {
  const watched = Object.entries(exports).map(([name, call]) => {
    const watch = (...args: number[]): unknown => {
      calls.push(name);
      return call?.(...args);
    };
    return [name, typeof call === 'function' ? watch : call];
  });
  return Object.fromEntries(watched) as WebAssembly.Exports; // the same shape
}
