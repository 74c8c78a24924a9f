import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isErrno } from './errno.ts';

/** Whether anything has that name, be it a link that leads nowhere. */
export function isAnythingAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What a directory of the operator's really is; undefined where there is none, or something else. */
export function realDirectory(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true ? realpathSync.native(path) : undefined;
}

/** The names in a directory of the operator's; none where there is no such directory. */
export function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** A path with every link on the way to it resolved; what does not exist yet keeps its name. */
export function canonicalPath(path: string): string {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing);
    } catch (error) {
      if (at === dirname(at)) throw error;
      missing.unshift(basename(at));
    }
  }
}
