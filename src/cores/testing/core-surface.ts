import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createDiskRoot, type DiskRootOptions } from '../../fs/disk-root.ts';
import { createMemoryTree } from '../../fs/memory-tree.ts';
import type { CreateSurface } from '../../fs/testing/containment-driver.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { readFile } from '../read-file.ts';
import { createWindowCursors } from '../window-cursors.ts';
import { planWrite, writeFile } from '../write-file.ts';

const maxBytes = 16 * 1024 * 1024;

/** What the cores need besides files. */
export function corePowers() {
  return {
    digest: (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    maxReadBytes: maxBytes,
    maxWriteBytes: maxBytes,
    cursors: createWindowCursors(),
  };
}

/** What a surface of the cores is made of; other builds of the same modules can be put in. */
export const coreModules = { createDiskRoot, readFile, planWrite, writeFile };

/** See {@link coreModules}. */
export type CoreModules = typeof coreModules;

/** The cores on a disk root, as a surface. */
export function coresOnDisk(options: Partial<DiskRootOptions> = {}, modules = coreModules): CreateSurface {
  return (ground) => {
    const disk = modules.createDiskRoot({ ...ground, ...options });
    const powers = corePowers();
    return {
      read: ({ max_chars: maxChars, ...input }) =>
        decodeUtf8(modules.readFile(disk, { ...input, maxChars }, powers).bytes),
      write: (input) => modules.writeFile(disk, input, powers),
      close: disk.close,
    };
  };
}

/** The cores on a memory tree that holds what stands below the ground's root. */
export function coresInMemory(): CreateSurface {
  return ({ root }) => {
    const tree = createMemoryTree({ id: 't', quota: { treeBytes: maxBytes, treeNodes: 1000 } });
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (statSync(join(root, name)).isFile()) tree.put(`./${name}`, readFileSync(join(root, name)));
    }
    const powers = corePowers();
    return {
      read: ({ max_chars: maxChars, ...input }) => decodeUtf8(readFile(tree, { ...input, maxChars }, powers).bytes),
      write: (input) => writeFile(tree, input, powers),
      close: () => undefined,
    };
  };
}
