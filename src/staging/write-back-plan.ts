import type { Change } from '../contract/change-set.ts';
import type { WriteBackSkip } from '../contract/write-back.ts';
import type { Inode } from '../fs/inode.ts';
import { ownerOf } from './input-places.ts';
import type { StagedFiles } from './render-patch.ts';
import type { CopiedFile, StagedInput } from './staged-files.ts';

/** What would be written where, and what would not. */
export interface WriteBackPlan {
  readonly files: readonly PlannedFile[];
  readonly skipped: readonly WriteBackSkip[];
}

/** One file that may be written. */
export interface PlannedFile {
  /** Place in the tree, without a leading `/`. */
  readonly path: string;
  /** Where it lies on the host, in the operator's own spelling. */
  readonly hostPath: string;
  /** The directory it is reached through, as it was when the files were copied. */
  readonly root: { readonly path: string; readonly inode: Inode };
  /** Its path below {@link root}. */
  readonly below: string;
  /** The file that was copied; null when the run created it. */
  readonly copied: CopiedFile | null;
  readonly bytes: Uint8Array;
  readonly digest: string;
  /**
   * Whether its name, or one on the way to it, belonged to the other kind when the files were copied. The host still
   * has what the run deleted, so nobody else need have put it there.
   */
  readonly changesKind: boolean;
  /** Another place of the tree whose change would land in the very same host file; null where there is none. */
  readonly alsoAt: string | null;
}

/** Decides for each change whether it may be written back, and where to. Looks at no host file. */
export function planWriteBack(changes: readonly Change[], staged: StagedFiles): WriteBackPlan {
  const files: Omit<PlannedFile, 'alsoAt'>[] = [];
  const skipped: WriteBackSkip[] = [];
  const owner = ownerOf(staged.baseline.inputs);
  const directories = directoriesOf(staged.baseline.files.keys());
  for (const change of changes) {
    const { path, after } = change;
    const bytes = staged.files.get(path);
    const copied = staged.baseline.files.get(path) ?? null;
    const input = owner(path);
    if (after === null || bytes === undefined) skipped.push({ path, reason: 'deleted' });
    else if (input === undefined) skipped.push({ path, reason: 'not-from-host' });
    else if (!input.isWritable) skipped.push({ path, reason: 'read-only' });
    else {
      const changesKind = directories.has(path) || parentsOf(path).some((parent) => staged.baseline.files.has(parent));
      files.push({ path, copied, bytes, digest: after.digest, changesKind, ...placeOf(input, path) });
    }
  }
  return { files: findRivals(files), skipped };
}

// Inputs may overlap on the host, so one file of it can lie in several places of the tree.
function findRivals(files: readonly Omit<PlannedFile, 'alsoAt'>[]): readonly PlannedFile[] {
  const places = new Map<string, string[]>();
  for (const file of files) {
    const target = hostTargetOf(file);
    places.set(target, [...(places.get(target) ?? []), file.path]);
  }
  return files.map((file) => {
    const others = places.get(hostTargetOf(file))?.filter((path) => path !== file.path);
    return { ...file, alsoAt: others?.[0] ?? null };
  });
}

/** The host file a planned file lands in, as an absolute path. */
export function hostTargetOf({ root, below }: Pick<PlannedFile, 'root' | 'below'>): string {
  return `${root.path === '/' ? '' : root.path}/${below}`;
}

function placeOf(input: StagedInput, path: string): Pick<PlannedFile, 'hostPath' | 'root' | 'below'> {
  const { given, hostPath, place, directory: inode } = input;
  if (input.kind === 'file') {
    const end = hostPath.lastIndexOf('/');
    return { hostPath: given, root: { path: hostPath.slice(0, end) || '/', inode }, below: hostPath.slice(end + 1) };
  }
  const below = place === '' ? path : path.slice(place.length + 1);
  return { hostPath: `${given.replace(/\/+$/, '')}/${below}`, root: { path: hostPath, inode }, below };
}

function directoriesOf(paths: Iterable<string>): ReadonlySet<string> {
  const directories = new Set<string>();
  for (const path of paths) for (const parent of parentsOf(path)) directories.add(parent);
  return directories;
}

function parentsOf(path: string): readonly string[] {
  const parents: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) parents.push(path.slice(0, end));
  return parents;
}
