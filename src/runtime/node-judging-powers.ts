import { hash } from 'node:crypto';
import type { Powers } from '../contract/powers.ts';
import type { StartTimer } from '../policy/approver.ts';
import type { GatePowers } from '../policy/gate-port.ts';

/** SHA-256 of a text's UTF-8, lower-case hex. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}

/** SHA-256 of a text's UTF-8 as `sha256:<hex>`. */
export function digestText(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

/** What a gate takes from this process. */
export function nodeGatePowers(
  { now, newId }: Pick<Powers, 'now' | 'newId'>,
  policyDigestNow: () => string,
): GatePowers {
  return { now, newId, digestText, startTimer, policyDigestNow };
}

// The timer keeps the process alive: an open question is work in progress.
const startTimer: StartTimer = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};
