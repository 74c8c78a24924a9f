import type { DiskRoot } from '../fs/disk-root.ts';
import { fileError } from '../fs/file-error.ts';
import { inodeOf, isInode } from '../fs/inode.ts';
import type { RootPath } from '../fs/path-rules.ts';
import type { WriteTarget } from '../fs/port.ts';
import { equalBytes } from '../text/utf8.ts';
import type { PlannedFile } from './write-back-plan.ts';

/** The directories that files are written back through, held by descriptor while they are what they were. */
export interface InputRoots extends Disposable {
  /**
   * Opens the place of a planned file and proves that it is the file that was copied, or that nothing stands there.
   * The caller closes it.
   * @throws PortholeError `CHANGED_SINCE_READ` for a broken pin, `PATH_OUTSIDE_ROOT` for a link, and what opening throws
   */
  readonly open: (file: PlannedFile) => WriteTarget;
  /** As {@link open}, and compares the host's bytes with the copied ones. Answers whether the file is executable. */
  readonly check: (file: PlannedFile) => { readonly isExecutable: boolean };
}

/** `openRoot` opens a directory of the host that may be written, making directories beneath it as needed. */
export function createInputRoots(openRoot: (hostDirectory: string) => DiskRoot): InputRoots {
  const roots = new Map<string, DiskRoot>();
  const rootOf = (file: PlannedFile): DiskRoot => {
    const known = roots.get(file.root.path);
    if (known?.isInPlace()) return known;
    known?.close();
    roots.delete(file.root.path);
    const opened = openProven(openRoot, file);
    roots.set(file.root.path, opened);
    return opened;
  };
  const open = (file: PlannedFile) => openPinned(rootOf(file), file);
  return {
    open,
    check: (file) => {
      const target = open(file);
      try {
        return checkBytes(target, file);
      } finally {
        target.close();
      }
    },
    [Symbol.dispose]: () => {
      for (const root of roots.values()) root.close();
    },
  };
}

function openProven(openRoot: (hostDirectory: string) => DiskRoot, file: PlannedFile): DiskRoot {
  const root = openRoot(file.root.path);
  try {
    // The path had no link on it when the files were copied.
    if (root.rootPath !== file.root.path) throw link(file);
    if (!isInode(root.rootInode(), file.root.inode)) throw changed(file);
    return root;
  } catch (error) {
    root.close();
    throw error;
  }
}

function openPinned(root: DiskRoot, file: PlannedFile): WriteTarget {
  const target = root.openForWriting(pathBelow(root, file));
  try {
    // Walking answers with another place when it met a link, even one that stays inside.
    if (target.resolvedPath !== target.shownPath) throw link(file);
    const { existing } = target;
    const isPinned =
      file.copied === null
        ? existing === null
        : existing !== null && isInode(inodeOf(existing.identity), file.copied.pin);
    if (!isPinned) throw changed(file);
    return target;
  } catch (error) {
    target.close();
    throw error;
  }
}

// Written with `./`: a name may begin with what the path rules take for a home directory or a drive.
function pathBelow(root: DiskRoot, { below }: PlannedFile): RootPath {
  return root.parsePath(`./${below}`, 'write');
}

function checkBytes({ existing }: WriteTarget, file: PlannedFile): { readonly isExecutable: boolean } {
  if (existing === null || file.copied === null) return { isExecutable: false };
  const { bytes } = file.copied;
  const isSame = existing.size === bytes.length && equalBytes(existing.readAll(bytes.length), bytes);
  if (!isSame) throw changed(file);
  return { isExecutable: existing.isExecutable };
}

function link(file: PlannedFile): Error {
  return fileError('PATH_OUTSIDE_ROOT', failed(file), 'it is a symlink or resolves outside its input');
}

function changed(file: PlannedFile): Error {
  return fileError('CHANGED_SINCE_READ', failed(file), 'it was replaced during the run');
}

function failed({ hostPath }: PlannedFile): { readonly verb: string; readonly written: string } {
  return { verb: 'write back', written: hostPath };
}
