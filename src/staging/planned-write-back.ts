import type { PlannedWrite } from '../calls/planned-call.ts';
import { isPortholeError } from '../contract/errors.ts';
import type { Powers } from '../contract/powers.ts';
import { renderEditDiff } from '../cores/edit-diff.ts';
import { once } from '../cores/once.ts';
import { isAtOrBelow } from '../fs/special-trees.ts';
import type { Action } from '../policy/action.ts';
import type { InputRoots } from './input-roots.ts';
import { hostTargetOf, type PlannedFile } from './write-back-plan.ts';

/** Where planned files land and how they are named to the gate. */
export interface Landing extends Pick<Powers, 'digest'> {
  readonly roots: InputRoots;
  /** Real path of the runtime's root: what rules about paths are relative to. */
  readonly root: string;
}

/** A planned file as the gate judges it: relative to the root where it lies below it, else absolute. */
export function writeBackAction(file: PlannedFile, runtimeRoot: string): Action {
  const path = hostTargetOf(file);
  const prefix = runtimeRoot === '/' ? '/' : `${runtimeRoot}/`;
  return { name: 'writeback', path: isAtOrBelow(path, runtimeRoot) ? path.slice(prefix.length) : path };
}

/** A planned file as one of the writes that are asked about together and land one by one. */
export function toPlannedWrite(file: PlannedFile, isExecutable: boolean, landing: Landing): PlannedWrite<void> {
  const { roots, digest } = landing;
  const { copied, bytes } = file;
  const before = copied?.bytes ?? null;
  const action = writeBackAction(file, landing.root);
  return {
    action,
    writeMode: 'w',
    lockKey: hostTargetOf(file),
    creates: copied === null,
    isExecutable,
    bytesBefore: before?.length ?? 0,
    bytesPlanned: bytes.length,
    digestBefore: () => copied?.pin.digest ?? null,
    digestPlanned: () => file.digest,
    diff: once(() => renderEditDiff(action.path, before, bytes)),
    content: () => bytes,
    digestNow: () => digestNow(file, roots, digest),
    commit: () => {
      const target = roots.open(file);
      try {
        const { created, bytesBefore, bytesAfter } = target.replace(bytes, before ?? undefined);
        return { result: undefined, created, bytesBefore, bytesAfter, digestAfter: file.digest };
      } finally {
        target.close();
      }
    },
    // Held only while it lands: a set may have more files than a process may have descriptors.
    close: () => undefined,
  };
}

function digestNow(file: PlannedFile, roots: InputRoots, digest: Powers['digest']): string | null {
  try {
    const target = roots.open(file);
    try {
      return target.existing && digest(target.existing.readAll(target.existing.size));
    } finally {
      target.close();
    }
  } catch (error) {
    // A pin or a link: refused as what it is when the file lands, in words that say so.
    if (isPortholeError(error)) return file.copied?.pin.digest ?? null;
    throw error;
  }
}
