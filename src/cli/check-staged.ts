import { dirname } from 'node:path';
import { canonicalPath, realDirectory } from '../fs/operator-paths.ts';
import { isAtOrBelow } from '../fs/special-trees.ts';
import { flagLabels, parseInputs } from '../staging/inputs.ts';
import type { StagedFlags } from './staged-flags.ts';
import { UsageError } from './usage-error.ts';

/** Finds mistakes in the flags of a staged run before anything is done. @throws UsageError, PortholeError */
export function checkStagedFlags({ inputs, diffFile }: StagedFlags): void {
  const requested = parseInputs(inputs, flagLabels);
  if (diffFile === undefined) return;
  const shown = JSON.stringify(diffFile.path);
  if (realDirectory(dirname(diffFile.path)) === undefined) {
    throw new UsageError(`--diff-file ${shown}: there is no such directory`);
  }
  const place = canonicalPath(diffFile.path);
  for (const { given, label } of requested.inputs) {
    if (!isAtOrBelow(place, canonicalPath(given))) continue;
    throw new UsageError(`--diff-file ${shown} lies in ${label}`, 'The next run would take it for an input.');
  }
}
