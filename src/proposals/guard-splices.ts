import type { Splice } from '../text/splices.ts';
import { equalBytes } from '../text/utf8.ts';
import type { DocumentFormat, Tokens } from './documents/document-node.ts';
import type { ScalarChange } from './scalar-edit.ts';

/**
 * The first change after which the file would mean something else elsewhere; nothing if all is well. Both texts are
 * compared token by token, comments included: a parser that sees the same tokens but for the spelling of some scalars
 * builds the same document but for their values, and `writeScalar` has read these. `changes` are in the file's order.
 */
export function guardMeaning(
  before: Tokens,
  after: string,
  changes: readonly ScalarChange[],
  format: DocumentFormat,
): ScalarChange | undefined {
  const tokens = format.readTokens(after);
  if (tokens === undefined) return changes[0];
  let next = 0;
  for (const [index, source] of before.sources.entries()) {
    const change = changes[next];
    const isHere =
      change !== undefined && before.starts[index] === change.scalar.start && source === change.scalar.source;
    const isSame = tokens.sources[index] === (isHere ? change.written.source : source);
    if (!isSame) return isHere ? change : (changes[next - 1] ?? change);
    if (isHere) next++;
  }
  return tokens.sources.length === before.sources.length ? changes[next] : changes.at(-1);
}

/**
 * Whether two files share every byte outside the replaced ranges, which are in order and count in the first file. It
 * looks at bytes alone, so that it cannot repeat a mistake in the offsets of texts.
 */
export function guardBytes(before: Uint8Array, after: Uint8Array, splices: readonly Splice[]): boolean {
  let old = 0;
  let now = 0;
  for (const { start, end, bytes } of splices) {
    if (!equalBytes(before.subarray(old, start), after.subarray(now, now + start - old))) return false;
    now += start - old + bytes.length;
    old = end;
  }
  return equalBytes(before.subarray(old), after.subarray(now));
}
