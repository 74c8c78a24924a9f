import { renderBase85Lines } from './git-base85.ts';
import { type FileChange, renderPatchHeader } from './unified-diff.ts';
import { concatBytes, encodeUtf8 } from './utf8.ts';

/** What a binary patch takes from the world. */
export interface PatchPowers {
  /** Compresses as zlib does, header and checksum included. */
  readonly deflate: (bytes: Uint8Array) => Uint8Array;
  /** SHA-1 of the bytes as 40 lower-case hex digits: git's name for what it compares, nothing rests on its strength. */
  readonly sha1Hex: (bytes: Uint8Array) => string;
}

/**
 * The change as a git binary patch: whole contents, forth and back, so that `git apply` and `git apply -R` both work.
 * All of it is ASCII.
 */
export function renderBinaryPatch(change: FileChange, powers: PatchPowers): string {
  const { before, after } = change;
  const index = `index ${blobId(before, powers)}..${blobId(after, powers)}\n`;
  const contents = [after, before].map((bytes) => renderLiteral(bytes ?? new Uint8Array(), powers));
  return `${renderPatchHeader(change)}${index}GIT binary patch\n${contents.join('')}`;
}

// git reads a binary patch only with full names of what it starts from and of what it makes.
function blobId(bytes: Uint8Array | null, { sha1Hex }: PatchPowers): string {
  if (bytes === null) return '0'.repeat(40);
  return sha1Hex(concatBytes([encodeUtf8(`blob ${bytes.length}\0`), bytes]));
}

function renderLiteral(bytes: Uint8Array, { deflate }: PatchPowers): string {
  return `literal ${bytes.length}\n${renderBase85Lines(deflate(bytes))}\n`;
}
