import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { type Diagnosis, diagnose } from './diagnosis.ts';
import { exitCodes } from './exit-codes.ts';
import { disarm, paint, writeJson } from './output.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole doctor`. */
export const doctorCommand: Command = {
  usage: 'porthole doctor [flags]',
  about: [
    'Looks at this machine: which containment is in force, what really stops a program at each limit and when,',
    'where the state directory is, which temporary files a killed writer left under the root. Changes nothing.',
  ].join('\n'),
  flags: ['root', 'json', 'quiet'],
  examples: [
    ['porthole doctor', 'everything, for the current directory'],
    ['porthole doctor --root notes --json', 'for another root, as data'],
  ],
  run: (world, args) => {
    if (args.positionals.length > 0) throw new UsageError('doctor takes no names');
    return report(world, args);
  },
};

async function report(world: World, args: ParsedArguments): Promise<number> {
  if (!args.has('json') && !args.has('quiet')) world.err.write('firing every limit, which takes a few seconds\n');
  const diagnosis = await diagnose(args.value('root') ?? '.');
  if (args.has('json')) writeJson(world, diagnosis);
  else world.out.write(renderDiagnosis(world, diagnosis));
  return diagnosis.ok ? exitCodes.done : exitCodes.refused;
}

/** A diagnosis as lines for a person. */
export function renderDiagnosis(world: World, { node, porthole, root, stateDirectory, limits, ok }: Diagnosis): string {
  const rows = limits.map(({ limit, attempt, ceiling, unit, stoppedBy, ms, isHeld }) => {
    const mark = isHeld ? 'held' : paint(world, 'red', 'NOT HELD');
    return [limit, attempt, `${ceiling} ${unit}`, `${ms} ms`, mark, stoppedBy];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const race = root.isRaceFree ? 'free of races' : 'a race can be won against it: see the threat model';
  return [
    `porthole ${porthole}, node ${node}`,
    `root: ${disarm(root.path)}`,
    `containment: ${root.containment} (${race})`,
    `state directory: ${disarm(stateDirectory.path)} (${stateDirectory.exists ? 'exists' : 'not there yet'})`,
    root.leftovers.length === 0 ? 'leftovers: none' : `leftovers: ${root.leftovers.length}, safe to delete`,
    ...root.leftovers.map((path) => `  ${disarm(path)}`),
    'limits:',
    ...lines.map((line) => `  ${line.trimEnd()}`),
    ok ? 'all limits held' : paint(world, 'red', 'NOT ALL LIMITS HELD'),
    '',
  ].join('\n');
}
