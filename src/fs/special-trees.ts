import type { FileFacts, Syscalls } from './syscalls.ts';

/** Knows the trees whose files are no files: procfs, sysfs and `/dev`. */
export interface SpecialTrees {
  /** Judges an absolute path by its spelling. */
  readonly holdPath: (absolutePath: string) => boolean;
  /** Judges what is mounted where an inode was found; catches bind mounts, which no spelling shows. */
  readonly holdInode: (facts: FileFacts, path: string) => boolean;
}

// Numbers of statfs(2).
const procfs = { path: '/proc', type: 0x9fa0 };
const sysfs = { path: '/sys', type: 0x62656572 };
const devices = '/dev';

/**
 * Built once for a root. A tree that the root itself lies in is not special for it, so that a root in `/dev/shm`
 * works. `rootPath` is the root's real path; its facts tell which inodes need no second look.
 */
export function createSpecialTrees(sys: Syscalls, rootPath: string, rootFacts: FileFacts): SpecialTrees {
  const trees = [procfs, sysfs].filter((tree) => !isAtOrBelow(rootPath, tree.path));
  const devicesApply = !isAtOrBelow(rootPath, devices);
  const paths = [...trees.map((tree) => tree.path), ...(devicesApply ? [devices] : [])];
  const types = trees.map((tree) => tree.type);
  const deviceOfDevices = devicesApply ? (sys.statIfExists(devices)?.dev ?? null) : null;
  return {
    holdPath: (absolutePath) => paths.some((path) => isAtOrBelow(absolutePath, path)),
    holdInode: (facts, path) => {
      if (facts.dev === rootFacts.dev) return false;
      return facts.dev === deviceOfDevices || types.includes(sys.fileSystemType(path));
    },
  };
}

/** True if an absolute, normalised path is that place or lies under it. */
export function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place === '/' ? '/' : `${place}/`);
}
