import { parseInstant } from '../runtime/instant.ts';
import type { RunOptions } from '../runtime/run-options.ts';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** `--seed` and `--now`. @throws UsageError */
export function parseClockFlags(args: ParsedArguments): Pick<RunOptions, 'seed' | 'now'> {
  const seed = args.value('seed');
  const now = args.value('now');
  if (seed !== undefined && !/^-?\d+$/.test(seed))
    throw new UsageError(`--seed takes a whole number, not ${JSON.stringify(seed)}`);
  if (now !== undefined && parseInstant(now) === undefined) {
    const hint = 'Give it its zone: 2030-01-01T12:00:00Z, 2030-01-01T12:00+02:00, or a day alone, which is UTC.';
    throw new UsageError(`--now takes an ISO 8601 time, not ${JSON.stringify(now)}`, hint);
  }
  return { ...(seed === undefined ? {} : { seed: BigInt(seed) }), ...(now === undefined ? {} : { now }) };
}
