import { isMapping, isSameValue, memberOf } from './leaves.ts';
import { isFilled } from './render-block.ts';

/** The names that stand in one of two mappings alone. */
export interface Names {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The original mapping. */
  readonly before: unknown;
  /** The new one. */
  readonly after: unknown;
}

/** New names and the old ones whose place they take: by equal values, and by being the only two lists or mappings. */
export function matchRenames({ added, removed, before, after }: Names): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const free = new Set(removed);
  const take = (name: string, old: string) => {
    renamed.set(name, old);
    free.delete(old);
  };
  for (const name of added) {
    const value = memberOf(after, name);
    const old = [...free].find((one) => isSameValue(memberOf(before, one), value));
    if (old !== undefined) take(name, old);
  }
  const left = added.filter((name) => !renamed.has(name) && isFilled(memberOf(after, name)));
  const leftOld = [...free].filter((name) => isFilled(memberOf(before, name)));
  const [name, old] = [left[0], leftOld[0]];
  const isOnly = left.length === 1 && leftOld.length === 1 && name !== undefined && old !== undefined;
  if (isOnly && isMapping(memberOf(after, name)) === isMapping(memberOf(before, old))) take(name, old);
  return renamed;
}
