import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { mustEqual } from './measure.ts';

/** The system calls of a durable replacement and nothing else: the floor of whatever writes safely. */
export function createDurableWrite(directory: string, name: string): (bytes: Uint8Array) => void {
  const target = join(directory, name);
  const temporary = join(directory, `.${name}.tmp`);
  return (bytes) => {
    const file = openSync(temporary, 'wx', 0o600);
    mustEqual(writeSync(file, bytes), bytes.length);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, target);
    const parent = openSync(directory, 'r');
    fsyncSync(parent);
    closeSync(parent);
  };
}
