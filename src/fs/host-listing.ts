import { compareByBytes } from '../text/byte-order.ts';
import { fileError, fromSystemError } from './file-error.ts';
import { type HostFile, readHostFile } from './host-file.ts';
import type { HeldDirectory } from './place.ts';
import type { DirectoryEntry, Syscalls } from './syscalls.ts';

/** What decides about a listing. */
export interface ListOptions {
  readonly isExcluded: (path: string, name: string) => boolean;
  readonly onNode: (path: string) => void;
}

/** Names below a directory, in the order of their bytes. */
export interface HostListing {
  readonly files: readonly string[];
  readonly directories: readonly (readonly [name: string, listing: HostListing])[];
}

/** A listing that is being made. */
export interface Listing extends ListOptions {
  readonly sys: Syscalls;
  readonly given: string;
}

/** Lists a directory and those below it, opening no file. @throws PortholeError */
export function listDirectory(listing: Listing, directory: HeldDirectory, below: string): HostListing {
  const { sys, given, isExcluded, onNode } = listing;
  const entries = entriesOf(sys, directory, shownPath(given, below)).filter(
    ({ name }) => !isExcluded(below + name, name),
  );
  // All of them count before the first directory is entered, so that too many are refused at once.
  for (const { name } of entries) onNode(shownPath(given, below + name));
  const files: string[] = [];
  const directories: (readonly [string, HostListing])[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isFile()) files.push(refuseOddName(listing, directory, name, below + name));
    else if (entry.isDirectory()) directories.push([name, listBelow(listing, directory, { name, below })]);
    else refuseSpecial(sys.lstat(`${directory.path}/${name}`), shownPath(given, below + name));
  }
  return { files, directories };
}

function listBelow(
  listing: Listing,
  directory: HeldDirectory,
  { name, below }: { readonly name: string; readonly below: string },
): HostListing {
  const inner = enter(directory, name, shownPath(listing.given, below + name));
  try {
    return listDirectory(listing, inner, `${below}${name}/`);
  } finally {
    inner.close();
  }
}

function entriesOf(sys: Syscalls, directory: HeldDirectory, shown: string): readonly DirectoryEntry[] {
  try {
    return [...sys.readdir(`${directory.path}/.`)].sort((one, other) => compareByBytes(one.name, other.name));
  } catch (error) {
    throw fromSystemError(error, { verb: 'copy', written: shown });
  }
}

// A name that is not UTF-8 arrives as another one, which leads nowhere.
function refuseOddName({ sys, given }: Listing, directory: HeldDirectory, name: string, path: string): string {
  if (!name.includes('\ufffd') || sys.lstatIfExists(`${directory.path}/${name}`) !== null) return name;
  throw fileError('PATH_INVALID', { verb: 'copy', written: shownPath(given, path) }, 'its name is not UTF-8');
}

/** What reading goes by. */
export interface Reading {
  readonly sys: Syscalls;
  readonly given: string;
  readonly wants: (path: string) => boolean;
  readonly room: () => number;
}

/** A directory that is being read. */
export interface Level {
  readonly directory: HeldDirectory;
  readonly listing: HostListing;
  readonly below: string;
}

/** Reads the files of a listing, one at a time. @throws PortholeError */
export function* readDirectory(reading: Reading, { directory, listing, below }: Level): Iterable<HostFile> {
  const { sys, given, wants, room } = reading;
  for (const name of listing.files) {
    const path = below + name;
    if (wants(path)) yield { path, ...readHostFile(sys, `${directory.path}/${name}`, shownPath(given, path), room()) };
  }
  for (const [name, inner] of listing.directories) {
    const next = enter(directory, name, shownPath(given, below + name));
    try {
      yield* readDirectory(reading, { directory: next, listing: inner, below: `${below}${name}/` });
    } finally {
      next.close();
    }
  }
}

function enter(directory: HeldDirectory, name: string, shown: string): HeldDirectory {
  try {
    const inner = directory.openDirectory(name);
    if (inner === 'link') throw link(shown);
    if (inner !== 'missing') return inner;
    throw fileError('NOT_FOUND', { verb: 'copy', written: shown }, 'it went away while it was copied');
  } catch (error) {
    throw fromSystemError(error, { verb: 'copy', written: shown });
  }
}

/** Refuses whatever is no regular file. */
export function refuseSpecial(facts: ReturnType<Syscalls['lstat']>, shown: string): void {
  if (facts.isSymbolicLink()) throw link(shown);
  if (facts.isFile()) return;
  throw fileError('NOT_A_REGULAR_FILE', { verb: 'copy', written: shown }, 'it is no regular file and no directory');
}

/** The refusal of a link. */
export function link(shown: string): Error {
  return fileError(
    'NOT_A_REGULAR_FILE',
    { verb: 'copy', written: shown },
    'it is a symbolic link, and none is copied',
    {
      hint: 'Name the place it leads to, or leave it out with --exclude.',
    },
  );
}

function shownPath(given: string, path: string): string {
  return given.endsWith('/') ? given + path : `${given}/${path}`;
}
