import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JudgedTarget } from '../../calls/judged-target.ts';
import { createWindowCursors } from '../../cores/window-cursors.ts';
import { createDiskRoot } from '../../fs/disk-root.ts';

/** A root in a temporary directory, and what calls need. */
export interface ToolGround extends Disposable {
  readonly target: JudgedTarget;
  readonly put: (name: string, content: string | Uint8Array) => void;
  readonly get: (name: string) => string;
}

/** The smallest of real grounds: a digest that can be read, limits that can be met. */
export function createToolGround(): ToolGround {
  const directory = mkdtempSync(join(tmpdir(), 'porthole-tools-'));
  const fs = createDiskRoot({ root: directory, protectedPaths: [join(directory, 'own.txt')] });
  const powers = {
    digest: digestForTests,
    maxReadBytes: 1024 * 1024,
    maxWriteBytes: 1024 * 1024,
    cursors: createWindowCursors(),
    lineCursors: createWindowCursors(),
  };
  return {
    target: { fs, powers },
    put: (name, content) => writeFileSync(join(directory, name), content),
    get: (name) => readFileSync(join(directory, name), 'utf8'),
    [Symbol.dispose]: () => {
      fs.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A digest of the right form that tells lengths and first bytes apart. */
export function digestForTests(bytes: Uint8Array): string {
  return `sha256:${Buffer.from(bytes).toString('hex').slice(0, 56).padEnd(56, '0')}${bytes.length.toString(16).padStart(8, '0')}`;
}
