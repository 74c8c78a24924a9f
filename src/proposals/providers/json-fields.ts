/** A property of something that came from outside; undefined where there is none. */
export function fieldOf(value: unknown, ...names: readonly string[]): unknown {
  let at = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = Reflect.get(at, name);
  }
  return at;
}

/** A text of something that came from outside; empty where there is none. */
export function textField(value: unknown, ...names: readonly string[]): string {
  const found = fieldOf(value, ...names);
  return typeof found === 'string' ? found : '';
}

/** A count of something that came from outside; 0 where there is none. */
export function countField(value: unknown, ...names: readonly string[]): number {
  const found = fieldOf(value, ...names);
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

/** A list of something that came from outside; empty where there is none. */
export function listField(value: unknown, ...names: readonly string[]): readonly unknown[] {
  const found = fieldOf(value, ...names);
  return Array.isArray(found) ? found : [];
}
