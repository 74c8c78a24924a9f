import { isPortholeError, PortholeError } from '../contract/errors.ts';
import { guardEdits, type NamedEdit } from '../text/edit-guard.ts';
import { resolveLineEdit } from '../text/line-edit.ts';
import type { ResolvedEdit } from '../text/resolved-edit.ts';
import { applySplices, isOverlap } from '../text/splices.ts';
import { resolveTextEdit } from '../text/text-edit.ts';
import { equalBytes } from '../text/utf8.ts';
import { nameEdit, type Replacement } from './edit-arguments.ts';
import { checkContent } from './editable-file.ts';

/** A replacement and the place that was found for it. */
export interface PlacedReplacement {
  readonly asked: Replacement;
  readonly resolved: ResolvedEdit;
}

/**
 * Does all replacements, each against the original bytes, or none.
 * @throws {@link PortholeError} for the first replacement, in the order given, that fails; in a list the message ends
 *   with its number
 */
export function applyReplacements(
  before: Uint8Array,
  edits: readonly Replacement[],
  isList: boolean,
): { readonly after: Uint8Array; readonly placed: readonly PlacedReplacement[] } {
  const placed: PlacedReplacement[] = [];
  for (const [index, asked] of edits.entries()) {
    try {
      placed.push({ asked, resolved: placeReplacement(before, asked, placed) });
    } catch (error) {
      throw isList && isPortholeError(error) ? nameEdit(error, index + 1) : error;
    }
  }
  const after = splice(before, placed);
  if (equalBytes(before, after)) throw new PortholeError('NO_CHANGE', 'the file already reads so; nothing changed');
  const refused = guardResult(before, after, placed);
  if (refused !== undefined) throw isList ? findRefused(before, placed) : refused;
  return { after, placed };
}

function placeReplacement(before: Uint8Array, asked: Replacement, others: readonly PlacedReplacement[]): ResolvedEdit {
  checkContent(asked.content);
  const resolved = 'line' in asked ? resolveLineEdit(before, asked) : resolveTextEdit(before, asked);
  if (others.some((other) => isOverlap(other.resolved.splice, resolved.splice))) {
    const message = `the edit at line ${resolved.line} overlaps an earlier one of the list; nothing changed`;
    throw new PortholeError('EDITS_OVERLAP', message);
  }
  return resolved;
}

function splice(before: Uint8Array, placed: readonly PlacedReplacement[]): Uint8Array {
  return applySplices(
    before,
    placed.map(({ resolved }) => resolved.splice),
  );
}

function guardResult(
  before: Uint8Array,
  after: Uint8Array,
  placed: readonly PlacedReplacement[],
): PortholeError | undefined {
  try {
    guardEdits(before, after, placed.map(nameForGuard));
    return undefined;
  } catch (error) {
    if (isPortholeError(error)) return error;
    throw error;
  }
}

function nameForGuard({ asked, resolved }: PlacedReplacement): NamedEdit {
  if ('line' in asked) return { kind: 'line', line: resolved.line, content: asked.content };
  return { kind: 'text', at: resolved.splice.start, find: asked.find, content: asked.content };
}

/** The refusal for a replacement without which those before it would have passed. */
function findRefused(before: Uint8Array, placed: readonly PlacedReplacement[]): PortholeError {
  const tryFirst = (count: number) => {
    const some = placed.slice(0, count);
    return guardResult(before, splice(before, some), some);
  };
  let passing = 0;
  let failing = placed.length;
  while (failing - passing > 1) {
    const middle = (passing + failing) >> 1;
    if (tryFirst(middle) === undefined) passing = middle;
    else failing = middle;
  }
  const error = tryFirst(failing) ?? new PortholeError('EDIT_GUARD', 'the edits were refused; nothing changed');
  return nameEdit(error, failing);
}
