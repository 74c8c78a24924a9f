import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { helperNames } from '../../contract/mode.ts';
import { buildImage } from '../build-image.ts';
import { type Image, renderImage } from '../image.ts';
import type { SandboxFiles } from '../worker-channel.ts';

const packageFile = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/package.json');

/** The engine as its package ships it. */
export const engineModule = new WebAssembly.Module(
  readFileSync(new URL('dist/emscripten-module.wasm', pathToFileURL(packageFile))),
);

/** The build's own loader, with which our reading of it is compared. */
export const engineLoaderUrl = new URL('dist/emscripten-module.browser.mjs', pathToFileURL(packageFile));

/** The prelude as it stands in the source tree. */
export const preludeSource = readFileSync(new URL('../guest-prelude.js', import.meta.url), 'utf8');

/** An image of this very tree, not of the last build. */
export const image: Image = buildImage(engineModule, preludeSource, helperNames);

let files: Promise<SandboxFiles> | undefined;

/** A worker, engine and image of this very tree; bundled once per test process. */
export function sandboxFiles(): Promise<SandboxFiles> {
  files ??= bundleWorker();
  return files;
}

/** The built entry of the thread that erases types; it needs the packages beside it, so it stays where it was built. */
export const stripWorkerUrl = new URL('../../../dist/strip-worker.js', import.meta.url);

async function bundleWorker(): Promise<SandboxFiles> {
  const outDir = mkdtempSync(join(tmpdir(), 'porthole-worker-'));
  process.on('exit', () => rmSync(outDir, { recursive: true, force: true }));
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  // Loaded only where threads are wanted: it takes a second.
  const { build } = await import('tsdown');
  const { workerBuild } = await import('../../../tsdown.config.ts');
  await build({ ...workerBuild, config: false, cwd, outDir });
  const bytes = renderImage(image);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { workerUrl: pathToFileURL(join(outDir, 'worker.cjs')), stripWorkerUrl, engine: engineModule, image: shared };
}
