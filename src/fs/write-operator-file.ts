import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file that the operator named, whole or not at all: outside every sandbox root, not confined. */
export function writeOperatorFileUnchecked(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
