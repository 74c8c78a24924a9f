import type { ScalarNode } from './documents/document-node.ts';
import type { PathRules } from './path-rules.ts';
import { planFile } from './plan-file.ts';
import type { Refusal } from './refusal.ts';
import type { JudgedEdit } from './scalar-edit.ts';
import type { ScalarEdit } from './verdict.ts';

/** A scalar in both its forms: as it is spelled in the file, and what that means. */
export interface ScalarForms {
  readonly source: string;
  readonly value: string;
}

/** An edit that would be made. */
export interface AppliedEdit extends EditPlace {
  readonly before: ScalarForms;
  readonly after: ScalarForms;
}

/** An edit of a value that is there. */
export interface AlreadyEdit extends EditPlace {
  readonly holds: ScalarForms;
}

/** An edit that was refused, in words a model can act on. */
export interface RejectedEdit extends EditPlace {
  readonly message: string;
  readonly hint: string;
}

interface EditPlace {
  /** Its number in the set, from 1. */
  readonly edit: number;
  readonly path: string;
  readonly key: string;
}

/** A file to write: its bytes as they were judged, and as they will be. */
export interface FileChange {
  readonly path: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** What becomes of a set of edits. A set with a rejected edit changes nothing: `files` is empty then. */
export interface EditPlan {
  readonly files: readonly FileChange[];
  readonly applied: readonly AppliedEdit[];
  readonly already: readonly AlreadyEdit[];
  readonly rejected: readonly RejectedEdit[];
}

/** What the set is judged by. */
export interface EditPowers {
  readonly rules: PathRules;
  /** What the model was shown; versions have to come from there. */
  readonly evidence: readonly string[];
  /** The bytes of an allowed path, asked for once; a refusal where there is no file or a link lies on the way. */
  readonly open: (path: string) => Promise<Uint8Array | Refusal>;
}

/** Judges a set of edits whole, every one of them, before anything is written. */
export async function planEdits(edits: readonly ScalarEdit[], powers: EditPowers): Promise<EditPlan> {
  const outcomes: (JudgedEdit | undefined)[] = [];
  const byPath = new Map<string, number[]>();
  for (const [index, { path }] of edits.entries()) {
    const judged = powers.rules(path);
    if (judged.kind === 'refused') outcomes[index] = judged;
    else if (!byPath.get(judged.path)?.push(index)) byPath.set(judged.path, [index]);
  }
  const files: FileChange[] = [];
  for (const [path, indexes] of byPath) {
    const before = await powers.open(path);
    if (!(before instanceof Uint8Array)) {
      for (const index of indexes) outcomes[index] = before;
      continue;
    }
    const ofFile = indexes.flatMap((index) => edits[index] ?? []);
    const plan = planFile(path, before, ofFile, powers.evidence);
    for (const [at, index] of indexes.entries()) outcomes[index] = plan.edits[at];
    if (plan.after !== before) files.push({ path, before, after: plan.after });
  }
  return report(edits, outcomes, files);
}

function report(
  edits: readonly ScalarEdit[],
  outcomes: readonly (JudgedEdit | undefined)[],
  files: readonly FileChange[],
): EditPlan {
  const applied: AppliedEdit[] = [];
  const already: AlreadyEdit[] = [];
  const rejected: RejectedEdit[] = [];
  for (const [index, { path, key }] of edits.entries()) {
    const place = { edit: index + 1, path, key };
    const outcome = outcomes[index];
    if (outcome?.kind === 'change') {
      applied.push({ ...place, before: formsOf(outcome.scalar), after: formsOf(outcome.written) });
    } else if (outcome?.kind === 'already') already.push({ ...place, holds: formsOf(outcome.scalar) });
    else if (outcome?.kind === 'refused') rejected.push({ ...place, message: outcome.message, hint: outcome.hint });
  }
  if (rejected.length > 0) return { files: [], applied: [], already, rejected };
  return { files, applied, already, rejected };
}

function formsOf({ source, value }: ScalarNode): ScalarForms {
  return { source, value: String(value) };
}
