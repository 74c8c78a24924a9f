import type { Splice } from './splices.ts';

/** An edit after its place was found in the file: what will be done, and what is worth telling about it. */
export interface ResolvedEdit {
  readonly splice: Splice;
  /** Number of the line where the edit begins, in the original file. */
  readonly line: number;
  /** The number that was asked for, when another line was the one that held the text. */
  readonly movedFrom?: number;
  /** The leading blanks of the old line, when they were put before the new text. */
  readonly keptIndentation?: string;
}
