import type { ApplyReport } from '../proposals/apply-proposal.ts';
import { renderAttempts } from '../proposals/attempts.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { decode, parseObject, readTextFile } from './given-values.ts';
import { paint, writeJson } from './output.ts';
import { parseProposalFlags, proposalFlags, proposalRuntime } from './proposal-flags.ts';
import { renderDiffs, renderEdits, renderVerdict } from './render-proposal.ts';
import { UsageError } from './usage-error.ts';
import { withRuntime } from './with-runtime.ts';
import type { World } from './world.ts';

/** `porthole apply`. */
export const applyCommand: Command = {
  usage: 'porthole apply PROPOSAL | - --allow GLOB... [flags]',
  about: [
    'Checks every edit of a verdict against files, allowlist and evidence, and makes all of them, or none. It does not matter',
    'where the verdict comes from. Without a policy file --allow is the yes to the files it covers; with one, the policy',
    'decides, and what it asks about is asked once for the whole set.',
  ].join('\n'),
  flags: [...proposalFlags, 'dry-run', 'diff', 'yes', 'no-input', 'json', 'quiet'],
  examples: [
    [
      "porthole apply proposal.json --allow 'deploy/*.yaml' --evidence release.txt --dry-run --diff",
      'what it would do',
    ],
    ["porthole apply proposal.json --allow 'deploy/*.yaml' --evidence release.txt --change pr-7", 'do it, counted'],
  ],
  run: applyOnce,
};

async function applyOnce(world: World, args: ParsedArguments): Promise<number> {
  const limits = parseProposalFlags(args);
  const proposal = await readProposal(world, args);
  return await withRuntime(world, proposalRuntime(world, args), async (runtime, signal) => {
    const report = await runtime.apply({ ...limits, proposal, dryRun: args.has('dry-run'), signal });
    printReport(world, args, report);
    return exitOf(report);
  });
}

async function readProposal(world: World, args: ParsedArguments): Promise<unknown> {
  const [file, ...others] = args.positionals;
  if (file === undefined) throw new UsageError('which proposal?', 'Name its file, or - for standard input.');
  if (others.length > 0) throw new UsageError(`apply takes one proposal, not ${JSON.stringify(others[0])} as well`);
  const text =
    file === '-' ? decode('the proposal', await world.readStandardInput()) : readTextFile('the proposal', file);
  return parseObject('the proposal', text);
}

function printReport(world: World, args: ParsedArguments, report: ApplyReport): void {
  const problem = problemOf(report);
  if (args.has('json')) {
    writeJson(world, problem === undefined ? { ok: true, ...report } : { ok: false, error: problem, ...report });
    return;
  }
  if (args.has('diff')) world.out.write(renderDiffs(report.diffs, world.out.isTerminal));
  const { outcome } = report;
  if (outcome === 'escalate' || outcome === 'no_action') world.err.write(renderVerdict(report));
  world.err.write(renderEdits(report, outcome === 'planned' ? 'would do' : 'applied'));
  if (problem !== undefined) {
    world.err.write(`${paint(world, 'red', 'error')}: ${problem.message}\n  ${problem.hint}\n`);
    return;
  }
  if (!args.has('quiet')) world.err.write(`${renderSummary(report)}\n`);
}

function problemOf({ outcome, verdict, rejected }: ApplyReport) {
  if (outcome !== 'rejected') return undefined;
  const all = count(verdict.edits.length, 'edit');
  const were = rejected.length === 1 ? 'was' : 'were';
  const message = `Cannot apply the proposal: ${rejected.length} of ${all} ${were} refused, so no file changed`;
  const hint = 'Each refusal says what the file holds; a set is made whole or not at all.';
  return { code: 'PROPOSAL_REJECTED', message, hint };
}

function renderSummary({ outcome, applied, diffs, attempts }: ApplyReport): string {
  const made = `${count(applied.length, 'edit')} in ${count(diffs.length, 'file')}`;
  switch (outcome) {
    case 'applied':
      return `${made} applied; ${renderAttempts(attempts)}`;
    case 'planned':
      return `${made} would be applied; nothing was written`;
    case 'already':
      return 'every value is there already; nothing was written';
    case 'no_action':
      return 'there is nothing to do';
    case 'escalate':
    case 'rejected':
      return 'a person has to decide; nothing was written';
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

// A verdict that a person has to decide about is not done: nobody should go on as if it were.
function exitOf({ outcome }: ApplyReport): number {
  return outcome === 'rejected' || outcome === 'escalate' ? exitCodes.refused : exitCodes.done;
}
