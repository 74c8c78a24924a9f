import { chmodSync, mkdirSync } from 'node:fs';

/** Makes a directory that only its owner can enter. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
}
