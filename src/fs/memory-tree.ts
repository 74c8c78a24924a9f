import type { Limits } from '../contract/limits.ts';
import { compareByBytes } from '../text/byte-order.ts';
import { fileError } from './file-error.ts';
import {
  createDirectory,
  type Directory,
  find,
  isDirectory,
  type MemoryFile,
  missingNodes,
  prune,
  putFile,
  type Spot,
  visitFiles,
} from './memory-nodes.ts';
import { parseRootPath, type RootPath, showRootPath } from './path-rules.ts';
import type { ExistingFile, OpenedFile, PrivateTree, RemovalTarget, Replaced, WriteTarget } from './port.ts';

/** What a memory tree is made with. */
export interface MemoryTreeOptions {
  /** Tells the trees of a process apart, in the keys that keep calls from overlapping. */
  readonly id: string;
  readonly quota: Pick<Limits, 'treeBytes' | 'treeNodes'>;
}

/** Files that live in memory alone. There are no links in it and no modes; a directory is there while a file is in it. */
export interface MemoryTree extends PrivateTree {
  /** Puts a file in place as it is; the bytes are taken over, not copied. @throws PortholeError as a write */
  readonly put: (path: string, bytes: Uint8Array) => void;
  readonly isDirectory: (path: string) => boolean;
  /** Every file as it is now, by its path. */
  readonly files: () => ReadonlyMap<string, Uint8Array>;
}

/** Creates an empty tree. What would pass its quota is refused before the tree has grown. */
export function createMemoryTree({ id, quota }: MemoryTreeOptions): MemoryTree {
  const tree: Tree = { id, quota, root: createDirectory(), bytes: 0, nodes: 0, versions: 0 };
  const parsePath: PrivateTree['parsePath'] = (input, verb) => parseRootPath(input, verb, { spellings: ['/'] });
  return {
    parsePath,
    openFile: (path) => openFile(tree, path),
    openForWriting: (path) => openForWriting(tree, path),
    openForRemoval: (path) => openForRemoval(tree, path),
    listFiles: (path, isRecursive) => listFiles(tree, path, isRecursive),
    // With `./`: a name of the host's may begin with what the path rules take for a home directory or a drive.
    put: (path, bytes) => void replace(tree, parsePath(`./${path}`, 'copy'), bytes),
    isDirectory: (path) => isDirectory(find(tree.root, parsePath(path, 'list')).node),
    files: () => {
      const files = new Map<string, Uint8Array>();
      visitFiles(tree.root, '', true, (path, { bytes }) => void files.set(path, bytes));
      return files;
    },
  };
}

interface Tree {
  readonly id: string;
  readonly quota: MemoryTreeOptions['quota'];
  readonly root: Directory;
  bytes: number;
  /** Files and directories, the root aside. */
  nodes: number;
  /** One more for each content a file ever had: what tells contents apart. */
  versions: number;
}

function openFile(tree: Tree, path: RootPath): OpenedFile {
  const { bytes, version } = requireFile(tree, path);
  const shownPath = showRootPath(path);
  const close = (): void => undefined;
  return {
    shownPath,
    resolvedPath: shownPath,
    size: bytes.length,
    identity: () => identityOf(tree, version),
    read: (target, position) => {
      const part = bytes.subarray(position, position + target.length);
      target.set(part);
      return part.length;
    },
    close,
    [Symbol.dispose]: close,
  };
}

function openForWriting(tree: Tree, path: RootPath): WriteTarget {
  const file = writableAt(tree, path);
  const shownPath = showRootPath(path);
  const close = (): void => undefined;
  return {
    shownPath,
    resolvedPath: shownPath,
    lockKey: lockKeyOf(tree, path),
    existing: file && describe(tree, file, path),
    replace: (bytes) => {
      refuseChanged(tree, path, file);
      // A copy: what the caller hands over may be a part of something larger, which would be kept with it.
      return replace(tree, path, new Uint8Array(bytes));
    },
    close,
    [Symbol.dispose]: close,
  };
}

function openForRemoval(tree: Tree, path: RootPath): RemovalTarget {
  const file = requireFile(tree, path);
  const shownPath = showRootPath(path);
  return {
    shownPath,
    resolvedPath: shownPath,
    lockKey: lockKeyOf(tree, path),
    existing: describe(tree, file, path),
    remove: () => {
      refuseChanged(tree, path, file);
      tree.bytes -= file.bytes.length;
      tree.nodes -= prune(tree.root, path.segments);
    },
  };
}

