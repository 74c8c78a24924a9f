import type { Level } from '../contract/action.ts';
import type { FileMode } from '../contract/mode.ts';
import type { Glob } from '../text/glob.ts';
import { noRules, type Rules } from './rules.ts';

/**
 * How long a question stays open where no policy says: ten minutes, long enough to read a diff after coming back with
 * coffee, short enough not to hold a pipeline all night.
 */
export const defaultQuestionMs = 600_000;

/** What the gate judges by. */
export interface Policy {
  /** The file it came from, as given; undefined where there is none. */
  readonly file: string | undefined;
  /** Digest of that file's bytes; what an approval is bound to. */
  readonly digest: string;
  /** The widest mode a run may have. */
  readonly ceiling: FileMode;
  readonly rules: Rules;
  /** Levels below it need no question. */
  readonly threshold: Level;
  readonly protectedPaths: readonly ProtectedPath[];
}

/** Files that no run changes. */
export interface ProtectedPath {
  readonly glob: Glob;
  /** What of Porthole's own they are, such as `the policy file`; absent where the policy's `protectedPaths` name them. */
  readonly belongsTo?: string;
}

/** A run's answers given ahead by the operator, by flag or by option. They count only without a policy file. */
export interface OperatorFlags {
  /** `--unsafe`, or mode "unsafe" of the library. */
  readonly unsafe?: boolean;
  /** `--allow-write`, or `_unsafe_mode: true` in the operator's context. */
  readonly allowWrite?: boolean;
  /** `--copy-rw`. */
  readonly copyRw?: boolean;
  /** `--allow GLOB` of `apply` and `migrate`. */
  readonly allow?: readonly Glob[];
}

/** The policy where no file is in force: nothing is denied by rule, and the operator's flags set the ceiling. */
export function createFilelessPolicy(ceiling: FileMode, protectedPaths: readonly ProtectedPath[] = []): Policy {
  return { file: undefined, digest: 'none', ceiling, rules: noRules, threshold: 'moderate', protectedPaths };
}
