import { isPortholeError } from '../contract/errors.ts';
import { syncDirectory } from './atomic-write.ts';
import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import type { RootPath } from './path-rules.ts';
import type { HeldDirectory, Place } from './place.ts';
import type { Syscalls } from './syscalls.ts';

/**
 * Makes the directories a place lacks, one inside the other, each proven before the next, and works in the innermost.
 * If the work fails, those that were made are removed again.
 */
export function insideMissing(
  sys: Syscalls,
  { directory, missing }: Pick<Place, 'directory' | 'missing'>,
  path: RootPath,
  work: (directory: HeldDirectory) => void,
): void {
  const [name, ...rest] = missing;
  if (name === undefined) {
    work(directory);
    return;
  }
  let isMade = false;
  try {
    isMade = makeDirectory(sys, directory, name, path);
    const below = directory.openDirectory(name);
    if (typeof below === 'string') {
      throw fileError('CHANGED_SINCE_READ', path, 'its directory was replaced meanwhile');
    }
    try {
      insideMissing(sys, { directory: below, missing: rest }, path, work);
    } finally {
      below.close();
    }
    if (isMade) syncDirectory(sys, directory, path);
  } catch (error) {
    // In place but not confirmed: what holds it must stay.
    if (isMade && !isPortholeError(error, 'WRITE_NOT_DURABLE')) removeQuietly(sys, `${directory.path}/${name}`);
    throw fromSystemError(error, path);
  }
}

// Answers whether it was this call that made it: somebody may have been faster.
function makeDirectory(sys: Syscalls, directory: HeldDirectory, name: string, path: RootPath): boolean {
  directory.prove(path);
  try {
    sys.mkdir(`${directory.path}/${name}`, 0o777);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function removeQuietly(sys: Syscalls, path: string): void {
  try {
    sys.rmdir(path);
  } catch {
    // Somebody uses it already; an empty directory does no harm.
  }
}
