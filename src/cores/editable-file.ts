import { PortholeError } from '../contract/errors.ts';
import { findNul } from '../text/utf8.ts';
import { findEncodingMark } from './not-utf8.ts';

/** The largest file that is searched and changed in place; larger ones are written whole or appended to. */
export const maxReplaceBytes = 1024 * 1024;

/**
 * Refuses what cannot be edited as text: too large, UTF-16 or UTF-32, or with a NUL byte. Other bytes that are no UTF-8
 * are no obstacle.
 * @throws {@link PortholeError} `FILE_TOO_LARGE`, `NOT_UTF8`, `FILE_BINARY`
 */
export function checkEditable(bytes: Uint8Array): void {
  if (bytes.length > maxReplaceBytes) {
    const message = `the file has ${bytes.length} bytes; mode "replace" takes files of at most ${maxReplaceBytes}`;
    throw new PortholeError('FILE_TOO_LARGE', message, { hint: 'Write the whole file, or append to it.' });
  }
  const encoding = findEncodingMark(bytes);
  if (encoding !== undefined)
    throw new PortholeError('NOT_UTF8', `the file is not UTF-8: it begins with a ${encoding} mark`);
  const position = findNul(bytes);
  if (position !== -1) throw new PortholeError('FILE_BINARY', `the file is binary: byte ${position} is NUL`);
}

/** @throws {@link PortholeError} `FILE_BINARY` for new text that would make the file binary */
export function checkContent(content: string): void {
  if (content.includes('\0')) throw new PortholeError('FILE_BINARY', 'content holds a NUL character; nothing changed');
}
