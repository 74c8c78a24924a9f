import { dirname } from 'node:path';
import { realDirectory } from '../fs/operator-paths.ts';
import { writeOperatorFileUnchecked } from '../fs/write-operator-file.ts';
import { renderAttempts } from '../proposals/attempts.ts';
import type { ProposeReport } from '../proposals/propose-edits.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { writeForeign, writeJson } from './output.ts';
import { parseProposalFlags, proposalFlags, proposalRuntime } from './proposal-flags.ts';
import { createProviderProgress } from './provider-progress.ts';
import { renderEdits, renderVerdict } from './render-proposal.ts';
import { UsageError } from './usage-error.ts';
import { withRuntime } from './with-runtime.ts';
import type { World } from './world.ts';

/** `porthole propose`. */
export const proposeCommand: Command = {
  usage: 'porthole propose --goal TEXT --evidence FILE... --allow GLOB... --provider NAME [-o FILE] [flags]',
  about: [
    'Shows a model the values that may be edited and the evidence, and takes its verdict: which values should change, or that',
    'a person has to decide. Nothing is written but the proposal; porthole apply makes the edits. The provider, its address',
    "and the variable that holds its key stand in the policy's providers.",
  ].join('\n'),
  flags: ['goal', 'provider', 'output', ...proposalFlags, 'yes', 'no-input', 'json', 'quiet'],
  examples: [
    [
      "porthole propose --goal 'move to the new release' --evidence release.txt --allow 'deploy/*.yaml' --provider desk -o proposal.json",
      'ask the provider "desk"',
    ],
  ],
  run: proposeOnce,
};

async function proposeOnce(world: World, args: ParsedArguments): Promise<number> {
  const [other] = args.positionals;
  if (other !== undefined) throw new UsageError(`propose takes flags only, not ${JSON.stringify(other)}`);
  const asked = { goal: required(args, 'goal'), provider: required(args, 'provider'), ...parseProposalFlags(args) };
  const output = outputOf(args);
  const progress = createProviderProgress(world, args.has('quiet'));
  return await withRuntime(world, proposalRuntime(world, args), async (runtime, signal) => {
    const report = await runtime.propose({ ...asked, signal, onProgress: progress.show }).finally(progress.end);
    if (output !== undefined) writeOperatorFileUnchecked(output, renderProposal(report));
    printReport(world, args, report);
    return exitCodes.done;
  });
}

function required(args: ParsedArguments, flag: 'goal' | 'provider'): string {
  const value = args.value(flag);
  if (value === undefined || value.trim() === '') throw new UsageError(`propose needs --${flag}`);
  return value;
}

// Looked at before anybody is paid.
function outputOf(args: ParsedArguments): string | undefined {
  const output = args.value('output');
  if (output === undefined || output === '-') return undefined;
  if (realDirectory(dirname(output)) !== undefined) return output;
  throw new UsageError(`cannot write ${JSON.stringify(output)}: there is no such directory`);
}

function renderProposal({ verdict }: ProposeReport): string {
  return `${JSON.stringify(verdict, undefined, 2)}\n`;
}

function printReport(world: World, args: ParsedArguments, report: ProposeReport): void {
  if (args.has('json')) writeJson(world, { ok: true, ...report });
  else if (outputOf(args) === undefined) writeForeign(world.out, renderProposal(report));
  if (args.has('json') || args.has('quiet')) return;
  const { usage, provider, model, left, attempts } = report;
  world.err.write(renderVerdict(report));
  world.err.write(renderEdits(report, 'would do'));
  for (const { path, reason } of left) writeForeign(world.err, `not shown ${path}: ${reason}\n`);
  const tokens = `${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${usage.requests} ${usage.requests === 1 ? 'request' : 'requests'}`;
  writeForeign(world.err, `${provider} (${model}): ${tokens}; ${renderAttempts(attempts)}\n`);
}
