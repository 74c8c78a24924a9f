import { isBuiltin } from 'node:module';
import { defineConfig, type UserConfig } from 'tsdown';

// What the bundler tells of a module: who imports it statically.
interface ChunkingContext {
  readonly getModuleInfo: (id: string) => { readonly importers: readonly string[] } | null;
}

// What the three builds share. Chunks lie flat in dist/, so that `new URL('./worker.cjs', import.meta.url)`
// is right from every one of them; names carry no hash, so that a stack trace can be read.
const shared: UserConfig = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  hash: false,
  // scripts/build.ts removes what a build did not write; an empty dist/ in between would break a running process.
  clean: false,
  dts: false,
  sourcemap: false,
  // Bundled code loads faster than packages do; amaro is one file of 3.5 MB, loaded for TypeScript programs only.
  deps: { alwaysBundle: (id) => !isBuiltin(id) && id !== 'amaro', onlyBundle: false },
  // Its main file finds its parts at run time, where no bundler sees them.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  report: false,
  checks: { pluginTimings: false },
  logLevel: 'warn',
};

// What is started by itself and often: Node takes half as long to its first line of CommonJS as of a module, since the
// loader of modules is not started at all. Such a build may import no module that exists as a module only.
const quickToStart: UserConfig = {
  ...shared,
  format: 'cjs',
  outExtensions: () => ({ js: '.cjs' }),
  // Says that modules are to be preferred.
  logLevel: 'error',
};

/** The library. */
export const libraryBuild: UserConfig = {
  ...shared,
  name: 'library',
  entry: { index: 'src/index.ts' },
  outputOptions: { chunkFileNames: 'index-[name].js' },
};

/** Its declarations, which name zod's types instead of repeating them. */
export const declarationBuild: UserConfig = {
  ...shared,
  name: 'declarations',
  entry: { index: 'src/index.ts' },
  dts: { emitDtsOnly: true },
  deps: { neverBundle: ['zod'] },
};

/** The command: what a plain run does not need stays behind dynamic imports, each its own file. */
export const commandBuild: UserConfig = {
  ...quickToStart,
  name: 'command',
  entry: { cli: 'src/cli/main.ts' },
  outputOptions: {
    chunkFileNames: 'cli-[name].cjs',
    // Left to itself the bundler makes a file of whatever two commands share, and a plain run would load twenty.
    // A thread is started from the first file; the rest of a plain run is the second.
    codeSplitting: {
      groups: [
        { name: (id, context) => (isLoadedBy('src/cli/main.ts', id, context) ? 'start' : null), priority: 2 },
        { name: (id, context) => (isLoadedBy('src/cli/command-line.ts', id, context) ? 'run' : null), priority: 1 },
      ],
    },
  },
};

/** The thread that runs guest code: one file, so that its imports can be read off and checked. */
export const workerBuild: UserConfig = {
  ...quickToStart,
  name: 'worker',
  entry: { worker: 'src/sandbox/worker.ts' },
  outputOptions: { codeSplitting: false },
};

/** The thread that erases types. */
export const stripWorkerBuild: UserConfig = {
  ...shared,
  name: 'strip-worker',
  entry: { 'strip-worker': 'src/sandbox/strip-worker.ts' },
  outputOptions: { codeSplitting: false },
};

// Whether a module comes along when that one is loaded.
function isLoadedBy(loader: string, id: string, context: ChunkingContext, seen: Set<string> = new Set()): boolean {
  if (id.endsWith(loader)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return context.getModuleInfo(id)?.importers.some((importer) => isLoadedBy(loader, importer, context, seen)) ?? false;
}

// Tsdown reads its configuration from a default export.
export default defineConfig([libraryBuild, declarationBuild, commandBuild, workerBuild, stripWorkerBuild]);
