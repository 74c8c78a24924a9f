import { getRandomValues, hash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PortholeError } from '../contract/errors.ts';
import type { Powers } from '../contract/powers.ts';
import { realDirectory } from '../fs/operator-paths.ts';

/** The world of this process: the only place where clocks, randomness and identifiers come from. */
export const nodePowers: Powers = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  newId: () => randomUUID(),
  randomSeed,
  digest: (bytes) => `sha256:${hash('sha256', bytes, 'hex')}`,
};

// Drawn in advance: asking the system for every run would cost a fifth of a small run.
const seeds = new BigUint64Array(512);
let nextSeed = seeds.length;

// The generator of Math.random cannot leave the state 0.
function randomSeed(): bigint {
  if (nextSeed === seeds.length) {
    getRandomValues(seeds);
    nextSeed = 0;
  }
  return seeds[nextSeed++] || 1n;
}

/** What the current directory really is. @throws PortholeError `ROOT_INVALID` where somebody removed it */
export function currentDirectory(): string {
  const directory = tryCurrentDirectory();
  if (directory !== undefined) return directory;
  throw new PortholeError('ROOT_INVALID', 'Cannot start here: the current directory was removed', {
    hint: 'Change to a directory that exists.',
  });
}

function tryCurrentDirectory(): string | undefined {
  try {
    return realDirectory(process.cwd());
  } catch {
    return undefined;
  }
}

/** Where Porthole keeps what outlives a run: `$XDG_STATE_HOME/porthole`, or `~/.local/state/porthole`. */
export function stateDirectory(): string {
  const given = process.env['XDG_STATE_HOME'];
  // The base directory specification has relative values ignored.
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.local/state');
  return join(base, 'porthole');
}

/** Names of a policy file, in the order in which they are looked up in the current directory. */
export const policyFileNames = ['porthole.policy.yaml', 'porthole.policy.yml', 'porthole.policy.json'] as const;
