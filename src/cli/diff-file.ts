import { basename, dirname } from 'node:path';
import { createDiskRoot } from '../fs/disk-root.ts';
import { encodeUtf8 } from '../text/utf8.ts';
import type { DiffFile } from './staged-flags.ts';

/** Writes the changes to the file that was named, whole or not at all. @throws PortholeError */
export function writeDiffFile({ path }: DiffFile, text: string): void {
  const root = createDiskRoot({ root: dirname(path) });
  try {
    const target = root.openForWriting(root.parsePath(`./${basename(path)}`, 'write'));
    try {
      target.replace(encodeUtf8(text));
    } finally {
      target.close();
    }
  } finally {
    root.close();
  }
}
