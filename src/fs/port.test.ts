import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDiskRoot } from './disk-root.ts';
import { createMemoryTree } from './memory-tree.ts';
import { describePort, type PortGround } from './testing/port-suite.ts';

describePort('the disk, by descriptor', () => onDisk(false));
describePort('the disk, by path and comparison', () => onDisk(true));
describePort('a memory tree', inMemory);

function onDisk(forceVerifiedOpen: boolean): PortGround {
  const root = mkdtempSync(join(tmpdir(), 'porthole-port-'));
  const disk = createDiskRoot({ root, forceVerifiedOpen });
  return {
    fs: disk,
    put: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    look: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
    [Symbol.dispose]: () => {
      disk.close();
      rmSync(root, { recursive: true });
    },
  };
}

function inMemory(): PortGround {
  const tree = createMemoryTree({ id: 't', quota: { treeBytes: 1000, treeNodes: 100 } });
  return {
    fs: tree,
    put: (path, text) => tree.put(path, Buffer.from(text)),
    look: (path) => {
      const bytes = tree.files().get(path);
      return bytes && Buffer.from(bytes).toString();
    },
    [Symbol.dispose]: () => undefined,
  };
}
