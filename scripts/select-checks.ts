import type { Check } from './checks.ts';

/**
 * The checks that were asked for, with all that they need, in the order of the table.
 * No names: those that run by default. Throws for a name that is not in the table.
 */
export function selectChecks(table: readonly Check[], names: readonly string[]): readonly Check[] {
  const unknown = names.filter((name) => !table.some((check) => check.name === name));
  if (unknown.length > 0) {
    const known = table.map((check) => check.name).join(', ');
    throw new Error(`Cannot run ${unknown.map((name) => `"${name}"`).join(', ')}: the checks are ${known}`);
  }
  const asked = names.length > 0 ? names : table.filter((check) => check.byDefault !== false).map(({ name }) => name);
  const wanted = new Set(asked);
  // Needs stand further up in the table, so one pass from the bottom finds them all.
  for (const check of table.toReversed())
    if (wanted.has(check.name)) for (const need of check.needs ?? []) wanted.add(need);
  return table.filter((check) => wanted.has(check.name));
}
