import { nearestName } from '../text/nearest-name.ts';
import { UsageError } from './usage-error.ts';

/** What a name may be, and the words for it. */
export interface NameRule {
  readonly kind: string;
  readonly known: readonly string[];
  readonly help: string;
}

/** A name out of a list. @throws UsageError naming the nearest */
export function requireName(given: string | undefined, { kind, known, help }: NameRule): string {
  if (given === undefined) throw new UsageError(`which ${kind}?`, help);
  if (known.includes(given)) return given;
  const nearest = nearestName(given, known);
  throw new UsageError(`there is no ${kind} ${given}`, nearest === undefined ? help : `Did you mean ${nearest}?`);
}
