import { PortholeError } from '../contract/errors.ts';
import type { Powers } from '../contract/powers.ts';
import { byteOrderMarkSize, CR, LF } from '../text/byte-lines.ts';
import { dropOneEnding } from '../text/line-edit.ts';
import { quoteText } from '../text/shown-line.ts';
import { concatBytes, encodeUtf8 } from '../text/utf8.ts';
import type { EditArguments } from './edit-arguments.ts';
import { renderEditDiff, renderSizes } from './edit-diff.ts';
import type { EditFacts, EditResult } from './edit-result.ts';
import { checkEditable } from './editable-file.ts';
import { readNow } from './now-reads.ts';
import { applyReplacements, type PlacedReplacement } from './replacements.ts';

/** The file an edit is planned for. */
export interface FileToEdit {
  /** As results show it. */
  readonly shownPath: string;
  /** `null` where there is no file yet, or where it was not read. */
  readonly before: Uint8Array | null;
  /** Size of a file that is there and was too large to be read: only `write` can do without its bytes. */
  readonly unreadBytes?: number;
}

/** Powers and ceilings of {@link planEdit}. */
export interface PlanEditOptions {
  readonly digest: Powers['digest'];
  /** The largest file an edit may leave. */
  readonly maxWriteBytes: number;
}

/** An edit that passed every check that looks at the file: what is to be written, and what there is to tell about it. */
export interface EditPlan {
  readonly after: Uint8Array;
  readonly result: EditResult;
}

/**
 * From arguments and the file's bytes to the bytes to be written. Pure: nothing is read or written here.
 * @throws {@link PortholeError} `CHANGED_SINCE_READ`, `NOT_FOUND`, `FILE_TOO_LARGE`, `NOT_UTF8`, `FILE_BINARY`, the
 *   codes of finding the place, `EDITS_OVERLAP`, `NO_CHANGE`, `EDIT_GUARD`
 */
export function planEdit(args: EditArguments, file: FileToEdit, options: PlanEditOptions): EditPlan {
  const { before, shownPath: path } = file;
  if (args.expect !== undefined && (before === null || args.expect !== options.digest(before))) {
    throw new PortholeError('CHANGED_SINCE_READ', `${quoteText(path)} is not the file that was read; nothing changed`);
  }
  const { after, ...told } = applyEdit(args, file);
  if (after.length > options.maxWriteBytes) {
    const message = `the file would have ${after.length} bytes, more than ${options.maxWriteBytes}; nothing changed`;
    throw new PortholeError('FILE_TOO_LARGE', message);
  }
  const result: EditResult = {
    path,
    mode: args.mode,
    dryRun: args.dryRun,
    created: before === null && file.unreadBytes === undefined,
    bytesBefore: before?.length ?? file.unreadBytes ?? 0,
    bytesAfter: after.length,
    digestBefore: before === null ? null : options.digest(before),
    digestAfter: options.digest(after),
    ...told,
    diff:
      file.unreadBytes === undefined
        ? renderEditDiff(path, before, after)
        : renderSizes(file.unreadBytes, after.length),
  };
  return { after, result };
}

type AppliedEdit = { readonly after: Uint8Array } & Pick<EditResult, 'edits' | 'nowReads' | 'continuedLastLine'>;

function applyEdit(args: EditArguments, { before, shownPath }: FileToEdit): AppliedEdit {
  switch (args.mode) {
    case 'write':
      return { after: encodeUtf8(args.content), edits: [], nowReads: [] };
    case 'append':
      return appendText(before ?? new Uint8Array(), args.content);
    case 'replace': {
      if (before === null) throw new PortholeError('NOT_FOUND', `${quoteText(shownPath)} does not exist`);
      checkEditable(before);
      const { after, placed } = applyReplacements(before, args.edits, args.isList);
      const splices = placed.map(({ resolved }) => resolved.splice);
      return { after, edits: placed.map(tellFacts), nowReads: readNow(after, splices) };
    }
  }
}

function appendText(before: Uint8Array, content: string): AppliedEdit {
  const added = encodeUtf8(content);
  const after = concatBytes([before, added]);
  const last = before.at(-1);
  const isOpen = before.length > byteOrderMarkSize(before) && last !== LF && last !== CR;
  return { after, edits: [], nowReads: [], ...(isOpen && { continuedLastLine: true }) };
}

function tellFacts({ asked, resolved }: PlacedReplacement): EditFacts {
  const { line, movedFrom, keptIndentation } = resolved;
  return {
    line,
    ...(movedFrom !== undefined && { movedFrom, found: quoteText(dropOneEnding(asked.find)) }),
    ...('line' in asked && asked.lineAsText !== undefined && { lineAsText: asked.lineAsText }),
    ...(keptIndentation !== undefined && { keptIndentation }),
  };
}
