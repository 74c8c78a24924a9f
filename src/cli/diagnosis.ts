import { createDiskRoot } from '../fs/disk-root.ts';
import { operatorPathExists } from '../fs/operator-file.ts';
import { stateDirectory } from '../runtime/node-powers.ts';
import { packageVersion } from '../runtime/package-version.ts';
import { wireRuntime } from '../runtime/runtime.ts';
import { fireLimits, type LimitReport } from './limit-probes.ts';

/** What `porthole doctor` finds. */
export interface Diagnosis {
  /** Whether every limit held. */
  readonly ok: boolean;
  readonly porthole: string;
  readonly node: string;
  readonly root: {
    readonly path: string;
    readonly containment: string;
    readonly isRaceFree: boolean;
    /** Temporary files of writers that were killed, relative to the root. */
    readonly leftovers: readonly string[];
  };
  readonly stateDirectory: { readonly path: string; readonly exists: boolean };
  readonly limits: readonly LimitReport[];
}

/** Looks at this machine and fires every limit. Nothing is written. @throws PortholeError `ROOT_INVALID` */
export async function diagnose(given: string): Promise<Diagnosis> {
  const root = inspectRoot(given);
  const limits = await fireAll(given);
  const directory = stateDirectory();
  return {
    ok: limits.every(({ isHeld }) => isHeld),
    porthole: packageVersion(),
    node: process.version,
    root,
    stateDirectory: { path: directory, exists: operatorPathExists(directory) },
    limits,
  };
}

function inspectRoot(given: string): Diagnosis['root'] {
  const root = createDiskRoot({ root: given });
  try {
    const { rootPath, containment } = root;
    return { path: rootPath, containment, isRaceFree: containment === 'descriptor walk', leftovers: root.leftovers() };
  } finally {
    root.close();
  }
}

async function fireAll(root: string): Promise<readonly LimitReport[]> {
  // The question is what this machine can do, not what a policy here would let anybody do.
  const internals = { ignoresPolicy: true };
  const live = await wireRuntime({ root, mode: 'unsafe', workers: 1 }, internals);
  const staged = await wireRuntime({ mode: 'staged', workers: 1 }, internals);
  try {
    // Not timed: the first run of a process starts a thread.
    await live.run({ source: 'return 1' });
    return await fireLimits({ live, staged });
  } finally {
    await live.close();
    await staged.close();
  }
}
