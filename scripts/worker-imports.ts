import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The only built-in modules the thread that runs guest code may load: neither gives access to anything. */
const workerBuiltins: readonly string[] = ['node:worker_threads', 'node:buffer'];

/** Ways to get at a module without an import statement. */
const loaders = ['getBuiltinModule', 'createRequire', 'process.binding', 'process.dlopen', 'mainModule'] as const;

/**
 * Throws unless the built worker is one self-contained file without a door to the host.
 * The architecture rests on this: a guest that broke out of the engine would still find nothing to call.
 */
export function checkWorkerImports(path: string): void {
  const problems = findWorkerProblems(readFileSync(path, 'utf8'));
  if (problems.length > 0) throw new Error(`Cannot accept ${path}: it uses ${problems.join(', ')}`);
}

/** What a worker's built text loads beyond {@link workerBuiltins}. */
export function findWorkerProblems(source: string): readonly string[] {
  const imported = ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
  const computed = /\b(?:import|require)\s*\(\s*(?!['"])/.test(source) ? ['a computed import'] : [];
  return [
    ...imported.filter((name) => !workerBuiltins.includes(name)),
    ...loaders.filter((loader) => source.includes(loader)),
    ...computed,
  ];
}
