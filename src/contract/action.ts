/** What a rule can name and a gate can judge. A helper is judged as its tool. */
export const actionNames = ['file_read', 'file_write', 'edit_file', 'apply', 'writeback', 'run'] as const;

/** One of {@link actionNames}. */
export type ActionName = (typeof actionNames)[number];

/** How much an action could hurt, in rising order. */
export const levels = ['safe', 'moderate', 'dangerous'] as const;

/** One of {@link levels}. */
export type Level = (typeof levels)[number];

/** How far a yes reaches: this action, this run, this root for 30 days, everywhere for 30 days. */
export const grantScopes = ['once', 'run', 'project', 'always'] as const;

/** One of {@link grantScopes}. */
export type GrantScope = (typeof grantScopes)[number];

/** True when the first level is above the second. */
export function isAboveLevel(level: Level, other: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(other);
}

/** The higher of two levels. */
export function higherLevel(one: Level, other: Level): Level {
  return isAboveLevel(one, other) ? one : other;
}
