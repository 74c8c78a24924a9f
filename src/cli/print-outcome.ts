import { type LimitName, limitTable, withUnits } from '../contract/limits.ts';
import { type ReportedLimit, type RunOutcome, reportedLimits } from '../contract/outcome.ts';
import { renderSize, shortSize } from '../contract/render-size.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import { renderCodeFrame } from './code-frame.ts';
import { renderJson } from './json-text.ts';
import { asLines, disarm, paint, writeForeign, writeJson } from './output.ts';
import type { ProgramSource } from './program-source.ts';
import { withRunHint } from './run-hint.ts';
import type { TextSink, World } from './world.ts';

/** How an outcome is to be printed. */
export interface PrintOptions {
  readonly program: Pick<ProgramSource, 'source' | 'file'>;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Where what the program printed and returned goes. Default: standard output. */
  readonly out?: TextSink;
  /** What to do about the limit that ended it. Default: to raise it by the flag. */
  readonly limitHint?: string | undefined;
}

/** Prints an outcome: all of it as JSON, or for a person its console, its value or what went wrong, its warnings. */
export function printOutcome(world: World, outcome: RunOutcome, options: PrintOptions): void {
  const { program, isJson, isQuiet, out = world.out, limitHint } = options;
  if (isJson) {
    writeJson(world, outcome);
    return;
  }
  for (const { level, text } of outcome.console.lines) {
    writeForeign(level === 'warn' || level === 'error' ? world.err : out, `${text}\n`);
  }
  printEnd(world, outcome, { ...program, out, limitHint });
  // What was written into the tree of a staged run landed nowhere.
  if (outcome.status !== 'completed' && outcome.mode === 'unsafe') printLanded(world, outcome);
  if (isQuiet) return;
  for (const { code, message } of outcome.warnings) {
    world.err.write(`${paint(world, 'yellow', 'warning')}: ${code}: ${message}\n`);
  }
}

interface EndPrinting extends Pick<ProgramSource, 'source' | 'file'> {
  readonly out: TextSink;
  readonly limitHint: string | undefined;
}

function printEnd(world: World, outcome: RunOutcome, { source, file, out, limitHint }: EndPrinting): void {
  const complain = (title: string, text: string) => world.err.write(`${paint(world, 'red', title)}: ${text}\n`);
  switch (outcome.status) {
    case 'completed':
      if (typeof outcome.value === 'string') writeForeign(out, asLines(outcome.value));
      else if (outcome.value !== undefined) out.write(`${renderJson(outcome.value)}\n`);
      return;
    case 'failed':
      world.err.write(renderCodeFrame(withRunHint(outcome.error, outcome.mode), source, file));
      return;
    case 'limited':
      complain('limited', `${describeLimit(outcome)}\n  ${limitHint ?? raiseByFlag(outcome.limit)}`);
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

function describeLimit({ limit, ceiling, used }: Extract<RunOutcome, { status: 'limited' }>): string {
  const name: LimitName = reportedLimits[limit];
  const { unit } = limitTable[name];
  const short = unit === 'bytes' ? shortSize(ceiling) : undefined;
  const size = used === undefined ? '' : `, it used ${withUnits(name, used)}`;
  const named = short === undefined ? name : `${short}, ${name}`;
  return `the program was ended at its limit of ${ceiling} ${unit} (${named})${size}`;
}

function raiseByFlag(limit: ReportedLimit): string {
  return `Raise it with --limit ${reportedLimits[limit]}=VALUE.`;
}

// Whoever reads about an unfinished run wants to know what it left behind.
function printLanded(world: World, { effects }: RunOutcome): void {
  // One line a file, as the run left it, however often it was written.
  const written = new Map<string, { readonly bytes: number; readonly isNew: boolean }>();
  for (const { path, bytes, created } of effects) {
    if (created !== undefined) written.set(path, { bytes, isNew: created || written.get(path)?.isNew === true });
  }
  if (written.size === 0) return;
  world.err.write('written before the end:\n');
  for (const [path, { bytes, isNew }] of written) {
    world.err.write(`  ${renderVisibleLine(path)} (${isNew ? 'new, ' : ''}${renderSize(bytes)})\n`);
  }
}
