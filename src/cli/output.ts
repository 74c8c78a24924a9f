import { type ErrorCode, isPortholeError } from '../contract/errors.ts';
import { renderJson } from './json-text.ts';
import { UsageError } from './usage-error.ts';
import type { TextSink, World } from './world.ts';

/** Writes text that a guest had a part in: on a terminal, what could steer it is shown instead of obeyed. */
export function writeForeign(sink: TextSink, text: string): void {
  sink.write(sink.isTerminal ? disarm(text) : text);
}

/** Ends with exactly one more line feed than it had, if it ended in none. */
export function asLines(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Writes one JSON value and nothing else. */
export function writeJson(world: World, value: unknown): void {
  world.out.write(`${renderJson(value)}\n`);
}

/** Control and bidirectional characters as escapes; line feeds and tabs stay. */
export function disarm(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Paints text where a person sees colours. */
export function paint(world: World, colour: 'red' | 'yellow' | 'dim', text: string): string {
  return hasColour(world) ? `\u001b[${{ red: 31, yellow: 33, dim: 2 }[colour]}m${text}\u001b[0m` : text;
}

/** Whether what goes to standard error may be coloured. */
export function hasColour({ env, err }: World): boolean {
  const { NO_COLOR: noColour, TERM: terminal } = env;
  return err.isTerminal && (noColour === undefined || noColour === '') && terminal !== 'dumb';
}

/** Reports an error that ended a command: as JSON where that was asked for, else as lines for a person. */
export function reportError(world: World, error: unknown, command: string | undefined): void {
  const described = describeError(error);
  if (asksForJson(world.args)) {
    writeJson(world, { ok: false, error: described });
    return;
  }
  const { message, hint } = described;
  world.err.write(`${paint(world, 'red', 'error')}: ${disarm(message)}\n`);
  if (hint !== undefined) world.err.write(`  ${disarm(hint)}\n`);
  if (error instanceof UsageError) world.err.write(`  See: porthole ${command ?? ''}${command ? ' ' : ''}--help\n`);
}

interface ErrorText {
  /** Absent for a fault of Porthole's own: those have no code to act upon. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly hint?: string;
}

function describeError(error: unknown): ErrorText {
  if (error instanceof UsageError) {
    return {
      code: 'ARGUMENT_INVALID',
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  if (isPortholeError(error)) return { code: error.code, message: error.message, hint: error.hint };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `internal fault: ${message}`, hint: 'This is a bug; please report it.' };
}

function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}
