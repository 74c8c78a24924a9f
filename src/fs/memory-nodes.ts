import type { RootPath } from './path-rules.ts';

/** A content of a file; the next one is another object. */
export interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly version: number;
}

/** Names and what they lead to. */
export type Directory = Map<string, MemoryNode>;

/** What a name in a tree leads to. */
export type MemoryNode = MemoryFile | Directory;

/** What a path leads to. */
export interface Spot {
  readonly node: MemoryNode | undefined;
  /** True where a file stands on the way. */
  readonly isBlocked: boolean;
}

/** An empty directory. */
export function createDirectory(): Directory {
  return new Map();
}

/** Tells directories from files. */
export function isDirectory(node: MemoryNode | undefined): node is Directory {
  return node instanceof Map;
}

/** Walks a path. */
export function find(root: Directory, { segments }: RootPath): Spot {
  let node: MemoryNode | undefined = root;
  for (const segment of segments) {
    if (!isDirectory(node)) return { node: undefined, isBlocked: node !== undefined };
    node = node.get(segment);
  }
  return { node, isBlocked: false };
}

/** How many names of a path there are not yet. */
export function missingNodes(root: Directory, segments: readonly string[]): number {
  let node: MemoryNode | undefined = root;
  let found = 0;
  for (const segment of segments) {
    node = isDirectory(node) ? node.get(segment) : undefined;
    if (node === undefined) break;
    found++;
  }
  return segments.length - found;
}

/** Puts a content at a path where a file may be, with the directories it lacks. */
export function putFile(root: Directory, segments: readonly string[], file: MemoryFile): void {
  let directory = root;
  for (const segment of segments.slice(0, -1)) {
    const found = directory.get(segment);
    const next = isDirectory(found) ? found : createDirectory();
    if (next !== found) directory.set(segment, next);
    directory = next;
  }
  directory.set(segments.at(-1) ?? '', file);
}

/** Takes away a file and every directory that is empty then; answers how many nodes went. */
export function prune(directory: Directory, [name = '', ...others]: readonly string[]): number {
  const next = directory.get(name);
  const gone = isDirectory(next) && others.length > 0 ? prune(next, others) : 0;
  if (isDirectory(next) && next.size > 0) return gone;
  directory.delete(name);
  return gone + 1;
}

/** Visits the files of a directory, and those below its directories. */
export function visitFiles(
  directory: Directory,
  path: string,
  isRecursive: boolean,
  visit: (path: string, file: MemoryFile) => void,
): void {
  for (const [name, node] of directory) {
    const at = path === '' ? name : `${path}/${name}`;
    if (!isDirectory(node)) visit(at, node);
    else if (isRecursive) visitFiles(node, at, true, visit);
  }
}
