import { statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isErrno } from './errno.ts';
import { takeLock } from './lock-file.ts';
import { logFileNames } from './log-files.ts';
import { namesIn } from './operator-paths.ts';

/** Which logs of a directory stay. */
export interface LogsToKeep {
  /** So many of the newest, by name. */
  readonly newest: number;
  /** Those last written after this moment, in milliseconds since 1970. */
  readonly writtenAfterMs: number;
  /** At most so many are removed at once: nobody waits long for it. */
  readonly mostRemoved: number;
}

/**
 * Removes the logs of a directory that nothing keeps, oldest first, each with its older files, and never one that is
 * being written. What cannot be removed stays: a log is not refused because an old one is in the way.
 */
export function pruneLogs(directory: string, { newest, writtenAfterMs, mostRemoved }: LogsToKeep): void {
  const logs = tryList(directory);
  const beyond = logs.slice(0, Math.max(0, logs.length - newest));
  let removed = 0;
  for (const name of beyond) {
    if (removed === mostRemoved) return;
    if (tryRemove(join(directory, name), writtenAfterMs)) removed++;
  }
}

/** The names of the logs in a directory, oldest first, without the files they were rotated into. */
export function listLogNames(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
}

function tryList(directory: string): readonly string[] {
  try {
    return listLogNames(directory);
  } catch {
    return [];
  }
}

function tryRemove(path: string, writtenAfterMs: number): boolean {
  try {
    if (statSync(path).mtimeMs > writtenAfterMs) return false;
    // Whoever writes it holds its lock; a lock whose process is gone does not count.
    const lock = takeLock(`${path}.lock`);
    if ('heldBy' in lock) return false;
    try {
      // Oldest first: what is left of a log that is half removed shows that its beginning is gone.
      for (const file of logFileNames(path)) removeIfThere(file);
      return true;
    } finally {
      lock.release();
    }
  } catch {
    return false;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
