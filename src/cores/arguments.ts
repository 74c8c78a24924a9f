import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';

/**
 * A number of code points, or null where none was given. Nothing is coerced.
 * @throws PortholeError `ARGUMENT_INVALID`
 */
export function parseCount(path: RootPath, name: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw fileError('ARGUMENT_INVALID', path, `${name} must be a whole number from 0, not ${describeValue(value)}`);
}

/** A value in the words of a message: short, and without running any code of it. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'a long string';
  return value === undefined ? 'missing' : `a value of type ${typeof value}`;
}
