import { quoteText } from '../text/shown-line.ts';

/** A path inside a sentence: as it is, or quoted where it could be taken for something else. */
export function showPath(path: string): string {
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}"]/u.test(path) ? quoteText(path) : path;
}
