// What a person still reads; beyond it a count says more than a list.
const maxEntries = 64;

/** A list that keeps its first entries and counts the rest. */
export interface CappedList<Entry> {
  readonly add: (entry: Entry) => void;
  readonly values: () => readonly Entry[];
  readonly more: () => number;
}

/** Entries by key, the first of them kept and the rest counted. */
export interface CappedMap<Entry> {
  /** Sets the entry of a key from what it was. */
  readonly set: (key: string, next: (before: Entry | undefined) => Entry) => void;
  readonly values: () => readonly Entry[];
  /** How many further keys there were. */
  readonly more: () => number;
}

/** Creates an empty capped list. */
export function createCappedList<Entry>(): CappedList<Entry> {
  const entries: Entry[] = [];
  let more = 0;
  return {
    add: (entry) => {
      if (entries.length < maxEntries) entries.push(entry);
      else more++;
    },
    values: () => [...entries],
    more: () => more,
  };
}

/** Creates an empty capped map. */
export function createCappedMap<Entry>(): CappedMap<Entry> {
  const entries = new Map<string, Entry>();
  const others = new Set<string>();
  return {
    set: (key, next) => {
      if (entries.has(key) || entries.size < maxEntries) entries.set(key, next(entries.get(key)));
      else others.add(key);
    },
    values: () => [...entries.values()],
    more: () => others.size,
  };
}
