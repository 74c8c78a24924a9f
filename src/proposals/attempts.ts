import { PortholeError } from '../contract/errors.ts';
import { renderVisibleLine } from '../text/visible-text.ts';

/** Counts how often a change was tried: what it says must survive restarts. */
export interface AttemptStore {
  /** How many attempts of that change are on record. */
  readonly used: (change: string) => Promise<number>;
  /** Puts one more on record and tells how many there are now; undefined where there are `max` already. */
  readonly take: (change: string, max: number) => Promise<number | undefined>;
}

/** The cap on the attempts of one change. */
export interface AttemptCap {
  /** Identifies the change, such as a pull request. */
  readonly change: string;
  readonly max: number;
  readonly store: AttemptStore;
}

/** What a receipt says of attempts; `recorded` is false where nothing was about to be written. */
export type AttemptReport =
  | { readonly change: null; readonly note: string }
  | { readonly change: string; readonly used: number; readonly max: number; readonly recorded: boolean };

/** A model that failed twice at one change needs a person, not a third try. */
export const defaultMaxAttempts = 2;

/** What a receipt says where nobody named the change. */
export const uncapped: AttemptReport = { change: null, note: 'no change was named, so its attempts are not counted' };

/**
 * Looks whether an attempt is left, before anything is paid for or looked at. Puts nothing on record.
 * @throws PortholeError `ATTEMPTS_SPENT`
 */
export async function checkAttempts(cap: AttemptCap | undefined): Promise<AttemptReport> {
  if (cap === undefined) return uncapped;
  const { change, max, store } = cap;
  const used = await usedOf(store, change);
  if (used >= max) throw spent(cap, used);
  return { change, used, max, recorded: false };
}

/**
 * Puts an attempt on record; whoever calls it is about to write, and must not where this throws.
 * @throws PortholeError `ATTEMPTS_SPENT`, and what the store throws
 */
export async function takeAttempt(cap: AttemptCap | undefined): Promise<AttemptReport> {
  if (cap === undefined) return uncapped;
  const { change, max, store } = cap;
  const used = await store.take(change, max);
  if (used === undefined) throw spent(cap, Math.max(await usedOf(store, change), max));
  // A store that does not count would let a change be tried for ever.
  if (!Number.isSafeInteger(used) || used < 1 || used > max) throw miscounted(used);
  return { change, used, max, recorded: true };
}

/** How a change stands with its attempts, in words. */
export function renderAttempts(report: AttemptReport): string {
  if (report.change === null) return report.note;
  const { change, used, max, recorded } = report;
  const which = recorded ? `attempt ${used} of ${max}` : `no attempt taken, ${used} of ${max} before`;
  return `${which} for ${renderVisibleLine(change)}`;
}

async function usedOf(store: AttemptStore, change: string): Promise<number> {
  const used = await store.used(change);
  if (!Number.isSafeInteger(used) || used < 0) throw miscounted(used);
  return used;
}

function spent({ change, max }: AttemptCap, used: number): PortholeError {
  const message = `Cannot try ${renderVisibleLine(change)} again: ${used} of ${max} attempts are spent`;
  return new PortholeError('ATTEMPTS_SPENT', message, { details: { change, used, max } });
}

function miscounted(used: unknown): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot count attempts: the store answered ${String(used)}`, {
    hint: 'A store of attempts answers with whole numbers.',
  });
}
