import * as z from 'zod';
import { answerJsonSchema, exactText, freeText, parseAnswer, problem } from './answer-schema.ts';

const maxPathCharacters = 4095;
const maxKeyCharacters = 4096;
// The longest scalar anyone would have a model write; a text of a megabyte belongs into a file of its own.
const maxValueCharacters = 16_384;
// Enough for every pin of a large tree, few enough that all their refusals can still be read.
const maxEdits = 1000;

/** One scalar that a model wants changed. */
export const scalarEditSchema = z.strictObject({
  path: exactText(maxPathCharacters).describe('The file, relative to the root, exactly as it is listed.'),
  key: exactText(maxKeyCharacters).describe(
    'A JSON Pointer such as /image/tag, or a dotted path that fits one place only; #1/image/tag in the second document.',
  ),
  from: exactText(maxValueCharacters).describe('The value the file holds now, character for character.'),
  to: exactText(maxValueCharacters).describe('The value it shall hold, without quotes around it.'),
  rationale: freeText().describe('Why, in one sentence.'),
});

/** What a model answers. Every field is required and none may be added. */
export const verdictSchema = z
  .strictObject({
    classification: z
      .enum(['mechanical', 'escalate', 'no_action'])
      .describe('mechanical: the edits do it; escalate: a person has to decide; no_action: nothing is to be done.'),
    summary: freeText().describe('What is proposed, in one sentence.'),
    reasoning: freeText().describe('What in the evidence leads there.'),
    edits: z
      .array(scalarEditSchema)
      .check(({ value, issues }) => {
        if (value.length > maxEdits) issues.push(problem(value, `at most ${maxEdits} edits, not ${value.length}`));
      })
      .describe('The edits of a mechanical verdict; empty otherwise.'),
    escalationReason: freeText().describe('What a person has to decide; empty unless the verdict is escalate.'),
  })
  .check(({ value, issues }) => {
    if (value.classification !== 'mechanical' || value.edits.length > 0) return;
    issues.push({ ...problem(value.edits, 'a mechanical verdict needs at least one edit'), path: ['edits'] });
  });

/** One scalar that a model wants changed, checked for its shape alone. */
export type ScalarEdit = Readonly<z.infer<typeof scalarEditSchema>>;

/** What a model answered, checked for its shape alone. */
export type Verdict = Readonly<z.infer<typeof verdictSchema>>;

/**
 * Takes what a model answered; an escalation without a reason gives its reasoning as one.
 * @throws {@link PortholeError} `VERDICT_INVALID`; `details.problems` lists everything that is wrong
 */
export function parseVerdict(answer: unknown): Verdict {
  const verdict = parseAnswer(verdictSchema, answer, 'verdict');
  const needsReason = verdict.classification === 'escalate' && verdict.escalationReason.trim() === '';
  return needsReason ? { ...verdict, escalationReason: verdict.reasoning } : verdict;
}

/** The schema of a verdict as providers are sent it. */
export function verdictJsonSchema(): Readonly<Record<string, unknown>> {
  return answerJsonSchema(verdictSchema);
}
