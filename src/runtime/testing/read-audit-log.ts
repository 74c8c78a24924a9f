import { readFileSync } from 'node:fs';
import type { AuditEvent } from '../../contract/audit-event.ts';

/** The events of a log file. */
export function readAuditLog(path: string): readonly AuditEvent[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as AuditEvent); // written by the log under test
}
