import { createHash } from 'node:crypto';
import { isPortholeError } from '../../contract/errors.ts';
import { parseEditArguments } from '../edit-arguments.ts';
import type { EditResult } from '../edit-result.ts';
import { renderEditError, renderEditResult } from '../edit-text.ts';
import { planEdit } from '../plan-edit.ts';

/** What became of an edit. */
export interface MemoryEdit {
  /** The file afterwards. */
  readonly bytes: Uint8Array | null;
  readonly text: string;
  readonly code?: string;
  readonly result?: EditResult;
}

/** SHA-256 as Porthole writes it. */
export function digest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** One call of the edit tool on a file that exists only here. */
export function editInMemory(call: Readonly<Record<string, unknown>>, before: Uint8Array | string | null): MemoryEdit {
  const bytes = typeof before === 'string' ? new TextEncoder().encode(before) : before;
  const given = { path: 'f.txt', ...call };
  try {
    const args = parseEditArguments(given);
    const file = { shownPath: args.path, before: bytes };
    const { after, result } = planEdit(args, file, { digest, maxWriteBytes: 16 * 1024 * 1024 });
    return { bytes: args.dryRun ? bytes : Uint8Array.from(after), text: renderEditResult(result), result };
  } catch (error) {
    if (!isPortholeError(error)) throw error;
    return { bytes, text: renderEditError(error, String(given.path)), code: error.code };
  }
}
