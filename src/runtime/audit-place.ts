import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The directory of a root's logs. */
export function auditDirectory(state: string, root: string): string {
  return join(state, 'audit', auditDirectoryName(root));
}

/** What that directory is called. */
export function auditDirectoryName(root: string): string {
  // The root's own name stands first for people; the digest keeps roots of one name apart.
  const name = (root.split(/[\\/]/).at(-1) ?? '').replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 40) || 'root';
  return `${name}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
}

/** The log file of a process on a root, where nobody named one: they sort by their start. */
export function defaultAuditPath(state: string, root: string, start: { now: number; pid: number }): string {
  const time = new Date(start.now).toISOString().replace(/[:.]/g, '-');
  return join(auditDirectory(state, root), `${time}-${start.pid}.jsonl`);
}
