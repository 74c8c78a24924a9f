import { type LimitName, limitTable } from '../contract/limits.ts';
import { type ReportedLimit, type RunOutcome, reportedLimits } from '../contract/outcome.ts';
import { renderCodeFrame } from './code-frame.ts';
import { renderJson } from './json-text.ts';
import { asLines, disarm, paint, writeForeign, writeJson } from './output.ts';
import type { ProgramSource } from './program-source.ts';
import type { World } from './world.ts';

/** How an outcome is to be printed. */
export interface PrintOptions {
  readonly program: Pick<ProgramSource, 'source' | 'file'>;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
}

/** Prints an outcome: all of it as JSON, or for a person its console, its value or what went wrong, its warnings. */
export function printOutcome(world: World, outcome: RunOutcome, { program, isJson, isQuiet }: PrintOptions): void {
  if (isJson) {
    writeJson(world, outcome);
    return;
  }
  for (const { level, text } of outcome.console.lines) {
    writeForeign(level === 'warn' || level === 'error' ? world.err : world.out, `${text}\n`);
  }
  printEnd(world, outcome, program);
  if (outcome.status !== 'completed') printLanded(world, outcome);
  if (isQuiet) return;
  for (const { code, message } of outcome.warnings) {
    world.err.write(`${paint(world, 'yellow', 'warning')}: ${code}: ${message}\n`);
  }
}

function printEnd(world: World, outcome: RunOutcome, { source, file }: PrintOptions['program']): void {
  const complain = (title: string, text: string) => world.err.write(`${paint(world, 'red', title)}: ${text}\n`);
  switch (outcome.status) {
    case 'completed':
      if (typeof outcome.value === 'string') writeForeign(world.out, asLines(outcome.value));
      else if (outcome.value !== undefined) world.out.write(`${renderJson(outcome.value)}\n`);
      return;
    case 'failed':
      world.err.write(renderCodeFrame(outcome.error, source, file));
      return;
    case 'limited':
      complain('limited', describeLimit(outcome.limit, outcome.ceiling, outcome.used));
      return;
    case 'denied':
      complain('denied', `${outcome.code}: ${outcome.decision}`);
      return;
    case 'aborted':
      complain('interrupted', 'the run was ended before it was done');
      return;
    case 'crashed':
      complain('internal fault', disarm(outcome.error.stack ?? outcome.error.message));
      return;
  }
}

function describeLimit(limit: ReportedLimit, ceiling: number, used: number | undefined): string {
  const name: LimitName = reportedLimits[limit];
  const { unit } = limitTable[name];
  const size = used === undefined ? '' : `, it used ${used}`;
  return `the program was ended at its limit of ${ceiling} ${unit} (${name})${size}\n  Raise it with --limit ${name}=VALUE.`;
}

// Whoever reads about an unfinished run wants to know what it left behind.
function printLanded(world: World, { effects }: RunOutcome): void {
  const written = effects.filter(({ created }) => created !== undefined);
  if (written.length === 0) return;
  world.err.write('written before the end:\n');
  for (const { path, bytes, created } of written) {
    world.err.write(`  ${disarm(path)} (${created ? 'new, ' : ''}${bytes} bytes)\n`);
  }
}
