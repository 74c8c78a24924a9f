import * as z from 'zod';
import { nearestName } from '../text/nearest-name.ts';
import type { DocumentProblem, StrictDocument } from './strict-document.ts';

/** What a file is judged by. */
export interface DescribedSchema {
  readonly schema: z.ZodType;
  /** The whole file in words, such as `the policy`. */
  readonly whole: string;
}

/** A schema's complaint in words, at the place in the file it is about. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  document: StrictDocument,
  { schema, whole }: DescribedSchema,
): readonly DocumentProblem[] {
  const name = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const known = knownKeys(schema, issue.path);
      const near = nearestName(key, known);
      const hint = near === undefined ? `The keys are ${known.join(', ')}.` : `Did you mean "${near}"?`;
      const place = name === '' ? '' : ` in ${name}`;
      return { message: `there is no key "${key}"${place}`, hint, ...document.keyPositionOf(issue.path, key) };
    });
  }
  const about = name === '' ? whole : name;
  return [{ message: `${about}: ${describeExpected(issue)}`, ...document.positionOf(issue.path) }];
}

// The keys that a mapping may have, found by following the path through the schema.
function knownKeys(described: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = z.toJSONSchema(described, { io: 'input' });
  for (const key of path) {
    schema =
      memberOf(memberOf(schema, 'properties'), String(key)) ??
      memberOf(schema, 'additionalProperties') ??
      memberOf(schema, 'items');
  }
  return Object.keys(memberOf(schema, 'properties') ?? {});
}

function memberOf(value: unknown, name: string): object | undefined {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof member === 'object' && member !== null ? member : undefined;
}

function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (issue.code === 'invalid_type') return `expected ${describeType(issue.expected)}`;
  if (issue.code === 'too_small')
    return `expected at least ${issue.minimum}${issue.origin === 'string' ? ' character' : ''}`;
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}`;
  return issue.message.slice(0, 1).toLowerCase() + issue.message.slice(1);
}

function describeType(type: string): string {
  if (type === 'int' || type === 'number') return 'a whole number';
  if (type === 'array') return 'a list';
  if (type === 'object' || type === 'record') return 'a mapping of keys to values';
  if (type === 'boolean') return 'true or false';
  return 'a text';
}
