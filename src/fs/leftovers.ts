import type { HeldDirectory } from './place.ts';
import type { Syscalls } from './syscalls.ts';
import { walkFiles } from './walk-files.ts';

/** The name of a temporary file, from 16 hexadecimal digits nobody can guess. */
export function temporaryName(hexDigits: string): string {
  return `.porthole-${hexDigits}.tmp`;
}

// True for names that temporaryName() makes.
function isTemporaryName(name: string): boolean {
  return /^\.porthole-[0-9a-f]{16}\.tmp$/.test(name);
}

/** Temporary files under a directory that a killed writer left, as paths relative to it. */
export function findLeftovers(sys: Syscalls, root: HeldDirectory): string[] {
  return walkFiles(sys, root, { accepts: (_path, name) => isTemporaryName(name) });
}
