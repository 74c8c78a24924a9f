/** A range of a text and what takes its place; an empty range is a place between two characters. */
export interface TextSplice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with every splice done. They count in the original; those at one place stay in the order they are given. */
export function applyTextSplices(text: string, splices: readonly TextSplice[]): string {
  const parts: string[] = [];
  let read = 0;
  for (const splice of splices.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    parts.push(text.slice(read, splice.start), splice.text);
    read = splice.end;
  }
  return parts.join('') + text.slice(read);
}
