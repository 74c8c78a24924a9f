import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage as checkTypes, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

// What a module-only package cannot offer: resolution without "exports", and require().
const notOffered = ['node10', 'node16-cjs'];
const needed = [
  'package.json',
  'LICENSE',
  'README.md',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/cli.cjs',
  'dist/worker.cjs',
];

await checkPackage();

/** Packs the project as npm would and judges the result: its files, its manifest, its types. */
async function checkPackage(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'porthole-package-'));
  try {
    const { filename, files } = pack(place);
    const tarball = readFileSync(join(place, filename));
    const problems = [
      ...[...needed, 'dist/engine.wasm', 'dist/image.bin']
        .filter((name) => !files.includes(name))
        .map((name) => `${name} is missing`),
      ...files.filter((name) => /\.test\.|\.map$|^src\//.test(name)).map((name) => `${name} has no place in it`),
      ...(await findManifestProblems(tarball)),
      ...(await findTypeProblems(tarball)),
    ];
    console.log(`${files.length} files, ${tarball.byteLength} bytes packed`);
    for (const problem of problems) console.log(`Cannot accept the package: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    rmSync(place, { recursive: true });
  }
}

function pack(place: string): { readonly filename: string; readonly files: readonly string[] } {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', place];
  const output = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  // What npm 10 and 11 print: a list with one entry per package.
  const [entry] = JSON.parse(output) as [{ filename: string; files: { path: string }[] }];
  return { filename: entry.filename, files: entry.files.map((file) => file.path) };
}

async function findManifestProblems(tarball: Buffer): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function findTypeProblems(tarball: Buffer): Promise<readonly string[]> {
  const analysis = await checkTypes(createPackageFromTarballData(tarball));
  if (!analysis.types) return ['it has no types'];
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && notOffered.includes(problem.resolutionKind)))
    .map((problem) => `types: ${problem.kind}`);
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
