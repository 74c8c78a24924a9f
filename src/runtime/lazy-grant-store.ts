import type { GrantStore } from '../policy/grants.ts';

/** The grants kept in the state directory, whose schema is loaded by the first question and not before. */
export function createLazyGrantStore(state: string, now: () => number): GrantStore {
  let store: Promise<GrantStore> | undefined;
  const open = (): Promise<GrantStore> => {
    store ??= import('./grant-store.ts').then(({ createGrantStore }) => createGrantStore(state, now));
    return store;
  };
  return {
    load: async () => (await open()).load(),
    add: async (grant) => (await open()).add(grant),
    remove: async (ids) => (await open()).remove(ids),
  };
}
