import { judgeRead } from '../calls/judged-read.ts';
import { actionOn, type JudgedCaller, type JudgedTarget } from '../calls/judged-target.ts';
import { PortholeError } from '../contract/errors.ts';
import { once } from '../cores/once.ts';
import { readFile } from '../cores/read-file.ts';
import { type EditableScalar, listScalars } from './list-scalars.ts';

/** What may be edited below the root, and what was left out of it. */
export interface ReadScalars {
  readonly scalars: readonly EditableScalar[];
  /** Files that are allowed and were not shown, with the reason. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

// A model that has to choose among more chooses badly, and pays for each.
const maxScalars = 5_000;
// Longer values are texts; nobody has a model copy one to change it.
const maxValueCharacters = 1_000;

/**
 * Lists the editable scalars of files, each read through the gate like any other.
 * @throws PortholeError `ARGUMENT_INVALID` for more scalars than a model can choose from, or for none
 */
export async function readScalars(
  target: JudgedTarget,
  caller: JudgedCaller,
  paths: readonly string[],
): Promise<ReadScalars> {
  const scalars: EditableScalar[] = [];
  const left: { path: string; reason: string }[] = [];
  for (const path of paths) {
    const bytes = await readAllowed(target, caller, path);
    if (typeof bytes === 'string') left.push({ path, reason: bytes });
    else
      for (const scalar of listScalars(path, bytes))
        if (scalar.value.length <= maxValueCharacters) scalars.push(scalar);
    if (scalars.length > maxScalars) throw unusable(`there are more than ${maxScalars} values to choose from`);
  }
  if (scalars.length === 0) throw unusable('the allowlist covers no value in a YAML, JSON, JSONC or TOML file');
  return { scalars, left };
}

/** The bytes of a file, read through the gate, or why it was not. */
export async function readAllowed(
  target: JudgedTarget,
  caller: JudgedCaller,
  path: string,
): Promise<Uint8Array | string> {
  const { callId: id, name: tool, context } = caller;
  try {
    const { result, settle } = await judgeRead(
      context,
      { id, tool, name: 'file_read', arguments: { path }, path },
      (admit) => {
        const { bytes } = readFile(target.fs, { path }, target.powers, (_path, place) => {
          if (place.shownPath !== place.resolvedPath) throw new PortholeError('LINK_COUNT', 'path goes through a link');
          admit(actionOn('file_read', place));
        });
        return { result: bytes, bytes: bytes.length, digest: once(() => target.powers.digest(bytes)) };
      },
    );
    settle();
    return result;
  } catch (error) {
    // One file less to choose from; that it is missing is told.
    if (error instanceof PortholeError && error.code !== 'RUNTIME_CLOSED') return error.message;
    throw error;
  }
}

function unusable(what: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot ask for a proposal: ${what}`, {
    hint: 'Name the files by --allow and --scope: as few as the goal needs.',
  });
}
