import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { describeSection, type Section, sections, tabulate } from './description.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { requireName } from './positionals.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole describe`. */
export const describeCommand: Command = {
  usage: `porthole describe [${sections.join(' | ')}] [flags]`,
  about:
    'Prints what there is: tools, helpers of each mode, names of policy rules, limits, error codes. Without a name, all.',
  flags: ['json', 'markdown'],
  examples: [
    ['porthole describe limits', 'the limits with their defaults'],
    ['porthole describe tools --json', 'the tools with JSON schemas, for a model'],
    ['porthole describe --markdown', 'everything, for a document'],
  ],
  run: describe,
};

function describe(world: World, args: ParsedArguments): number {
  const [given, ...others] = args.positionals;
  if (others.length > 0) throw new UsageError('describe takes one section, or none for all');
  if (args.has('json') && args.has('markdown')) throw new UsageError('--json and --markdown are both given');
  const section = given === undefined ? undefined : parseSection(given);
  const wanted = section === undefined ? sections : [section];
  if (args.has('json')) {
    writeJson(
      world,
      section === undefined
        ? Object.fromEntries(sections.map((one) => [one, describeSection(one)]))
        : describeSection(section),
    );
  } else {
    const render = args.has('markdown') ? renderMarkdown : renderText;
    world.out.write(wanted.map(render).join('\n'));
  }
  return exitCodes.done;
}

function parseSection(given: string): Section {
  return requireName(given, {
    kind: 'section',
    known: sections,
    help: `The sections are ${sections.join(', ')}.`,
  }) as Section; // one of `known`
}

function renderText(section: Section): string {
  const { head, rows } = tabulate(section);
  // The last column may be long: nothing stands behind it.
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
  return `${section.toUpperCase()}\n${[head, ...rows].map((row) => line(row).trimEnd()).join('\n')}\n`;
}

function renderMarkdown(section: Section): string {
  const { head, rows } = tabulate(section);
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const title = `## ${section[0]?.toUpperCase()}${section.slice(1)}`;
  return [title, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
