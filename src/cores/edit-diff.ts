import { codePointAt, codePointSize, invalidByte } from '../text/code-point.ts';
import { renderUnifiedDiff } from '../text/unified-diff.ts';
import { findNul } from '../text/utf8.ts';

// Nobody reads a longer one, and computing it takes time while someone waits.
const maxDiffedBytes = 1024 * 1024;

/** The diff that approvers see and results carry, as text: bytes that are no UTF-8 stand in it as `\xE9`. */
export function renderEditDiff(path: string, before: Uint8Array | null, after: Uint8Array): string {
  if (isOpaque(before ?? after) || isOpaque(after)) {
    return renderSizes(before?.length ?? 0, after.length);
  }
  return decodeVisibly(renderUnifiedDiff({ path, before, after }));
}

/** What stands in place of a diff that would help nobody. */
export function renderSizes(bytesBefore: number, bytesAfter: number): string {
  return `binary or large file, ${renderBytes(bytesBefore)} -> ${renderBytes(bytesAfter)}`;
}

/** A number of bytes in words. */
export function renderBytes(count: number): string {
  return `${count} ${count === 1 ? 'byte' : 'bytes'}`;
}

function isOpaque(bytes: Uint8Array): boolean {
  return bytes.length > maxDiffedBytes || findNul(bytes) !== -1;
}

function decodeVisibly(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeByCharacter(bytes);
  }
}

function decodeByCharacter(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const codePoint = codePointAt(bytes, index);
    if (codePoint !== invalidByte) text += String.fromCodePoint(codePoint);
    else text += `\\x${(bytes[index] ?? 0).toString(16).toUpperCase()}`;
    index += codePointSize(codePoint);
  }
  return text;
}
