import { isPortholeError } from '../contract/errors.ts';
import type { Powers } from '../contract/powers.ts';
import { fileError } from '../fs/file-error.ts';
import type { RootPath } from '../fs/path-rules.ts';
import type { ExistingFile, FileSystem, ProvenPlace, WriteTarget } from '../fs/port.ts';
import { concatBytes, countCodePoints, findInvalidUtf8, indexOfCodePoint } from '../text/utf8.ts';
import { notUtf8 } from './not-utf8.ts';
import { once } from './once.ts';
import {
  parseWriteRequest,
  refuseTooLarge,
  type WriteInput,
  type WriteMode,
  type WriteRequest,
} from './write-request.ts';

/** What writing needs besides the files. */
export interface WritePowers extends Pick<Powers, 'digest'> {
  /** Most bytes of the content and of the resulting file. */
  readonly maxWriteBytes: number;
  /** Larger files are replaced without having been read. */
  readonly maxReadBytes: number;
}

/** A write that was checked and computed, and has not happened. It holds the place until it is closed. */
export interface WritePlan extends Disposable {
  readonly shownPath: string;
  readonly resolvedPath: string;
  /** See {@link WriteTarget.lockKey}. */
  readonly lockKey: string;
  readonly mode: WriteMode;
  /** True if there is no such file yet. */
  readonly creates: boolean;
  readonly isExecutable: boolean;
  readonly charsWritten: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** What the file holds; null if there is none, or it was too large or not allowed to be read. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  /** Digest of {@link before}. */
  readonly digestBefore: () => string | null;
  /** Digest of {@link after}. */
  readonly digest: () => string;
  /** Writes. @throws PortholeError `CHANGED_SINCE_READ` if the file is not what the plan was made for */
  readonly commit: () => WriteResult;
  /** May be called again. */
  readonly close: () => void;
}

/** A write that happened. */
export interface WriteResult {
  readonly shownPath: string;
  readonly resolvedPath: string;
  readonly mode: WriteMode;
  readonly charsWritten: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly created: boolean;
  /** Digest of the file as it is now. */
  readonly digest: () => string;
  /** Digest of what was there; null if there was nothing, or it was not read. */
  readonly digestBefore: () => string | null;
  /** How many names the old file had, if this one was split off from them; else null. */
  readonly splitFromLinks: number | null;
}

/**
 * Checks a write and computes what the file will hold. Nothing on the disk changes before `commit()`, so that
 * somebody can be asked and the intent recorded in between. `admit` may refuse after the arguments and the path were
 * judged, before anything is learnt from what the file holds.
 * @throws PortholeError `ARGUMENT_INVALID`, `CONTENT_NOT_WELL_FORMED`, `FILE_TOO_LARGE`, `OFFSET_PAST_END`,
 * `NOT_UTF8`, `NOT_FOUND`, `CHANGED_SINCE_READ`, and what opening for writing throws
 */
export function planWrite(
  fs: FileSystem,
  input: WriteInput,
  powers: WritePowers,
  admit: (path: RootPath, place: ProvenPlace) => void = () => undefined,
): WritePlan {
  const path = fs.parsePath(input.path, 'write');
  const request = parseWriteRequest(path, input, powers.maxWriteBytes);
  const target = fs.openForWriting(path);
  try {
    admit(path, target);
    const before = readBefore(target, path, request, powers);
    const after = computeAfter(path, request, before, powers.maxWriteBytes);
    return createPlan(target, request, { before, after }, powers);
  } catch (error) {
    target.close();
    throw error;
  }
}

/** Plans and commits at once. */
export function writeFile(fs: FileSystem, input: WriteInput, powers: WritePowers): WriteResult {
  const plan = planWrite(fs, input, powers);
  try {
    return plan.commit();
  } finally {
    plan.close();
  }
}

// The bytes the write starts from. A whole replacement needs none, so a file it cannot read is no obstacle.
function readBefore(
  target: WriteTarget,
  path: RootPath,
  request: WriteRequest,
  powers: WritePowers,
): Uint8Array | null {
  const { existing } = target;
  const before = existing && readExisting(existing, request, powers);
  if (request.expect !== null && (before === null || powers.digest(before) !== request.expect)) {
    throw fileError('CHANGED_SINCE_READ', path, 'the file is not what was read, and nothing was written');
  }
  return before;
}

function readExisting(existing: ExistingFile, { mode, expect }: WriteRequest, powers: WritePowers): Uint8Array | null {
  const most = Math.max(powers.maxReadBytes, powers.maxWriteBytes);
  if (existing.size > most && mode === 'w') return null;
  try {
    return existing.readAll(most);
  } catch (error) {
    if (mode === 'w' && expect === null && isPortholeError(error, 'PERMISSION_DENIED')) return null;
    throw error;
  }
}

function computeAfter(path: RootPath, request: WriteRequest, before: Uint8Array | null, maxBytes: number): Uint8Array {
  const { content, mode, offset } = request;
  if (mode === 'w') return content;
  if (before === null) {
    if (mode === 'a') return content;
    throw fileError('NOT_FOUND', path, 'there is no such file to insert into');
  }
  refuseTooLarge(path, 'the file would have', before.length + content.length, maxBytes);
  if (mode === 'a') return concatBytes([before, content]);
  const at = positionOf(path, before, offset);
  return concatBytes([before.subarray(0, at), content, before.subarray(at)]);
}

function positionOf(path: RootPath, before: Uint8Array, offset: number): number {
  const invalid = findInvalidUtf8(before);
  if (invalid >= 0) throw notUtf8(path, invalid, before);
  const at = indexOfCodePoint(before, offset);
  if (at === before.length) {
    const length = countCodePoints(before);
    if (offset > length) {
      throw fileError(
        'OFFSET_PAST_END',
        path,
        `offset ${offset} lies behind the end, the file has ${length} characters`,
      );
    }
  }
  return at;
}

interface Contents {
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

// Written out: spreading objects with functions in them takes longer than the system calls of a write.
function createPlan(target: WriteTarget, request: WriteRequest, contents: Contents, powers: WritePowers): WritePlan {
  const { before, after } = contents;
  const { shownPath, resolvedPath, existing } = target;
  const { mode } = request;
  const charsWritten = countCodePoints(request.content);
  const digestBefore = once(() => before && powers.digest(before));
  const digest = once(() => powers.digest(after));
  const commit = (): WriteResult => {
    const { created, bytesBefore, bytesAfter, splitFromLinks } = target.replace(after, before ?? undefined);
    return {
      shownPath,
      resolvedPath,
      mode,
      charsWritten,
      bytesBefore,
      bytesAfter,
      created,
      digest,
      digestBefore,
      splitFromLinks,
    };
  };
  return {
    shownPath,
    resolvedPath,
    lockKey: target.lockKey,
    mode,
    creates: existing === null,
    isExecutable: existing?.isExecutable ?? false,
    charsWritten,
    bytesBefore: existing?.size ?? 0,
    bytesAfter: after.length,
    before,
    after,
    digestBefore,
    digest,
    commit,
    close: target.close,
    [Symbol.dispose]: target.close,
  };
}
