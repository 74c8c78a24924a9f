import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type UserConfig } from 'tsdown';
import { helperNames } from '../src/contract/mode.ts';
import { buildImage } from '../src/sandbox/build-image.ts';
import { renderImage } from '../src/sandbox/image.ts';
import { commandBuild, declarationBuild, libraryBuild, stripWorkerBuild, workerBuild } from '../tsdown.config.ts';
import { checkWorkerImports } from './worker-imports.ts';

const projectDirectory = fileURLToPath(new URL('..', import.meta.url));
const outputDirectory = join(projectDirectory, 'dist');

await buildPackage();

/** Everything `dist/` holds: the three bundles, the engine, and the image of a guest before its first run. */
async function buildPackage(): Promise<void> {
  const startedAt = Date.now();
  mkdirSync(outputDirectory, { recursive: true });
  await step('worker', async () => {
    await bundle(workerBuild);
    checkWorkerImports(join(outputDirectory, 'worker.cjs'));
    await bundle(stripWorkerBuild);
  });
  await step('engine', copyEngine);
  await step('image', makeImage);
  await step('library', () => bundle(libraryBuild));
  await step('declarations', () => bundle(declarationBuild));
  await step('command', () => bundle(commandBuild));
  removeLeftovers(startedAt);
}

async function step(name: string, work: () => void | Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await work();
  console.log(`build: ${name} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

async function bundle(config: UserConfig): Promise<void> {
  await build({ ...config, config: false, cwd: projectDirectory });
}

function copyEngine(): void {
  const packageFile = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/package.json');
  copyFileSync(join(dirname(packageFile), 'dist/emscripten-module.wasm'), join(outputDirectory, 'engine.wasm'));
}

/** Boots a guest once and stores its memory: `src/sandbox/build-image.ts` → `dist/image.bin`. */
function makeImage(): void {
  const engine = new WebAssembly.Module(readFileSync(join(outputDirectory, 'engine.wasm')));
  const prelude = readFileSync(join(projectDirectory, 'src/sandbox/guest-prelude.js'), 'utf8');
  writeFileSync(join(outputDirectory, 'image.bin'), renderImage(buildImage(engine, prelude, helperNames)));
}

/** Files of an earlier build; removing them last leaves a running process its files for as long as possible. */
function removeLeftovers(startedAt: number): void {
  for (const name of readdirSync(outputDirectory)) {
    const path = join(outputDirectory, name);
    if (existsSync(path) && statSync(path).mtimeMs < startedAt - 1000) unlinkSync(path);
  }
}
