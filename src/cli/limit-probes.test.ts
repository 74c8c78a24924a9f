import { describe, expect, it } from 'vitest';
import type { RunOutcome } from '../contract/outcome.ts';
import { fireLimits, type ProbedRuntimes } from './limit-probes.ts';

// A sandbox without limits: everything ends well.
function lawless(outcome: Partial<RunOutcome>): ProbedRuntimes {
  const whole = { status: 'completed', console: { lines: [], truncated: false }, ...outcome };
  const run = () => Promise.resolve(whole as RunOutcome); // all that is looked at
  return { live: { run }, staged: { run } };
}

describe('fireLimits()', () => {
  it('says of each limit that nothing stopped the program, where nothing did', async () => {
    const reports = await fireLimits(lawless({}));
    expect(reports).toHaveLength(13);
    for (const { isHeld, stoppedBy } of reports) {
      expect({ isHeld, stoppedBy }).toEqual({ isHeld: false, stoppedBy: 'nothing: it ended completed' });
    }
  });

  it('does not take one limit for another', async () => {
    const reports = await fireLimits(lawless({ status: 'limited', limit: 'time', ceiling: 1 }));
    expect(reports.filter(({ isHeld }) => isHeld).map(({ limit }) => limit)).toEqual(['timeMs', 'timeMs']);
  });
});
