import { dirname } from 'node:path';
import { createJsonlSink } from '../audit/jsonl-sink.ts';
import { type AuditLog, type AuditPowers, createAuditLog } from '../audit/log.ts';
import { PortholeError } from '../contract/errors.ts';
import { openAppendLog } from '../fs/append-log.ts';
import { makePrivateDirectory } from '../fs/private-directory.ts';
import { pruneLogs } from '../fs/prune-logs.ts';

/** Where and how a runtime's log is kept. */
export interface AuditChoice {
  /** An absolute path, or that there is no file. */
  readonly to: { readonly path: string; readonly isOwn: boolean } | 'memory' | 'off';
  readonly content: boolean;
  readonly fsync: boolean;
}

// Evidence of a month at least, and of a hundred processes however long ago; what piles up beyond is removed.
const newestKept = 100;
const youngMs = 30 * 24 * 60 * 60 * 1000;
const mostRemoved = 100;

/** Opens the log of a runtime; the directory of one in the state directory is made, and old logs in it are removed. */
export function openAudit({ to, content, fsync, powers }: AuditChoice & { readonly powers: AuditPowers }): AuditLog {
  if (typeof to === 'string') return createAuditLog({ sink: to, content, powers });
  if (to.isOwn) {
    makeDirectoryFor(to.path);
    pruneLogs(dirname(to.path), { newest: newestKept - 1, writtenAfterMs: powers.now() - youngMs, mostRemoved });
  }
  const log = openAppendLog(to.path, { fsync });
  try {
    return createAuditLog({ sink: createJsonlSink(log, powers.sha256Hex), content, powers });
  } catch (error) {
    // Nobody else may be kept out by a log that is not used.
    log.close();
    throw error;
  }
}

function makeDirectoryFor(path: string): void {
  try {
    makePrivateDirectory(dirname(path));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PortholeError('AUDIT_UNAVAILABLE', `Cannot make the directory of the audit log: ${why}`, { cause });
  }
}
