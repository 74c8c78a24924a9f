import type { Change, ContentFacts } from '../contract/change-set.ts';
import type { Powers } from '../contract/powers.ts';
import { compareByBytes } from '../text/byte-order.ts';
import { equalBytes } from '../text/utf8.ts';
import type { Baseline, CopiedFile, TreeFiles } from './staged-files.ts';

/** The change set: what the run's files hold that the copied ones do not, by bytes, sorted by path. */
export function findChanges(baseline: Baseline, files: TreeFiles, powers: Pick<Powers, 'digest'>): readonly Change[] {
  const changes: Change[] = [];
  const factsOf = (bytes: Uint8Array): ContentFacts => ({ bytes: bytes.length, digest: powers.digest(bytes) });
  for (const [path, bytes] of files) {
    const copied = baseline.files.get(path);
    if (copied === undefined) changes.push({ kind: 'create', path, before: null, after: factsOf(bytes) });
    else if (!isSame(copied.bytes, bytes)) {
      changes.push({ kind: 'modify', path, before: copiedFacts(copied), after: factsOf(bytes) });
    }
  }
  for (const [path, copied] of baseline.files) {
    if (!files.has(path)) changes.push({ kind: 'delete', path, before: copiedFacts(copied), after: null });
  }
  return changes.sort((one, other) => compareByBytes(one.path, other.path));
}

// A file nobody wrote is most often the very same array.
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || equalBytes(one, other);
}

function copiedFacts({ bytes, pin }: CopiedFile): ContentFacts {
  return { bytes: bytes.length, digest: pin.digest };
}
