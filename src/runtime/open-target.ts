import { resolve, sep } from 'node:path';
import type { JudgedTarget } from '../calls/judged-target.ts';
import { PortholeError } from '../contract/errors.ts';
import type { Powers } from '../contract/powers.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { joinTrees } from '../fs/joined-trees.ts';
import { canonicalPath } from '../fs/operator-paths.ts';
import type { Syscalls } from '../fs/syscalls.ts';
import { stateDirectory } from './node-powers.ts';
import type { RuntimeSettings } from './settings.ts';

/** The files of a runtime. */
export interface OpenedTarget {
  readonly root: DiskRoot;
  /** What helpers reach: the root. */
  readonly forHelpers: JudgedTarget;
  /** What tools reach: the root, and the writable paths of the policy. */
  readonly forTools: JudgedTarget;
  readonly close: () => void;
}

// One call moves at most this much: more than any text somebody reads, far less than a host's memory.
const maxCallBytes = 16 * 1024 * 1024;

/** Opens the root and the writable paths. @throws PortholeError `ROOT_INVALID`, `CONTAINMENT_UNAVAILABLE` */
export function openTarget(
  given: string,
  settings: RuntimeSettings,
  { digest }: Powers,
  syscalls: Syscalls | undefined,
): OpenedTarget {
  const opened: DiskRoot[] = [];
  const open = (path: string): DiskRoot => {
    const root = createDiskRoot({ ...diskOptions(settings), root: path, ...(syscalls && { syscalls }) });
    opened.push(root);
    refuseOwnDirectory(path, root.rootPath);
    return root;
  };
  const close = (): void => {
    for (const root of opened) root.close();
  };
  try {
    const root = open(given);
    const others = (settings.loaded?.writablePaths ?? []).map(open);
    const powers = callPowers(settings, digest);
    return { root, forHelpers: { fs: root, powers }, forTools: { fs: joinTrees(root, others), powers }, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** What the cores need besides files; its cursors belong to one set of files. */
export function callPowers({ loaded }: RuntimeSettings, digest: Powers['digest']): JudgedTarget['powers'] {
  const files = loaded?.settings.files;
  return {
    digest,
    maxReadBytes: files?.maxReadBytes ?? maxCallBytes,
    maxWriteBytes: files?.maxWriteBytes ?? maxCallBytes,
    cursors: createWindowCursors(),
    lineCursors: createWindowCursors(),
  };
}

/** Opens a directory that a staged run is written back to: confined like the root, missing directories are made. */
export function openHostDirectory(path: string, settings: RuntimeSettings, syscalls: Syscalls | undefined): DiskRoot {
  const options = { ...diskOptions(settings), createDirectories: true, ...(syscalls && { syscalls }) };
  const root = createDiskRoot({ ...options, root: path });
  if (!isOwnDirectory(root.rootPath)) return root;
  root.close();
  const reason = "it belongs to Porthole's state directory";
  throw new PortholeError('PATH_PROTECTED', `Cannot write back to ${JSON.stringify(path)}: ${reason}`, {
    details: { reason },
  });
}

function diskOptions({ loaded, options, places, requireRaceFree }: RuntimeSettings) {
  const files = loaded?.settings.files;
  return {
    requireRaceFree,
    protectedPaths: places.map(({ path }) => path),
    operatorProtectedPaths: options.protectedPaths.map((path) => resolve(path)),
    hardLinks: files?.hardLinks ?? 'refuse',
    createDirectories: files?.createDirectories ?? false,
  };
}

// Its grants answer questions and its logs are evidence: nothing of it can be a place for programs.
function refuseOwnDirectory(given: string, rootPath: string): void {
  if (!isOwnDirectory(rootPath)) return;
  const message = `Cannot use ${JSON.stringify(given)} as the sandbox root: it belongs to Porthole's state directory`;
  throw new PortholeError('ROOT_INVALID', message);
}

function isOwnDirectory(rootPath: string): boolean {
  const state = canonicalPath(stateDirectory());
  return rootPath === state || rootPath.startsWith(`${state}${sep}`);
}
