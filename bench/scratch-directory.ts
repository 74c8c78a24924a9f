import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Beside the peers, not in the system's temporary directory: that is often memory, where syncing costs nothing.
const parent = fileURLToPath(new URL('./node_modules/.cache', import.meta.url));

/** A directory on the disk, for the time of `use`. */
export async function withScratchDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  mkdirSync(parent, { recursive: true });
  const directory = mkdtempSync(join(parent, 'porthole-bench-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
