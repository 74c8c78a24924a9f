import type { ActionName } from '../contract/action.ts';
import { isPortholeError } from '../contract/errors.ts';
import type { Effect } from '../contract/outcome.ts';
import type { ReadPowers } from '../cores/read-file.ts';
import type { WindowCursors } from '../cores/window-cursors.ts';
import type { WritePowers } from '../cores/write-file.ts';
import type { FileVerb } from '../fs/path-rules.ts';
import type { FileSystem, ProvenPlace } from '../fs/port.ts';
import type { Action } from '../policy/action.ts';
import type { CallContext, CallFacts } from './call-context.ts';

/** The files a call may reach and what its core needs. */
export interface JudgedTarget {
  readonly fs: FileSystem;
  readonly powers: ReadPowers & WritePowers & { readonly lineCursors: WindowCursors };
}

/** On whose behalf a call is made. */
export interface JudgedCaller {
  /** Name of the helper or tool. */
  readonly name: string;
  readonly callId: string;
  readonly context: CallContext;
  /** Takes the effect of a call once it is settled. */
  readonly recordEffect?: ((effect: Effect) => void) | undefined;
}

/** A call that happened. */
export interface JudgedFileCall<Result> {
  readonly result: Result;
  /** Records it; called once the caller has its answer, so that nobody waits for a digest. */
  readonly settle: () => void;
}

/** What the gate judges about a proven place: where it really is, and how it was written if that is elsewhere. */
export function actionOn(name: ActionName, { shownPath, resolvedPath }: ProvenPlace, writeMode?: string): Action {
  const isPlain = shownPath === resolvedPath;
  // Most of all: reads of a file by its own name.
  if (isPlain && writeMode === undefined) return { name, path: resolvedPath };
  return {
    name,
    path: resolvedPath,
    ...(isPlain ? {} : { writtenAs: shownPath }),
    ...(writeMode === undefined ? {} : { writeMode }),
  };
}

/** The facts of a call that is judged by that name. */
export function factsOf(caller: JudgedCaller, name: ActionName, input: { readonly path?: unknown }): CallFacts {
  return { id: caller.callId, tool: caller.name, name, arguments: input, path: input.path };
}

/** Digest of the file that a path leads to now; null where there is none. */
export function digestNow({ fs, powers }: JudgedTarget, path: unknown, verb: FileVerb): string | null {
  try {
    const target = fs.openForWriting(fs.parsePath(path, verb));
    try {
      const most = Math.max(powers.maxReadBytes, powers.maxWriteBytes);
      return target.existing === null ? null : powers.digest(target.existing.readAll(most));
    } finally {
      target.close();
    }
  } catch (error) {
    // Whatever stands there now is not what was shown; the caller says so.
    if (isPortholeError(error)) return `not readable: ${error.code}`;
    throw error;
  }
}
