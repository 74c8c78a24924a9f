import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

/** A change to one source file, by its text. */
export interface Patch {
  /** Relative to `src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The sources of the file layer as JavaScript, for processes that cannot read TypeScript and for changed copies. */
export interface TranspiledSources extends Disposable {
  /** The address of a module, named by its source file relative to `src/`. */
  readonly urlOf: (file: string) => string;
}

const source = fileURLToPath(new URL('../../', import.meta.url));
const foldersOfCores = ['contract', 'text', 'fs', 'cores'] as const;

/**
 * Writes folders to a temporary directory, those up to the cores by default, one of the files changed if asked for.
 * @throws Error if the text to be changed is not there exactly once: a mutant that changes nothing proves nothing
 */
export function transpileSources(patch?: Patch, folders: readonly string[] = foldersOfCores): TranspiledSources {
  const base = mkdtempSync(join(tmpdir(), 'porthole-transpiled-'));
  // Vitest leaves what lies in a folder of this name alone instead of transforming it once more.
  const target = join(base, 'node_modules');
  mkdirSync(target);
  writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
  for (const file of folders.flatMap(sourcesIn)) {
    const path = join(target, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, patch?.file === file ? transpile(apply(patch)) : transpileOnce(file));
  }
  return {
    urlOf: (file) => pathToFileURL(join(target, file.replace(/\.ts$/, '.js'))).href,
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(source, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}

function apply({ file, from, to }: Patch): string {
  const [before, after, ...more] = readFileSync(join(source, file), 'utf8').split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} does not hold exactly once: ${from}`);
  }
  return before + to + after;
}

const done = new Map<string, string>();

function transpileOnce(file: string): string {
  const known = done.get(file) ?? transpile(readFileSync(join(source, file), 'utf8'));
  done.set(file, known);
  return known;
}

function transpile(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  return outputText;
}
