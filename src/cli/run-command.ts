import { parseInstant } from '../runtime/instant.ts';
import type { RunOptions } from '../runtime/run-options.ts';
import { wireRuntime } from '../runtime/runtime.ts';
import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import { parseLimitFlags } from './amounts.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodeOfOutcome } from './exit-codes.ts';
import { readContext, readInput } from './given-values.ts';
import { printOutcome } from './print-outcome.ts';
import { type ProgramSource, readProgram } from './program-source.ts';
import { commandInternals, parseRuntimeFlags, runtimeFlags } from './runtime-flags.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole run`. */
export const runProgramCommand: Command = {
  usage: 'porthole run [FILE | -] [-e CODE] [flags]',
  about: [
    'Runs one program: the body of an async function. It prints what the program logs and then the value it returns.',
    'In safe mode, the default, a program can only compute. With --unsafe it reads files under the root with',
    'read_file(path); with --allow-write as well it writes them with write_file(path, content). A policy file decides',
    'instead of these flags, which can then only narrow it; what it asks about is asked on the terminal.',
  ].join('\n'),
  flags: [
    'eval',
    'input',
    'input-text',
    ...runtimeFlags,
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
    ['cat program.js | porthole run - --timeout 2s --json', 'take it from standard input, print the whole outcome'],
  ],
  run: async (world, args) => {
    // Flags first: a mistake in them should not wait for standard input.
    const runtime = { ...parseRuntimeFlags(args), limits: parseLimitFlags(args), workers: 1 };
    const options = { runtime, ...parseClockFlags(args), context: readContext(args) };
    const program = await readProgram(world, args);
    const input = await readInput(world, args);
    return runToEnd(world, args, { ...options, program, input });
  },
};

interface WholeRun extends Pick<RunOptions, 'seed' | 'now' | 'context' | 'input'> {
  readonly runtime: RuntimeOptions;
  readonly program: ProgramSource;
}

async function runToEnd(world: World, args: ParsedArguments, whole: WholeRun): Promise<number> {
  const { runtime: options, program, ...run } = whole;
  const interruption = new AbortController();
  const stopListening = world.onInterrupt(() => interruption.abort(new Error('interrupted')));
  const runtime = await wireRuntime(options, commandInternals(world, args));
  try {
    const outcome = await runtime.run({ ...program, ...run, signal: interruption.signal });
    printOutcome(world, outcome, { program, isJson: args.has('json'), isQuiet: args.has('quiet') });
    return exitCodeOfOutcome(outcome);
  } finally {
    stopListening();
    await runtime.close();
  }
}

function parseClockFlags(args: ParsedArguments): Pick<RunOptions, 'seed' | 'now'> {
  const seed = args.value('seed');
  const now = args.value('now');
  if (seed !== undefined && !/^-?\d+$/.test(seed))
    throw new UsageError(`--seed takes a whole number, not ${JSON.stringify(seed)}`);
  if (now !== undefined && parseInstant(now) === undefined) {
    const hint = 'Give it its zone: 2030-01-01T12:00:00Z, 2030-01-01T12:00+02:00, or a day alone, which is UTC.';
    throw new UsageError(`--now takes an ISO 8601 time, not ${JSON.stringify(now)}`, hint);
  }
  return { ...(seed === undefined ? {} : { seed: BigInt(seed) }), ...(now === undefined ? {} : { now }) };
}
