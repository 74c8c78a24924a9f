import { PortholeError } from '../contract/errors.ts';
import { nearestName } from '../text/nearest-name.ts';

/** An object whose keys are all known. @throws PortholeError `ARGUMENT_INVALID` naming the nearest known key */
export function refuseUnknownKeys(
  what: string,
  given: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new PortholeError('ARGUMENT_INVALID', `Cannot use the options of ${what}: expected an object`);
  }
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const nearest = nearestName(key, known);
    throw new PortholeError(
      'ARGUMENT_INVALID',
      `Cannot use the options of ${what}: there is no option ${JSON.stringify(key)}`,
      {
        hint: nearest === undefined ? `The options are ${known.join(', ')}.` : `Did you mean ${nearest}?`,
      },
    );
  }
  return given as Readonly<Record<string, unknown>>; // an object, just checked
}

/** What an option's value must be, and the words for it. */
export interface OptionRule<T> {
  readonly accepts: (value: unknown) => value is T;
  readonly expected: string;
}

/** An option if it is given and of the right kind. @throws PortholeError `ARGUMENT_INVALID` */
export function readAs<T>(
  what: string,
  options: Readonly<Record<string, unknown>>,
  name: string,
  { accepts, expected }: OptionRule<T>,
): T | undefined {
  const value = options[name];
  if (value === undefined || accepts(value)) return value;
  throw refuseValue(what, name, value, expected);
}

/** The refusal of one option's value, without running any code of it. */
export function refuseValue(what: string, name: string, value: unknown, expected: string): PortholeError {
  return new PortholeError(
    'ARGUMENT_INVALID',
    `Cannot use ${name} of ${what}: expected ${expected}, not ${describe(value)}`,
  );
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return value.length <= 60 ? JSON.stringify(value) : 'a long text';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/** True for a text. */
export const isString = (value: unknown): value is string => typeof value === 'string';
