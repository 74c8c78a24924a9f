import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PortholeError } from '../../contract/errors.ts';
import { memberOf } from './leaves.ts';
import type { Schema } from './schema-walk.ts';

/** Everything that is wrong with a value, each with its place; nothing if it fits. */
export type CompiledSchema = (value: unknown) => readonly string[];

// Schemas of clusters and editors carry keywords of their own, and formats are for those who keep a list of them.
const options: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  addUsedSchema: false,
};

/**
 * Compiles a JSON Schema, draft 7 where it says so, else 2020-12.
 * @throws {@link PortholeError} `ARGUMENT_INVALID` for another draft, or for what is no schema
 */
export function compileSchema(schema: Schema): CompiledSchema {
  const validate = createValidator(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(describe));
}

function createValidator(schema: Schema) {
  const draft = memberOf(schema, '$schema') ?? 'https://json-schema.org/draft/2020-12/schema';
  const name = /^https?:\/\/json-schema\.org\/(draft-07|draft\/2020-12)\/schema#?$/.exec(String(draft))?.[1];
  if (name === undefined) throw invalid(`it is of the draft ${JSON.stringify(draft)}`);
  if (!isSchema(schema)) throw invalid('it is neither an object nor true or false');
  try {
    return name === 'draft-07' ? new Ajv(options).compile(schema) : new Ajv2020(options).compile(schema);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error), error);
  }
}

function isSchema(schema: Schema): schema is boolean | Record<string, unknown> {
  return typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema));
}

function describe({ instancePath, message = 'does not fit', params }: ErrorObject): string {
  const named: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['allowedValues'];
  const detail =
    named === undefined
      ? ''
      : ` (${[named]
          .flat()
          .map((one) => JSON.stringify(one))
          .join(', ')})`;
  return `${instancePath === '' ? 'the document' : instancePath} ${message}${detail}`;
}

function invalid(reason: string, cause?: unknown): PortholeError {
  const hint = 'Give a JSON Schema of draft 2020-12 or 7 that refers to nothing outside itself.';
  return new PortholeError('ARGUMENT_INVALID', `Cannot use the schema: ${reason}`, { hint, cause });
}
