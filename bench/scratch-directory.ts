import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Beside the peers, not in the system's temporary directory: that is often memory, where syncing costs nothing.
const parent = fileURLToPath(new URL('./node_modules/.cache', import.meta.url));

/** A directory on the disk, for the time of `use`. */
export function withScratchDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  mkdirSync(parent, { recursive: true });
  return withDirectoryIn(parent, use);
}

/** A directory in memory where the system has such a place, else in the system's temporary directory. */
export function withMemoryDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  return withDirectoryIn(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), use);
}

async function withDirectoryIn<T>(place: string, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(place, 'porthole-bench-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
