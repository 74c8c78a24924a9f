import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PortholeError } from '../contract/errors.ts';
import { isErrno } from './errno.ts';
import { takeLock } from './lock-file.ts';
import { makePrivateDirectory } from './private-directory.ts';

/** A small JSON file of Porthole's own: private, replaced whole, changed by one process at a time. */
export interface StateFile {
  /** What it holds; undefined when there is none yet. */
  readonly read: () => unknown;
  /** Replaces what it holds by what the change makes of it, under the lock. */
  readonly update: <Result>(change: (value: unknown) => { value: unknown; result: Result }) => Promise<Result>;
}

// An update takes a few milliseconds, so whoever waits this long waits for something else.
const maxWaitMs = 2_000;
const retryMs = 20;

/** Opens the state file at a path; its directory is made when it is first written. */
export function openStateFile(path: string): StateFile {
  return {
    read: () => readStateFile(path),
    update: async (change) => {
      makePrivateDirectory(dirname(path));
      const lock = await waitForLock(`${path}.lock`);
      try {
        const { value, result } = change(readStateFile(path));
        replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
        return result;
      } finally {
        lock.release();
      }
    },
  };
}

// What others could have written is not believed: a grant in it would answer questions.
function readStateFile(path: string): unknown {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw failed(path, error);
  }
  try {
    const { uid, mode, isFile } = describeFile(descriptor);
    if (!isFile) throw new Error('it is not a regular file');
    if (process.getuid !== undefined && uid !== process.getuid()) throw new Error('it belongs to somebody else');
    if ((mode & 0o022) !== 0) throw new Error('others may write it');
    return JSON.parse(readFileSync(descriptor, 'utf8'));
  } catch (error) {
    throw failed(path, error);
  } finally {
    closeSync(descriptor);
  }
}

function describeFile(descriptor: number): { uid: number; mode: number; isFile: boolean } {
  const stat = fstatSync(descriptor);
  return { uid: stat.uid, mode: stat.mode, isFile: stat.isFile() };
}

function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
    renameSync(draft, path);
  } catch (error) {
    unlinkSync(draft);
    throw failed(path, error);
  } finally {
    closeSync(descriptor);
  }
}

async function waitForLock(path: string): Promise<{ release: () => void }> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    const lock = takeLock(path);
    if (!('heldBy' in lock)) return lock;
    if (waitedMs >= maxWaitMs) throw failed(path, new Error(`it is held by ${lock.heldBy}`));
    await delay(retryMs);
  }
}

function failed(path: string, error: unknown): PortholeError {
  const why = error instanceof Error ? error.message : String(error);
  return new PortholeError('IO_FAILED', `Cannot use "${path}": ${why}`, { cause: error, hint: 'Look at that file.' });
}
