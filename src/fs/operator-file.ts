import { existsSync, readFileSync } from 'node:fs';

/** Reads a file that the operator named, or one of the package's own: outside every sandbox root, not confined. */
export function readOperatorFileUnchecked(path: string | URL): Uint8Array {
  return readFileSync(path);
}

/** Whether there is anything at a path of the operator's. */
export function operatorPathExists(path: string): boolean {
  return existsSync(path);
}
