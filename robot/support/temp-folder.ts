import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A temporary folder with a root in it and a place beside the root. */
export interface TempFolder {
  readonly path: string;
  readonly root: string;
  readonly outside: string;
  /** Writes a file, paths relative to the folder; its directories are made. */
  readonly write: (path: string, content: string | Uint8Array) => string;
  readonly link: (path: string, target: string) => void;
  readonly read: (path: string) => string;
  readonly bytes: (path: string) => Buffer;
  /** Changes with every replacement of the file. */
  readonly inode: (path: string) => number;
  readonly exists: (path: string) => boolean;
  /** Names in a directory, sorted. */
  readonly list: (path: string) => readonly string[];
}

/** Makes a folder that is gone when the test is, or whatever else ends. */
export function createFolder(onEnd: (remove: () => void) => void = onTestFinished): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-robot-')));
  onEnd(() => rmSync(path, { recursive: true, force: true }));
  const at = (name: string) => join(path, name);
  for (const name of ['root', 'outside']) mkdirSync(at(name));
  return {
    path,
    root: at('root'),
    outside: at('outside'),
    write: (name, content) => {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), content);
      return at(name);
    },
    link: (name, target) => symlinkSync(target, at(name)),
    read: (name) => readFileSync(at(name), 'utf8'),
    bytes: (name) => readFileSync(at(name)),
    inode: (name) => statSync(at(name)).ino,
    exists: (name) => existsSync(at(name)),
    list: (name) => readdirSync(at(name)).sort(),
  };
}
