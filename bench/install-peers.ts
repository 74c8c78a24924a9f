import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs what `bench/package.json` names, once. One of the packages is compiled here, which takes minutes. */
export function installPeers(): void {
  if (areInstalled()) return;
  console.error('bench: installing the packages of bench/package.json; isolated-vm is compiled, about 2 minutes …');
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const { status, error } = spawnSync('npm', ['ci'], { cwd: directory, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    throw new Error('Cannot install the packages of bench/package.json; isolated-vm needs a C++ compiler and Python', {
      cause: error,
    });
  }
}

function areInstalled(): boolean {
  // Written by npm when everything, compiled parts included, is in place.
  if (!existsSync(inThisFolder('node_modules/.package-lock.json'))) return false;
  const { dependencies } = readJson('package.json');
  return Object.entries(dependencies ?? {}).every(([name, version]) => {
    const path = `node_modules/${name}/package.json`;
    return existsSync(inThisFolder(path)) && readJson(path).version === version;
  });
}

interface PackageFile {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readJson(path: string): PackageFile {
  return JSON.parse(readFileSync(inThisFolder(path), 'utf8')) as PackageFile; // a package file, ours or npm's
}

function inThisFolder(path: string): URL {
  return new URL(path, import.meta.url);
}
