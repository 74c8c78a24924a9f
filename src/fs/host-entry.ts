import { basename, dirname, join, resolve } from 'node:path';
import { canWalkByDescriptor, directoryByDescriptor, holdDescriptor } from './descriptor-walk.ts';
import { isErrno } from './errno.ts';
import { fileError, fromSystemError } from './file-error.ts';
import { type HostFile, readHostFile } from './host-file.ts';
import {
  type HostListing,
  type ListOptions,
  link,
  listDirectory,
  readDirectory,
  refuseSpecial,
} from './host-listing.ts';
import type { Inode } from './inode.ts';
import type { HeldDirectory } from './place.ts';
import { nodeSyscalls, openFlags, type Syscalls } from './syscalls.ts';
import { directoryByPath } from './verified-open.ts';

/** A file or directory that the operator named, held. Below it no link is ever followed. */
export interface HostEntry extends Disposable {
  /** Absolute; links on the way to it resolved. */
  readonly hostPath: string;
  /** Its own name; empty for the root of the file system. */
  readonly name: string;
  readonly kind: 'file' | 'directory';
  /** The directory its files lie in: itself, or that of a single file. */
  readonly directory: Inode;
  /**
   * Finds its files, without opening one. `isExcluded` is asked with paths below it; `onNode` may refuse to go on.
   * @throws PortholeError `NOT_A_REGULAR_FILE` for whatever is no file and no directory
   */
  readonly list: (options: ListOptions) => HostListing;
  /** Reads what was listed, one file at a time. @throws PortholeError */
  readonly read: (listing: HostListing, wants: (path: string) => boolean, room: () => number) => Iterable<HostFile>;
  /** May be called again. */
  readonly close: () => void;
}

/**
 * Holds what the operator named; links on the way to it are followed, one in its place is refused.
 * @throws PortholeError `NOT_FOUND`, `NOT_A_REGULAR_FILE`, `NOT_A_DIRECTORY`, `PERMISSION_DENIED`
 */
export function openHostEntry(given: string, sys: Syscalls = nodeSyscalls): HostEntry {
  const failed = { verb: 'copy', written: given };
  try {
    const stripped = given.replace(/(?<=[^/])(?:\/+\.?)+$/, '');
    const name = basename(stripped);
    // What `.` and `..` name is a directory, whatever it is called.
    const isNamed = name !== '' && name !== '.' && name !== '..';
    if (!isNamed) return directoryEntry(sys, given, holdDirectory(sys, sys.realpath(resolve(stripped))));
    const parent = holdDirectory(sys, sys.realpath(dirname(stripped)));
    return openNamed(sys, { given, name, parent, mustBeDirectory: stripped !== given });
  } catch (error) {
    throw fromSystemError(error, failed);
  }
}

interface Held {
  readonly hostPath: string;
  readonly directory: HeldDirectory;
}

interface Named {
  readonly given: string;
  readonly name: string;
  readonly parent: Held;
  readonly mustBeDirectory: boolean;
}

function openNamed(sys: Syscalls, { given, name, parent, mustBeDirectory }: Named): HostEntry {
  const hostPath = join(parent.hostPath, name);
  let isHandedOver = false;
  try {
    const found = openOrNot(parent.directory, name);
    if (found === 'link') throw link(given);
    if (found === 'missing') throw fileError('NOT_FOUND', { verb: 'copy', written: given }, 'there is no such file');
    if (found !== 'no directory') return directoryEntry(sys, given, { hostPath, directory: found });
    if (mustBeDirectory) {
      throw fileError(
        'NOT_A_DIRECTORY',
        { verb: 'copy', written: given },
        'it is written like a directory and is none',
      );
    }
    isHandedOver = true;
    return fileEntry(sys, given, { hostPath, directory: parent.directory });
  } finally {
    if (!isHandedOver) parent.directory.close();
  }
}

function openOrNot(parent: HeldDirectory, name: string): HeldDirectory | 'link' | 'missing' | 'no directory' {
  try {
    return parent.openDirectory(name);
  } catch (error) {
    if (isErrno(error, 'ENOTDIR')) return 'no directory';
    throw error;
  }
}

function fileEntry(sys: Syscalls, given: string, { hostPath, directory }: Held): HostEntry {
  const name = basename(hostPath);
  return {
    ...factsOf({ hostPath, directory }, 'file'),
    list: () => {
      refuseSpecial(sys.lstat(`${directory.path}/${name}`), given);
      return { files: [name], directories: [] };
    },
    read: function* (_listing, wants, room) {
      if (wants('')) yield { path: '', ...readHostFile(sys, `${directory.path}/${name}`, given, room()) };
    },
  };
}

function directoryEntry(sys: Syscalls, given: string, held: Held): HostEntry {
  const { directory } = held;
  return {
    ...factsOf(held, 'directory'),
    list: (options) => listDirectory({ sys, given, ...options }, directory, ''),
    read: (listing, wants, room) => readDirectory({ sys, given, wants, room }, { directory, listing, below: '' }),
  };
}

function factsOf({ hostPath, directory }: Held, kind: HostEntry['kind']) {
  const { dev, ino } = directory.facts();
  return {
    hostPath,
    name: basename(hostPath),
    kind,
    directory: { device: String(dev), inode: String(ino) },
    close: directory.close,
    [Symbol.dispose]: directory.close,
  };
}

function holdDirectory(sys: Syscalls, hostPath: string): Held {
  if (!sys.stat(hostPath).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  if (!canWalkByDescriptor(sys, hostPath)) return { hostPath, directory: directoryByPath(sys, hostPath, hostPath) };
  const held = holdDescriptor(sys, sys.open(hostPath, openFlags.pinDirectory));
  return { hostPath, directory: directoryByDescriptor(sys, held) };
}
