import type { EditPlan } from './plan-edits.ts';
import type { Verdict } from './verdict.ts';

// Enough to see a pattern; the plan has them all.
const maxNamed = 5;

/** A mechanical verdict of which every edit was refused was none: a person has to look at it. */
export function settleVerdict(verdict: Verdict, { rejected }: EditPlan): Verdict {
  if (verdict.classification !== 'mechanical' || rejected.length < verdict.edits.length) return verdict;
  const named = rejected.slice(0, maxNamed).map(({ path, message }) => `${path}: ${message}`);
  const more = rejected.length > maxNamed ? `; and ${rejected.length - maxNamed} more` : '';
  const escalationReason = `Every edit was refused. ${named.join('; ')}${more}`;
  return { ...verdict, classification: 'escalate', escalationReason };
}
