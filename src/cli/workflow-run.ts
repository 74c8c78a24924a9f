import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import type { AgentFile } from '../workflow/agent-file.ts';
import { loadAgentFile } from '../workflow/load-agent-file.ts';
import { runAgentFile } from '../workflow/run-workflow.ts';
import { reportAgentFileProblems } from './agent-file-problems.ts';
import { parseLimitFlags } from './amounts.ts';
import type { ParsedArguments } from './arguments.ts';
import { parseClockFlags } from './clock-flags.ts';
import { exitCodeOfOutcome } from './exit-codes.ts';
import { readContext, readInput } from './given-values.ts';
import { printWorkflowOutcome } from './print-workflow.ts';
import { createProgress } from './progress.ts';
import { commandInternals, parseRuntimeFlags } from './runtime-flags.ts';
import { parseStagedFlags, type StagedFlags } from './staged-flags.ts';
import { withRuntime } from './with-runtime.ts';
import { createProgressPrinter } from './workflow-progress.ts';
import type { TextSink, World } from './world.ts';

/** `porthole workflow run FILE`, and `porthole run FILE.yaml`. */
export function runWorkflowFile(world: World, args: ParsedArguments, path: string): Promise<number> {
  return reportAgentFileProblems(world, args, async () => {
    // Flags first: a mistake in them should not wait for standard input.
    const staging = parseStagedFlags(args);
    if (staging !== undefined) (await import('./check-staged.ts')).checkStagedFlags(staging);
    const staged = staging === undefined ? {} : { staged: staging.inputs };
    const runtime = { ...parseRuntimeFlags(args), ...staged, limits: parseLimitFlags(args), workers: 1 };
    const run = { ...parseClockFlags(args), context: readContext(args) };
    const file = loadAgentFile(path);
    return runToEnd(world, args, { runtime, staging, run: { ...run, input: await readInput(world, args) }, file });
  });
}

interface WholeWorkflow {
  readonly runtime: RuntimeOptions;
  readonly run: Parameters<typeof runAgentFile>[2];
  readonly staging: StagedFlags | undefined;
  readonly file: AgentFile;
}

async function runToEnd(world: World, args: ParsedArguments, whole: WholeWorkflow): Promise<number> {
  const { runtime: options, staging, run, file } = whole;
  const isQuiet = args.has('quiet');
  const copying = createProgress(world, isQuiet);
  const internals = { ...commandInternals(world, args), onCopied: copying.onCopied };
  return await withRuntime(world, { options, internals }, async (runtime, signal) => {
    const onProgress = isQuiet ? undefined : createProgressPrinter(world);
    const outcome = await runAgentFile(runtime, file, {
      ...run,
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    }).finally(copying.end);
    const isJson = args.has('json');
    const print = (out: TextSink = world.out): void =>
      printWorkflowOutcome(world, outcome, { file, isJson, isQuiet, out });
    if (staging !== undefined) {
      const { finishStaged } = await import('./finish-staged.ts');
      return await finishStaged(world, { runtime, outcome, staging, isJson, print, signal });
    }
    print();
    return exitCodeOfOutcome(outcome);
  });
}
