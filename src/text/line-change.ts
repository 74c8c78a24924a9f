/** Lines of the old text, `[oldStart, oldEnd)` counted from 0, and the lines of the new text in their place. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}
