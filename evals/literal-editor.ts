import type { EditCall } from './callers.ts';

/**
 * What an editor without the rules makes of a call: the number and the new text taken to the letter, a line that does
 * not hold `find` and a number that is no number refused. The yardstick for what the rules are worth.
 */
export function editLiterally(before: string, { line, find, content }: EditCall): string {
  if (typeof line !== 'number' || typeof content !== 'string') return before;
  const lines = before.split('\n');
  const old = lines[line - 1];
  if (old === undefined || !old.includes(String(find ?? ''))) return before;
  return lines.with(line - 1, content + (old.endsWith('\r') ? '\r' : '')).join('\n');
}
