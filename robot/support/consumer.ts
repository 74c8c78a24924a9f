import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { type Ended, projectFolder, runToEnd, type StartOptions } from './command.ts';
import type { TempFolder } from './temp-folder.ts';

/** A project of its own that has the packed package installed, as a user's would. */
export interface Consumer {
  readonly path: string;
  /** Type-checks and compiles TypeScript files of the project; answers what the compiler says. */
  readonly compile: (files: Readonly<Record<string, string>>) => Promise<string>;
  /** Runs one of its files with Node. */
  readonly node: (file: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  /** Runs the command that npm linked. */
  readonly command: (...args: readonly string[]) => Promise<Ended>;
}

/** Packs the package and installs it into a new project. */
export async function createConsumer(folder: TempFolder): Promise<Consumer> {
  const path = join(folder.path, 'app');
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
  const packed = await execa('npm', pack, { cwd: projectFolder });
  const [{ filename }] = JSON.parse(packed.stdout);
  const local = dependenciesOf(projectFolder).map((name) => [name, `file:${installed(name)}`]);
  const manifest = { private: true, type: 'module', dependencies: Object.fromEntries(local) };
  manifest.dependencies.porthole = `file:../${filename}`;
  folder.write('app/package.json', JSON.stringify(manifest));
  const install = ['install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund'];
  await execa('npm', install, { cwd: path });
  cpSync(join(projectFolder, 'examples'), join(path, 'examples'), { recursive: true });
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(typeScriptConfig));
  const run = (file: string, args: readonly string[], env: StartOptions['env'] = {}) =>
    runToEnd(file, args, { cwd: path, env });
  return {
    path,
    compile: async (files) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
      const compiler = join(projectFolder, 'node_modules/typescript/lib/tsc.js');
      return (await run(process.execPath, [compiler, '-p', '.'])).stdout;
    },
    node: (file, env) => run(process.execPath, [file], env),
    command: (...args) => run(join(path, 'node_modules/.bin/porthole'), args),
  };
}

// What the package depends on, directly or not. It comes from this project's own node_modules: no registry is asked.
function dependenciesOf(directory: string, found: Set<string> = new Set()): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue;
    found.add(name);
    dependenciesOf(installed(name), found);
  }
  return [...found];
}

function installed(name: string): string {
  return join(projectFolder, 'node_modules', name);
}

const typeScriptConfig = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    // The declarations of the package are under test as well.
    skipLibCheck: false,
    typeRoots: [join(projectFolder, 'node_modules/@types')],
    types: ['node'],
  },
  include: ['*.ts'],
};

/** The library examples of the README, each with what it is shown to print. */
export function readmeExamples(): readonly (readonly [code: string, shown: string])[] {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
  return Array.from(
    readme.matchAll(/^```ts\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```)?/gm),
    ([, code = '', shown = '']) => [code, shown],
  );
}
