import type { RunOptions } from '../runtime/run-options.ts';
import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import { parseLimitFlags } from './amounts.ts';
import type { ParsedArguments } from './arguments.ts';
import { parseClockFlags } from './clock-flags.ts';
import type { Command } from './command.ts';
import { exitCodeOfOutcome } from './exit-codes.ts';
import { readContext, readInput } from './given-values.ts';
import { printOutcome } from './print-outcome.ts';
import { type ProgramSource, readProgram } from './program-source.ts';
import { createProgress } from './progress.ts';
import { commandInternals, parseRuntimeFlags, runtimeFlags } from './runtime-flags.ts';
import { parseStagedFlags, type StagedFlags, stagedFlags } from './staged-flags.ts';
import { UsageError } from './usage-error.ts';
import { withRuntime } from './with-runtime.ts';
import type { TextSink, World } from './world.ts';

/** `porthole run`. */
export const runProgramCommand: Command = {
  usage: 'porthole run [FILE | -] [-e CODE] [flags]',
  about: [
    'Runs one program: the body of an async function. It prints what the program logs and then the value it returns.',
    'In safe mode, the default, a program can only compute. With --unsafe it reads files under the root with',
    'read_file(path); with --allow-write as well it writes them with write_file(path, content). A policy file decides',
    'instead of these flags, which can then only narrow it; what it asks about is asked on the terminal.',
    'With --copy or --copy-rw it works on a private copy instead, where it may also list and remove files; --diff shows',
    'what it changed, and what was copied with --copy-rw is written back once it has completed.',
    'A FILE that ends in .yaml or .yml is an agent file: the same as porthole workflow run.',
  ].join('\n'),
  flags: [
    'eval',
    'input',
    'input-text',
    ...runtimeFlags,
    ...stagedFlags,
    'language',
    'timeout',
    'max-memory',
    'limit',
    'seed',
    'now',
    'json',
    'quiet',
  ],
  examples: [
    ["porthole run -e 'return 6 * 7'", 'compute something'],
    ["porthole run sum.js --input '[1, 2, 3]'", 'give it data: input_data is [1, 2, 3]'],
    ['porthole run report.ts --unsafe --root notes --input @names.json', 'let it read files under notes/'],
    ['porthole run report.ts --unsafe --allow-write --root notes', 'and write them'],
    ['porthole run fix.js --unsafe --allow-write --policy team.yaml', 'let a policy decide, and ask where it says so'],
    ['porthole run fix.js --copy src --diff', 'let it work on a copy of src, and show what it would change'],
    ['porthole run fix.js --copy-rw src', 'and write the changes back'],
    ['cat program.js | porthole run - --timeout 2s --json', 'take it from standard input, print the whole outcome'],
  ],
  run: async (world, args) => {
    const agentFile = agentFileOf(args);
    if (agentFile !== undefined) {
      // What agent files need is loaded for them alone.
      const { runWorkflowFile } = await import('./workflow-run.ts');
      return runWorkflowFile(world, args, agentFile);
    }
    // Flags first: a mistake in them should not wait for standard input.
    const staging = parseStagedFlags(args);
    if (staging !== undefined) (await import('./check-staged.ts')).checkStagedFlags(staging);
    const runtime = {
      ...parseRuntimeFlags(args),
      ...(staging === undefined ? {} : { staged: staging.inputs }),
      limits: parseLimitFlags(args),
      workers: 1,
    };
    const options = { runtime, staging, ...parseClockFlags(args), context: readContext(args) };
    const program = await readProgram(world, args);
    const input = await readInput(world, args);
    return runToEnd(world, args, { ...options, program, input });
  },
};

function agentFileOf(args: ParsedArguments): string | undefined {
  const [path, ...others] = args.positionals;
  if (path === undefined || !/\.ya?ml$/.test(path)) return undefined;
  if (others.length > 0) throw new UsageError(`run takes one agent file, not ${others.length + 1}`);
  for (const flag of ['eval', 'language'] as const) {
    if (args.has(flag)) throw new UsageError(`--${flag} does not go with an agent file`);
  }
  return path;
}

interface WholeRun extends Pick<RunOptions, 'seed' | 'now' | 'context' | 'input'> {
  readonly runtime: RuntimeOptions;
  readonly staging: StagedFlags | undefined;
  readonly program: ProgramSource;
}

async function runToEnd(world: World, args: ParsedArguments, whole: WholeRun): Promise<number> {
  const { runtime: options, staging, program, ...run } = whole;
  const progress = createProgress(world, args.has('quiet'));
  const internals = { ...commandInternals(world, args), onCopied: progress.onCopied };
  return await withRuntime(world, { options, internals }, async (runtime, signal) => {
    const outcome = await runtime.run({ ...program, ...run, signal }).finally(progress.end);
    const printing = { program, isJson: args.has('json'), isQuiet: args.has('quiet') };
    if (staging !== undefined) {
      const { finishStaged } = await import('./finish-staged.ts');
      const print = (out: TextSink = world.out): void => printOutcome(world, outcome, { ...printing, out });
      return await finishStaged(world, { runtime, outcome, staging, isJson: printing.isJson, print, signal });
    }
    printOutcome(world, outcome, printing);
    return exitCodeOfOutcome(outcome);
  });
}
