import { type ActionName, type GrantScope, isAboveLevel, type Level } from '../contract/action.ts';

/** A yes that answers later questions: by tool and level, not bound to bytes. */
export interface Grant {
  readonly id: string;
  readonly name: ActionName;
  /** It covers this level and below. */
  readonly level: Level;
  readonly scope: Exclude<GrantScope, 'once'>;
  /** The wider scope that was answered, where `dangerous` was not kept beyond the run. */
  readonly downgradedFrom?: GrantScope;
  /** The run it belongs to; only for scope `run`. */
  readonly run?: string;
  /** The root it belongs to; only for scope `project`. */
  readonly root?: string;
  /** Milliseconds since 1970. */
  readonly grantedAt: number;
  /** Milliseconds since 1970; absent for scope `run`, which ends with its run. */
  readonly expiresAt?: number;
}

// Long enough not to be in the way, short enough that a forgotten yes ends by itself.
const keptMs = 30 * 24 * 60 * 60 * 1000;

/** A yes as it was answered, with what it was about. */
export interface Yes {
  readonly scope: GrantScope;
  readonly name: ActionName;
  readonly level: Level;
  readonly run: string;
  readonly root: string;
}

/** The grant a yes adds: none for `once`; for `dangerous` never one that outlives the run. */
export function createGrant(yes: Yes, id: string, now: number): Grant | undefined {
  if (yes.scope === 'once') return undefined;
  const { name, level, run, root } = yes;
  const isKept = yes.scope !== 'run' && level !== 'dangerous';
  if (!isKept) {
    const downgraded = yes.scope === 'run' ? {} : { downgradedFrom: yes.scope };
    return { id, name, level, scope: 'run', ...downgraded, run, grantedAt: now };
  }
  const place = yes.scope === 'project' ? { root } : {};
  return { id, name, level, scope: yes.scope, ...place, grantedAt: now, expiresAt: now + keptMs };
}

/** The grants that count for a run on a root at a moment. */
export function activeGrants(
  grants: readonly Grant[],
  here: { readonly run: string; readonly root: string; readonly now: number },
): readonly Grant[] {
  if (grants.length === 0) return grants;
  return grants.filter((grant) => {
    if (grant.scope === 'run') return grant.run === here.run;
    if (grant.level === 'dangerous') return false;
    if (grant.expiresAt === undefined || grant.expiresAt <= here.now) return false;
    return grant.scope === 'always' || grant.root === here.root;
  });
}

/** The grant that covers an action of that level, if one does. */
export function coveringGrant(grants: readonly Grant[], name: ActionName, level: Level): Grant | undefined {
  return grants.find((grant) => grant.name === name && !isAboveLevel(level, grant.level));
}

/** What a grant covers, as it is listed. */
export function renderGrantPattern(grant: Grant): string {
  return `${grant.name} *`;
}

/** Where grants that outlive a run are kept: outside every root. */
export interface GrantStore {
  readonly load: () => Promise<readonly Grant[]>;
  readonly add: (grant: Grant) => Promise<void>;
  /** Removes the grants with these ids and tells which there were. */
  readonly remove: (ids: readonly string[] | 'all') => Promise<readonly Grant[]>;
}

/** A store that keeps nothing beyond the process. */
export function createMemoryGrantStore(): GrantStore {
  let kept: readonly Grant[] = [];
  return {
    load: () => Promise.resolve(kept),
    add: (grant) => {
      kept = [...kept, grant];
      return Promise.resolve();
    },
    remove: (ids) => {
      const removed = kept.filter((grant) => ids === 'all' || ids.includes(grant.id));
      kept = kept.filter((grant) => !removed.includes(grant));
      return Promise.resolve(removed);
    },
  };
}
