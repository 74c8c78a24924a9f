import { join } from 'node:path';
import { isAnythingAt } from '../fs/operator-paths.ts';
import { policyFileNames } from './node-powers.ts';

/** The policy file in a directory, if there is one. A link that leads nowhere is one: it stops the start. */
export function findPolicyFile(directory: string): string | undefined {
  return policyFileNames.map((name) => join(directory, name)).find(isAnythingAt);
}