function listFiles(tree: Tree, path: RootPath, isRecursive: boolean): string[] {
  const spot = find(tree.root, path);
  const { node } = spot;
  const paths: string[] = [];
  const below = path.segments.join('/');
  if (node === undefined) {
    // The root of an empty tree is there all the same.
    throw spot.isBlocked ? blocked(path) : fileError('NOT_FOUND', path, 'there is no such directory');
  }
  if (isDirectory(node)) visitFiles(node, below, isRecursive, (found) => void paths.push(found));
  else if (path.mustBeDirectory) throw notADirectory(path);
  else paths.push(below);
  return paths.sort(compareByBytes);
}

function requireFile(tree: Tree, path: RootPath): MemoryFile {
  const spot = find(tree.root, path);
  const file = fileAt(spot, path);
  if (file === null) throw spot.isBlocked ? blocked(path) : fileError('NOT_FOUND', path, 'there is no such file');
  return file;
}

function writableAt(tree: Tree, path: RootPath): MemoryFile | null {
  const spot = find(tree.root, path);
  const file = fileAt(spot, path);
  if (file !== null) return file;
  if (spot.isBlocked) throw blocked(path);
  if (path.mustBeDirectory) throw fileError('IS_A_DIRECTORY', path, 'it is written like a directory');
  return null;
}

function fileAt({ node }: Spot, path: RootPath): MemoryFile | null {
  if (isDirectory(node)) throw fileError('IS_A_DIRECTORY', path, 'it is a directory');
  if (node === undefined) return null;
  if (path.mustBeDirectory) throw notADirectory(path);
  return node;
}

function describe(tree: Tree, { bytes, version }: MemoryFile, path: RootPath): ExistingFile {
  const size = bytes.length;
  return {
    size,
    isExecutable: false,
    identity: identityOf(tree, version),
    readAll: (maxBytes) => {
      // The tree's own bytes: no content is ever changed in place.
      if (size <= maxBytes) return bytes;
      throw fileError('FILE_TOO_LARGE', path, `it has ${size} bytes, and ${maxBytes} is the most for one call`, {
        details: { size, maxBytes },
      });
    },
  };
}

function replace(tree: Tree, path: RootPath, bytes: Uint8Array): Replaced {
  const before = writableAt(tree, path);
  const bytesBefore = before?.bytes.length ?? 0;
  const added = before === null ? missingNodes(tree.root, path.segments) : 0;
  refuseGrowth(tree, path, { bytes: bytes.length - bytesBefore, nodes: added });
  putFile(tree.root, path.segments, { bytes, version: ++tree.versions });
  tree.bytes += bytes.length - bytesBefore;
  tree.nodes += added;
  return { created: before === null, bytesBefore, bytesAfter: bytes.length, splitFromLinks: null };
}

function refuseGrowth(
  { quota, ...tree }: Tree,
  path: RootPath,
  more: { readonly bytes: number; readonly nodes: number },
): void {
  const { treeBytes, treeNodes } = quota;
  const [bytes, nodes] = [tree.bytes + more.bytes, tree.nodes + more.nodes];
  if (more.nodes > 0 && nodes > treeNodes) {
    const reason = `the tree would have ${nodes} files and directories, and ${treeNodes} is the most (limit treeNodes)`;
    throw fileError('TREE_FULL', path, reason, { details: { nodes, treeNodes } });
  }
  if (more.bytes > 0 && bytes > treeBytes) {
    const reason = `the tree would have ${bytes} bytes, and ${treeBytes} is the most (limit treeBytes)`;
    throw fileError('TREE_FULL', path, reason, { details: { bytes, treeBytes } });
  }
}

function refuseChanged(tree: Tree, path: RootPath, before: MemoryFile | null): void {
  const { node } = find(tree.root, path);
  if ((node ?? null) === before) return;
  throw fileError('CHANGED_SINCE_READ', path, 'the file is not what was read, and nothing was written');
}

function identityOf({ id }: Tree, version: number): string {
  return `${id} ${version}`;
}

function lockKeyOf({ id }: Tree, { segments }: RootPath): string {
  return `tree ${id}/${segments.join('/')}`;
}

function blocked(path: RootPath): Error {
  return fileError('NOT_A_DIRECTORY', path, 'a component of the path is not a directory');
}

function notADirectory(path: RootPath): Error {
  return fileError('NOT_A_DIRECTORY', path, 'it is written like a directory and is none');
}
