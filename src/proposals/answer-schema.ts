import * as z from 'zod';
import { PortholeError } from '../contract/errors.ts';
import { isWellFormed } from '../text/utf8.ts';

// Free text is for people: more than a page is cut. The other fields are used as they are, so too much is refused.
const maxFreeCharacters = 4000;

/**
 * Takes what a model answered, by the schema it was asked to follow.
 * @throws {@link PortholeError} `VERDICT_INVALID`; `details.problems` lists everything that is wrong
 */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(describeIssue);
  const message = `Cannot use the ${what}: ${problems.join('; ')}`;
  throw new PortholeError('VERDICT_INVALID', message, { details: { problems } });
}

/**
 * A schema as providers are sent it. It holds no lengths and no counts: strict modes refuse keywords that they do not
 * enforce, so {@link parseAnswer} alone checks these.
 */
export function answerJsonSchema(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' });
  return jsonSchema;
}

/** A text that is used as it is: too long a one is refused. */
export function exactText(maxCharacters: number) {
  return z.string().check(({ value, issues }) => {
    if (value.length > maxCharacters) issues.push(problem(value, `at most ${maxCharacters} characters`));
    else if (!isWellFormed(value)) issues.push(problem(value, 'a lone surrogate has no UTF-8 form'));
  });
}

/** A text for people: too long a one is cut. */
export function freeText() {
  return z.string().transform((text) => {
    const whole = text.toWellFormed();
    return whole.length > maxFreeCharacters ? `${whole.slice(0, maxFreeCharacters - 1).toWellFormed()}…` : whole;
  });
}

/** A complaint in words of its own. */
export function problem(input: unknown, message: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const name = issue.path.map(String).join('.') || 'the answer';
  if (issue.code === 'unrecognized_keys') {
    return `${name}: unknown field ${issue.keys.map((key) => JSON.stringify(key.slice(0, 100))).join(', ')}`;
  }
  return `${name}: ${issue.message.slice(0, 1).toLowerCase()}${issue.message.slice(1)}`;
}
