import { quoteText } from '../text/shown-line.ts';
import { isCorroborated } from './corroborate.ts';
import type { ScalarNode } from './documents/document-node.ts';
import type { ReadFile } from './documents/read-documents.ts';
import { locateKey } from './locate-key.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { ScalarEdit } from './verdict.ts';
import { writeScalar } from './write-scalar.ts';

/** What becomes of one edit in its file. */
export type JudgedEdit = ScalarChange | AlreadyThere | Refusal;

/** A scalar, and what takes its place. */
export interface ScalarChange {
  readonly kind: 'change';
  readonly scalar: ScalarNode;
  readonly written: ScalarNode;
}

/** The file holds the wanted value. */
export interface AlreadyThere {
  readonly kind: 'already';
  readonly scalar: ScalarNode;
}

/** Judges an edit against what the file holds and what the model was shown; the first rule it breaks is the answer. */
export function judgeEdit(
  edit: Omit<ScalarEdit, 'rationale'>,
  file: ReadFile,
  evidence: readonly string[],
): JudgedEdit {
  const { key, from, to } = edit;
  const located = locateKey(file.documents, key);
  if (located.kind === 'refused') return located;
  const { scalar, isShared } = located;
  if (scalar.text === to) return { kind: 'already', scalar };
  if (scalar.text !== from) return refuseOther(key, from, scalar);
  const written = writeScalar(scalar, to, file.format);
  if (written === undefined) {
    return refuse(`the ${scalar.style} style cannot hold ${quoteText(to)}`, hintForStyle(scalar));
  }
  if (!isCorroborated(to, evidence)) {
    const message = `version ${quoteText(to)} does not appear in the evidence; refusing an invented version`;
    return refuse(message, 'Use a version that stands in the evidence, letter for letter.');
  }
  if (isShared) {
    const message = `the edit would change more than key ${quoteText(key)}`;
    return refuse(message, 'The value has an anchor and an alias repeats it elsewhere; a person has to decide.');
  }
  return { kind: 'change', scalar, written };
}

function refuseOther(key: string, from: string, scalar: ScalarNode): Refusal {
  const message = `key ${quoteText(key)} holds ${quoteText(scalar.text)}, not the expected ${quoteText(from)}`;
  const hint =
    scalar.style === 'plain'
      ? 'Take from as it is spelled in the file, character for character.'
      : 'Take from as it reads between its quotes.';
  return refuse(`${message}; refusing to overwrite`, hint);
}

function hintForStyle({ style, type, source }: ScalarNode): string {
  if (source === '') return 'There is nothing to replace at this key; the value can be added by edit_file.';
  if (style !== 'plain') return `The value is ${style}; give a text that fits between these quotes on one line.`;
  const article = /^[aeiou]/.test(type) ? 'an' : 'a';
  return `The value is ${article} ${type} without quotes, and has to stay one.`;
}
