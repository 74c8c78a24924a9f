// QuickJS's own serial form (its bytecode writer, version 5): lossless for every string, number and bigint, and moved
// by memory copies. Layout: version, count of property names and the names, then one tagged value.
// Only bytes made by this file are ever decoded by the engine; bytes made by the engine are only read here.

/** Tags of the serial form that plain values use; anything else needs the packed form. */
export const tags = {
  null: 1,
  undefined: 2,
  false: 3,
  true: 4,
  int32: 5,
  float64: 6,
  string: 7,
  object: 8,
  array: 9,
  bigint: 10,
  typedArray: 14,
  arrayBuffer: 15,
  date: 17,
  /** To an object that occurred before, by its number. */
  reference: 19,
} as const;

/** First byte of every serial form of the pinned build. */
export const serialVersion = 5;
/** So many containers may lie inside each other, both ways: readers and writers recurse, those of callers too. */
export const maxLevels = 250;
/** Names of properties are numbered from here. */
export const firstName = 1;
