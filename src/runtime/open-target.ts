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
    const files = settings.loaded?.settings.files;
    const powers = {
      digest,
      maxReadBytes: files?.maxReadBytes ?? maxCallBytes,
      maxWriteBytes: files?.maxWriteBytes ?? maxCallBytes,
      cursors: createWindowCursors(),
      lineCursors: createWindowCursors(),
    };
    return { root, forHelpers: { fs: root, powers }, forTools: { fs: joinTrees(root, others), powers }, close };
  } catch (error) {
    close();
    throw error;
  }
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
  const state = canonicalPath(stateDirectory());
  if (rootPath !== state && !rootPath.startsWith(`${state}${sep}`)) return;
  const message = `Cannot use ${JSON.stringify(given)} as the sandbox root: it belongs to Porthole's state directory`;
  throw new PortholeError('ROOT_INVALID', message);
}
