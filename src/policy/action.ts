import type { ActionName } from '../contract/action.ts';
import type { FileMode } from '../contract/mode.ts';

/** Something a run wants to do, as the gate sees it. */
export interface Action {
  readonly name: ActionName;
  /**
   * What rules are matched against: the resolved path relative to the root, with `/` (or absolute, for a writable
   * path elsewhere); for `run` the digest of the program.
   */
  readonly path: string;
  /** The path as the caller spelled it, normalised, when a link makes it another: rules that refuse see both. */
  readonly writtenAs?: string;
  /** How the file is changed: `w`, `a`, `insert`, `write`, `append`, `replace`. */
  readonly writeMode?: string;
}

/** The actions that change files. */
export const writingActions: readonly ActionName[] = ['file_write', 'edit_file', 'apply', 'writeback'];

/** True for an action that changes a file. */
export function isWriting(action: Action): boolean {
  return writingActions.includes(action.name);
}

/** The action in words, as questions and the log name it: `edit_file replace src/a.ts`, `run unsafe sha256:…`. */
export function renderAction(action: Action, mode: FileMode): string {
  const how = action.name === 'run' ? mode : action.writeMode;
  return [action.name, how, action.path].filter((part) => part !== undefined).join(' ');
}
