import { type ParsedArguments, parseArguments } from './arguments.ts';
import { type FlagName, factsOf } from './flags.ts';
import type { World } from './world.ts';

/** One command: what its help says and what it does. */
export interface Command {
  /** The command line, such as `porthole run [FILE | -]`. */
  readonly usage: string;
  /** One sentence, then whatever a user must know. */
  readonly about: string;
  readonly flags: readonly FlagName[];
  /** Command lines with what they are for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Answers the exit code. */
  readonly run: (world: World, args: ParsedArguments) => number | Promise<number>;
}

/** Runs a command, or shows its help. @throws UsageError and whatever the command throws */
export function runCommand(command: Command, world: World): number | Promise<number> {
  const args = parseArguments(world.args, [...command.flags, 'help']);
  if (!args.has('help')) return command.run(world, args);
  world.out.write(renderHelp(command));
  return 0;
}

function renderHelp({ usage, about, flags, examples }: Command): string {
  const rows = [...flags, 'help' as const].map((name) => [flagUsage(name), factsOf(name).help] as const);
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `usage: ${usage}`,
    '',
    about,
    '',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    'examples:',
    ...examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
    '',
  ].join('\n');
}

function flagUsage(name: FlagName): string {
  const { value, short, inlineValues = [] } = factsOf(name);
  const inline = inlineValues.map((known) => `[=${known}]`).join('');
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? inline : ` ${value}`}`;
}
