import { holdDescriptor } from './descriptor-walk.ts';
import { fileError, fromSystemError } from './file-error.ts';
import { type RootPath, showRootPath } from './path-rules.ts';
import type { Locate, PinnedLeaf } from './place.ts';
import type { OpenedFile } from './port.ts';
import type { SpecialTrees } from './special-trees.ts';
import { special } from './strict-walk.ts';
import { identityOf, type Syscalls } from './syscalls.ts';

/** What opening a file on the disk needs. */
export interface DiskForReading {
  readonly sys: Syscalls;
  readonly locate: Locate;
  readonly special: SpecialTrees;
  /** @throws PortholeError `RUNTIME_CLOSED` */
  readonly refuseIfClosed: () => void;
}

/** Opens a regular file below the root for reading. */
export function openOnDisk(disk: DiskForReading, path: RootPath): OpenedFile {
  const { sys } = disk;
  disk.refuseIfClosed();
  const place = disk.locate(path, 'read');
  try {
    const { leaf } = place;
    if (leaf === null) throw fileError('NOT_FOUND', path, 'there is no such file');
    refuseUnlessRegular(leaf, path, disk.special);
    const held = holdDescriptor(sys, leaf.open('read', path));
    return {
      shownPath: showRootPath(path),
      resolvedPath: showRootPath(place),
      size: Number(leaf.facts.size),
      identity: () => identityOf(leaf.facts),
      read: (target, position) => {
        disk.refuseIfClosed();
        try {
          return sys.read(held.fd(), target, 0, target.length, position);
        } catch (error) {
          throw fromSystemError(error, path);
        }
      },
      close: held.close,
      [Symbol.dispose]: held.close,
    };
  } catch (error) {
    throw fromSystemError(error, path);
  } finally {
    place.close();
  }
}

/** Only regular files are files here: nothing else is opened, so nothing blocks and no device wakes up. */
export function refuseUnlessRegular({ facts, path: host }: PinnedLeaf, path: RootPath, trees: SpecialTrees): void {
  if (trees.holdInode(facts, host)) throw special(path);
  if (facts.isDirectory()) throw fileError('IS_A_DIRECTORY', path, 'it is a directory');
  if (path.mustBeDirectory) throw fileError('NOT_A_DIRECTORY', path, 'it is written like a directory and is none');
  if (!facts.isFile()) throw fileError('NOT_A_REGULAR_FILE', path, 'it is not a regular file');
}
