import { basename } from 'node:path';
import type { Evidence } from '../proposals/prompt.ts';
import type { ProposalLimits } from '../runtime/proposal-options.ts';
import type { ParsedArguments } from './arguments.ts';
import type { FlagName } from './flags.ts';
import { readTextFile } from './given-values.ts';
import { commandInternals, parseRuntimeFlags } from './runtime-flags.ts';
import { UsageError } from './usage-error.ts';
import type { RuntimeOfCommand } from './with-runtime.ts';
import type { World } from './world.ts';

/** The flags of every command that deals with proposals. */
export const proposalFlags = [
  'allow',
  'deny',
  'scope',
  'evidence',
  'change',
  'max-attempts',
  'root',
  'policy',
  'audit',
] as const satisfies readonly FlagName[];

/** What those flags say about a proposal. @throws UsageError */
export function parseProposalFlags(args: ParsedArguments): ProposalLimits {
  const allow = args.values('allow');
  if (allow.length === 0) {
    throw new UsageError('no file may be edited: --allow is missing', "Name the files: --allow 'deploy/*.yaml'");
  }
  return { allow, ...parseOtherFlags(args) };
}

/** The same without the allowlist, where the files are named otherwise. @throws UsageError */
export function parseOtherFlags(args: ParsedArguments): Omit<ProposalLimits, 'allow'> {
  if (args.value('diff') === 'json') {
    throw new UsageError('--diff=json is for staged runs', 'Take --json: its field diffs holds one a file.');
  }
  const [scope, change] = [args.value('scope'), args.value('change')];
  const maxAttempts = parseMaxAttempts(args);
  if (maxAttempts !== undefined && change === undefined) {
    throw new UsageError('--max-attempts has no effect without --change', 'Name the change: --change ID');
  }
  return {
    deny: args.values('deny'),
    evidence: args.values('evidence').map(readEvidence),
    ...(scope === undefined ? {} : { scope: readScope(scope) }),
    ...(change === undefined ? {} : { change }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  };
}

/** The runtime of such a command: it runs unsafe by itself, as far as the policy lets it. */
export function proposalRuntime(world: World, args: ParsedArguments): RuntimeOfCommand {
  return { options: parseRuntimeFlags(args), internals: { ...commandInternals(world, args), isWidest: true } };
}

function parseMaxAttempts(args: ParsedArguments): number | undefined {
  const written = args.value('max-attempts');
  if (written === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(written)) return Number(written);
  throw new UsageError(`--max-attempts takes a whole number from 1, not ${JSON.stringify(written)}`);
}

function readEvidence(path: string): Evidence {
  return { name: basename(path), text: readTextFile('--evidence', path) };
}

function readScope(path: string): readonly string[] {
  const lines = readTextFile('--scope', path).split(/\r?\n/);
  return lines.filter((line) => line !== '');
}
