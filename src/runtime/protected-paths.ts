import { join, relative, sep } from 'node:path';
import { logFileNames } from '../fs/log-files.ts';
import type { ProtectedPath } from '../policy/policy.ts';
import { escapeGlob, parseGlob } from '../text/glob.ts';
import { policyFileNames } from './node-powers.ts';

/** Porthole's own files of a run; all absolute. */
export interface OwnFiles {
  /** The directory in which a policy is looked up. */
  readonly lookupDirectory: string;
  readonly policyPath: string | undefined;
  readonly auditPath: string | undefined;
  readonly stateDirectory: string;
}

/** A place that no run writes to, existing or not; a directory stands for all below it. */
export interface OwnPlace {
  readonly path: string;
  readonly belongsTo: string;
}

/** The places that are Porthole's own. What a run could write there would decide over the next run. */
export function ownPlaces({ lookupDirectory, policyPath, auditPath, stateDirectory }: OwnFiles): readonly OwnPlace[] {
  const logs = auditPath === undefined ? [] : [...logFileNames(auditPath), `${auditPath}.new`, `${auditPath}.lock`];
  return [
    ...policyFileNames.map((name) => ({ path: join(lookupDirectory, name), belongsTo: 'the policy file' })),
    ...(policyPath === undefined ? [] : [{ path: policyPath, belongsTo: 'the policy file' }]),
    ...logs.map((path) => ({ path, belongsTo: 'the audit log' })),
    { path: stateDirectory, belongsTo: "Porthole's state directory" },
  ];
}

/** Those places as the gate matches them: by path below the root. The disk root judges by what they really are. */
export function protectedBelow(root: string, places: readonly OwnPlace[]): readonly ProtectedPath[] {
  return places.flatMap(({ path, belongsTo }) => {
    const way = relative(root, path).split(sep).join('/');
    if (way === '' || way === '..' || way.startsWith('../')) return [];
    return [{ glob: parseGlob(`${escapeGlob(way)}/**`), belongsTo }];
  });
}
