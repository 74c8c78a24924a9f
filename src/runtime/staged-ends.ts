import { PortholeError } from '../contract/errors.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { WriteBackReport } from '../contract/write-back.ts';
import type { KeptEnd } from './program-wiring.ts';
import { parseWriteBackOptions, type WriteBackOptions } from './run-options.ts';
import type { Wiring } from './wiring.ts';

/** What staged runs left, by their outcomes: kept as long as somebody keeps the outcome. */
export interface StagedEnds {
  readonly keep: (outcome: RunOutcome, end: KeptEnd) => void;
  readonly renderDiff: (outcome: RunOutcome) => Promise<string>;
  readonly writeBack: (outcome: RunOutcome, options: WriteBackOptions | undefined) => Promise<WriteBackReport | null>;
}

/** Creates the store of a runtime. */
export function createStagedEnds(wiring: Wiring): StagedEnds {
  const ends = new WeakMap<RunOutcome, KeptEnd>();
  return {
    keep: (outcome, end) => void ends.set(outcome, end),
    renderDiff: async (outcome) => {
      const end = endOf(ends, outcome, 'render the changes');
      if (end === undefined) return '';
      const { renderStagedDiff } = await import('./staged-run.ts');
      return renderStagedDiff(end);
    },
    writeBack: async (outcome, given) => {
      const { dryRun, signal } = parseWriteBackOptions(given);
      const end = endOf(ends, outcome, 'write back');
      if (end === undefined) return null;
      const { writeStagedBack } = await import('./staged-run.ts');
      const copyRw = end.staged.baseline.inputs.some(({ isWritable }) => isWritable);
      // The run itself is over; what happens now belongs to it all the same.
      const judged = wiring.judging.openRun({
        id: outcome.runId,
        context: end.context,
        signal,
        copyRw,
        asksOnce: true,
      });
      try {
        const { status } = outcome;
        return await writeStagedBack({ status, end, context: judged.context, dryRun }, wiring);
      } finally {
        judged.end();
      }
    },
  };
}

// Undefined for a run that was refused or stopped before it had files.
function endOf(ends: WeakMap<RunOutcome, KeptEnd>, outcome: RunOutcome, what: string): KeptEnd | undefined {
  const end = ends.get(outcome);
  if (end !== undefined) return end;
  if (outcome?.mode === 'staged' && outcome.status !== 'completed') return undefined;
  throw new PortholeError('ARGUMENT_INVALID', `Cannot ${what}: this is no outcome of a staged run of this runtime`, {
    hint: 'Hand over the very object that run() gave; a copy of it holds no files.',
  });
}
