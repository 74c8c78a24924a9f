/** One edit as a script gives it: path, key, from, to. */
export type ShortEdit = readonly [path: string, key: string, from: string, to: string];

/** An answer that must not land, and the exact texts of its refusals. */
export interface WrongAnswer {
  readonly edits: readonly ShortEdit[];
  readonly refusals: readonly string[];
}

/** One task for a model: what it is shown, what is right, and what it may be tempted to. */
export interface ProposalCase {
  readonly title: string;
  readonly kind:
    | 'pins'
    | 'ports'
    | 'keys'
    | 'spelling'
    | 'flow'
    | 'invented'
    | 'declined'
    | 'hostile'
    | 'nothing to do';
  readonly goal: string;
  readonly evidence: string;
  readonly files: Readonly<Record<string, string>>;
  readonly allow?: readonly string[];
  readonly scope?: readonly string[];
  readonly classification: 'mechanical' | 'escalate' | 'no_action';
  readonly edits: readonly ShortEdit[];
  /** What changes in the files, as replacements of text that stands there once: path, old, new. */
  readonly changes: readonly (readonly [path: string, old: string, now: string])[];
  readonly wrong?: WrongAnswer;
}
