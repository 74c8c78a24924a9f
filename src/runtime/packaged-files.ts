import { setFlagsFromString } from 'node:v8';
import { PortholeError } from '../contract/errors.ts';
import { readOperatorFileUnchecked } from '../fs/operator-file.ts';
import type { SandboxFiles } from '../sandbox/worker-channel.ts';

/** How the engine is compiled. */
export interface EngineOptions {
  /** The process ends after a run or two: hot engine code is not optimised, since the exit would wait for it. */
  readonly isShortLived?: boolean;
}

/**
 * The package's own files; the engine compiles while the first thread starts.
 * @throws PortholeError `RUNTIME_UNAVAILABLE` where one of them cannot be read: here, or when the engine is awaited
 */
export function loadPackagedFiles(options: EngineOptions = {}): SandboxFiles {
  const image = share(readPackagedFile('image.bin'));
  // Later, so that a thread that is started now is on its way before this thread has work to do.
  const engine = Promise.resolve().then(() => compileEngine(readPackagedFile('engine.wasm'), options));
  const stripWorkerUrl = packagedFile('strip-worker.js');
  return { workerUrl: packagedFile('worker.cjs'), stripWorkerUrl, engine, image };
}

function readPackagedFile(name: string): Uint8Array {
  try {
    return readOperatorFileUnchecked(packagedFile(name));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PortholeError('RUNTIME_UNAVAILABLE', `Cannot start the sandbox: ${reason}`, { cause });
  }
}

/** Where a file of the built package lies, seen from the bundle in `dist/` or from this source file. */
export function packagedFile(name: string): URL {
  return new URL(import.meta.url.endsWith('.ts') ? `../../dist/${name}` : `./${name}`, import.meta.url);
}

async function compileEngine(bytes: Uint8Array, { isShortLived = false }: EngineOptions): Promise<WebAssembly.Module> {
  const budget = isShortLived ? tieringBudgets.get(process.versions.v8.split('.', 2).join('.')) : undefined;
  if (budget === undefined) return WebAssembly.compile(bytes);
  setFlagsFromString(`--wasm-tiering-budget=${neverTierUp}`);
  try {
    return await WebAssembly.compile(bytes);
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${budget}`);
  }
}

// V8's own value by its version, to set it back: with any other value, V8 refuses the code cache of Node's built-in
// modules, which costs more than is won. A version that is not listed is left alone.
const tieringBudgets: ReadonlyMap<string, number> = new Map([['11.3', 1_800_000]]);

// More than any short program spends.
const neverTierUp = 2_000_000_000;

// Shared by all threads instead of copied into each.
function share(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
