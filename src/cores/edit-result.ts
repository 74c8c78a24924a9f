import type { EditMode } from './edit-arguments.ts';

/** What an edit did, or in a dry run would have done. Texts, audit and receipts are made from it. */
export interface EditResult {
  /** As results show it. */
  readonly path: string;
  readonly mode: EditMode;
  readonly dryRun: boolean;
  readonly created: boolean;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** `null` for a new file, and for one that was too large to be read. */
  readonly digestBefore: string | null;
  readonly digestAfter: string;
  /** The replacements in the order of the call; empty for the other modes. */
  readonly edits: readonly EditFacts[];
  /** Where the replacements stand now, in the order of the file; empty for the other modes. */
  readonly nowReads: readonly NowRead[];
  /** For `append`: the file had text and no final line break, so the new text goes on in its last line. */
  readonly continuedLastLine?: true;
  /** How many hard links the file had, if this one was split off from them. */
  readonly splitFromLinks?: number;
  /** A unified diff, or one line about sizes for a binary or large file. */
  readonly diff: string;
}

/** One replacement. */
export interface EditFacts {
  /** Where it began in the original file. */
  readonly line: number;
  /** The line that was asked for, when it was another one. */
  readonly movedFrom?: number;
  /** For a moved edit, the text that told the right line, quoted. */
  readonly found?: string;
  /** The line number as it was sent, when it was sent as text. */
  readonly lineAsText?: string;
  /** The blanks that were put before the new text. */
  readonly keptIndentation?: string;
}

/** Lines of the new file that hold a replacement. */
export interface NowRead {
  readonly firstLine: number;
  readonly lastLine: number;
  /** The first of these lines, quoted; none at the end of the file. */
  readonly lines: readonly string[];
}
