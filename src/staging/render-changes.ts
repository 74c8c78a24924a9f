import type { Change } from '../contract/change-set.ts';

/** The change set as a JSON document: paths, kinds, digests and sizes, without the bytes. */
export function renderChanges(changes: readonly Change[]): string {
  return `${JSON.stringify({ changes }, null, 2)}\n`;
}
