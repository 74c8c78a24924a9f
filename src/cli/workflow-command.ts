import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { requireName } from './positionals.ts';
import { runtimeFlags } from './runtime-flags.ts';
import { stagedFlags } from './staged-flags.ts';
import { UsageError } from './usage-error.ts';
import { planWorkflowFile, validateWorkflowFile } from './workflow-plan.ts';
import { runWorkflowFile } from './workflow-run.ts';
import type { World } from './world.ts';

/** `porthole workflow`. */
export const workflowCommand: Command = {
  usage: 'porthole workflow run | validate | plan FILE [flags]',
  about: [
    'Agent files wire built-in tools and programs together. run runs one, as one run with one receipt. validate names',
    'what is wrong with it: the form first, then names and ways, then the JavaScript in it. plan says what it would read,',
    'run and write, and what the gate would say to that, without running it: as a table, as JSON or as a Mermaid graph.',
  ].join('\n'),
  flags: [
    'input',
    'input-text',
    ...runtimeFlags,
    ...stagedFlags,
    'timeout',
    'max-memory',
    'limit',
    'seed',
    'now',
    'mermaid',
    'json',
    'quiet',
  ],
  examples: [
    ['porthole workflow validate word-count.yaml', 'check the file'],
    ['porthole workflow plan word-count.yaml --unsafe --allow-write', 'see what would happen'],
    ['porthole workflow plan word-count.yaml --mermaid > plan.mmd', 'the same as a graph'],
    ['porthole workflow run word-count.yaml --unsafe --allow-write', 'let it happen'],
    ['porthole run word-count.yaml --json', 'the same as workflow run, with the whole outcome as JSON'],
  ],
  run: (world, args) => {
    const [what, file, ...others] = args.positionals;
    const known = Object.keys(parts);
    const name = requireName(what, { kind: 'part', known, help: `The parts are ${known.join(', ')}.` });
    if (file === undefined || others.length > 0) throw new UsageError(`workflow ${name} takes one agent file`);
    if (args.has('mermaid') && name !== 'plan') throw new UsageError('--mermaid goes with workflow plan');
    const staged = stagedFlags.find((flag) => args.has(flag));
    if (staged !== undefined && name !== 'run') throw new UsageError(`--${staged} goes with workflow run`);
    return parts[name as keyof typeof parts](world, args, file); // one of `known`
  },
};

const parts: Readonly<
  Record<'run' | 'validate' | 'plan', (world: World, args: ParsedArguments, file: string) => Promise<number>>
> = { run: runWorkflowFile, validate: validateWorkflowFile, plan: planWorkflowFile };
