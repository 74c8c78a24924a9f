import type { AuditDetails } from '../contract/audit-event.ts';
import type { Answer, Question } from './approver.ts';
import type { GateOptions } from './gate-port.ts';
import { createGrant, type Grant } from './grants.ts';

/** The grant of this run that a yes added, if one, and what the log tells of it. */
export interface KeptGrant {
  readonly grant: Grant | undefined;
  readonly facts: Pick<AuditDetails['approval.answered'], 'scope' | 'grant' | 'downgradedFrom' | 'notKept'>;
}

/** Turns a yes wider than `once` into a grant, and keeps it where its scope outlives the run. */
export async function keepGrant(options: GateOptions, question: Question, answer: Answer): Promise<KeptGrant> {
  if (answer.decision !== 'yes') return { grant: undefined, facts: {} };
  const { root, powers } = options;
  const { name, level, run } = question;
  const grant = createGrant({ scope: answer.scope, name, level, run, root }, powers.newId(), powers.now());
  if (grant === undefined) return { grant, facts: {} };
  const { scope, downgradedFrom } = grant;
  const facts = { scope, grant: grant.id, ...(downgradedFrom === undefined ? {} : { downgradedFrom }) };
  if (scope === 'run') return { grant, facts };
  try {
    await options.grants.add(grant);
    return { grant: undefined, facts };
  } catch (error) {
    // It counts for this run all the same; that it is not kept is said, not hidden.
    return { grant, facts: { ...facts, notKept: error instanceof Error ? error.message : String(error) } };
  }
}
