import { replaceAtomically } from './atomic-write.ts';
import { type DiskForReading, refuseUnlessRegular } from './disk-file.ts';
import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import { insideMissing } from './missing-directories.ts';
import { type RootPath, showRootPath } from './path-rules.ts';
import { describeExisting, proveUnchanged } from './pinned-content.ts';
import type { PinnedLeaf, Place } from './place.ts';
import type { Replaced, WriteTarget } from './port.ts';
import type { ProtectedPlaces } from './protected-places.ts';
import { special } from './strict-walk.ts';
import { closeQuietly, type FileFacts, type Syscalls } from './syscalls.ts';

/** What writing a file on the disk needs. */
export interface DiskForWriting extends DiskForReading {
  readonly protectedPlaces: ProtectedPlaces;
  readonly mayCreateDirectories: boolean;
  /** Whether a file with several names may be split off from the others. */
  readonly maySplitLinks: boolean;
  readonly temporaryName: () => string;
}

/** Holds the place of a file below the root for writing, after every refusal that can be known now. */
export function openTarget(disk: DiskForWriting, path: RootPath): WriteTarget {
  disk.refuseIfClosed();
  const place = disk.locate(path, disk.mayCreateDirectories ? 'create' : 'write');
  try {
    refuseUnwritable(disk, place, path);
    const { leaf } = place;
    return {
      shownPath: showRootPath(path),
      resolvedPath: showRootPath(place),
      lockKey: lockKeyOf(place),
      existing: leaf && describeExisting(disk.sys, leaf, path),
      replace: (bytes, before) => replace(disk, place, path, { bytes, before }),
      close: place.close,
      [Symbol.dispose]: place.close,
    };
  } catch (error) {
    place.close();
    throw fromSystemError(error, path);
  }
}

function refuseUnwritable(disk: DiskForWriting, place: Place, path: RootPath): void {
  const { leaf, chain, segments, directory } = place;
  if (leaf !== null) refuseUnlessRegular(leaf, path, disk.special);
  const facts = chain.at(-1);
  if (facts !== undefined && disk.special.holdInode(facts, `${directory.path}/.`)) throw special(path);
  if (leaf === null && path.mustBeDirectory) {
    throw fileError('IS_A_DIRECTORY', path, 'it is written like a directory');
  }
  const cover = disk.protectedPlaces.cover({ chain, segments, leaf: leaf?.facts ?? null });
  if (cover !== undefined) throw fileError('PATH_PROTECTED', path, cover.reason);
  if (leaf === null) return;
  refuseManyLinks(disk, leaf.facts, path);
  refuseReadOnly(disk.sys, leaf, path);
}

function refuseManyLinks(disk: DiskForWriting, { nlink }: FileFacts, path: RootPath): void {
  if (nlink <= 1n || disk.maySplitLinks) return;
  throw fileError('LINK_COUNT', path, `the file has ${nlink} hard links, and replacing it would split them`, {
    details: { links: Number(nlink) },
  });
}

// Renaming over a read-only file would work; that nobody may write it is still what its owner said. Asked by opening,
// not by access(2), which judges by the wrong user; and by the bits, which say nothing to root.
function refuseReadOnly(sys: Syscalls, leaf: PinnedLeaf, path: RootPath): void {
  const readOnly = (cause?: unknown) => fileError('READ_ONLY', path, 'the file is read-only', { cause });
  if ((leaf.facts.mode & 0o222n) === 0n) throw readOnly();
  try {
    closeQuietly(sys, leaf.open('write', path));
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) throw readOnly(error);
    // A program that is running now may be replaced, though not written in place.
    if (!isErrno(error, 'ETXTBSY')) throw error;
  }
}

// The directory and the name, not the inode: each replacement makes a new one.
function lockKeyOf({ chain, missing, name }: Place): string {
  const directory = chain.at(-1);
  return [`${directory?.dev}:${directory?.ino}`, ...missing, name].join('/');
}

interface NewContent {
  readonly bytes: Uint8Array;
  readonly before: Uint8Array | undefined;
}

function replace(disk: DiskForWriting, place: Place, path: RootPath, { bytes, before }: NewContent): Replaced {
  const { sys, temporaryName } = disk;
  const { leaf, name } = place;
  disk.refuseIfClosed();
  try {
    insideMissing(sys, place, path, (directory) => {
      const prove = () => {
        const now = proveUnchanged(sys, leaf, { at: `${directory.path}/${name}`, before }, path);
        if (now !== null) refuseManyLinks(disk, now, path);
      };
      const existing = leaf?.facts ?? null;
      replaceAtomically(sys, { directory, name, bytes, existing, path, temporaryName, proveUnchanged: prove });
    });
  } catch (error) {
    throw fromSystemError(error, path);
  }
  const links = Number(leaf?.facts.nlink ?? 0n);
  return {
    created: leaf === null,
    bytesBefore: Number(leaf?.facts.size ?? 0n),
    bytesAfter: bytes.length,
    splitFromLinks: links > 1 ? links : null,
  };
}
