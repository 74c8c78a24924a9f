import type { RunOutcome } from '../contract/outcome.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { renderChanges } from '../staging/render-changes.ts';
import { exitCodeOfReport, renderReport } from '../staging/render-report.ts';
import { writeDiffFile } from './diff-file.ts';
import { exitCodeOfOutcome } from './exit-codes.ts';
import { disarm, paint, writeForeign, writeJson } from './output.ts';
import type { DiffFormat, StagedFlags } from './staged-flags.ts';
import type { TextSink, World } from './world.ts';

/** A staged run that is over. */
export interface FinishedRun {
  readonly runtime: Pick<Runtime, 'renderDiff' | 'writeBack'>;
  readonly outcome: RunOutcome;
  readonly staging: StagedFlags;
  readonly isJson: boolean;
  /** Prints the outcome; what the program says goes to `out`. Default: standard output. */
  readonly print: (out?: TextSink) => void;
  readonly signal: AbortSignal;
}

/** Prints what a staged run did, writes back what may be, and answers the exit code. */
export async function finishStaged(world: World, finished: FinishedRun): Promise<number> {
  const { runtime, outcome, staging, isJson } = finished;
  const patch = await runtime.renderDiff(outcome);
  if (isJson) writeJson(world, { ...outcome, diff: patch });
  else printPlainly(world, finished, patch);
  if (staging.diffFile !== undefined) {
    writeDiffFile(staging.diffFile, render(staging.diffFile.format, outcome, patch));
  }
  if (outcome.status !== 'completed') return exitCodeOfOutcome(outcome);
  return await writeBackAndReport(world, finished);
}

// With a diff on standard output nothing else may be there: a program could print a patch, and git skips text around one.
function printPlainly(world: World, { outcome, staging, print }: FinishedRun, patch: string): void {
  const { diff, diffFile } = staging;
  const printsDiff = diff !== undefined && diffFile === undefined;
  print(printsDiff ? world.err : world.out);
  const shows = diff !== undefined || diffFile !== undefined;
  if (shows && outcome.status !== 'completed') {
    world.err.write(`${paint(world, 'yellow', 'note')}: the diff is what the program had changed when it ended\n`);
  }
  if (printsDiff) writeForeign(world.out, render(diff, outcome, patch));
}

function render(format: DiffFormat, { changes = [] }: RunOutcome, patch: string): string {
  return format === 'json' ? renderChanges(changes) : patch;
}

async function writeBackAndReport(world: World, { runtime, outcome, staging, signal }: FinishedRun): Promise<number> {
  const { inputs, dryRun, failOnSkip } = staging;
  // A program that changed nothing, and could have changed nothing on the host, needs no report.
  const isWanted = (inputs.copyRw?.length ?? 0) > 0 || dryRun || (outcome.changes?.length ?? 0) > 0;
  if (!isWanted) return exitCodeOfOutcome(outcome);
  const report = await runtime.writeBack(outcome, { dryRun, signal });
  if (report === null) return exitCodeOfOutcome(outcome);
  for (const line of renderReport(report)) world.err.write(`${disarm(line)}\n`);
  return exitCodeOfReport(report, { failOnSkip });
}
