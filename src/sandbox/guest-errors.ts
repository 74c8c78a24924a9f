import type { ErrorCause, ProgramError } from '../contract/outcome.ts';
import { moduleHint } from './module-hint.ts';
import { headLength } from './program.ts';
import { readSerial } from './serial-reader.ts';
import { type GuestErrorFields, unpack, unpackError } from './value-codec.ts';

/** The body an error is reported for. */
export interface ProgramText {
  /** File name in stack frames. */
  readonly file: string;
  /** The body as it was given. */
  readonly source: string;
  /** Lines of the body. */
  readonly lineCount: number;
  /** Injected locals, for the hint at a redeclaration. */
  readonly parameters: readonly string[];
  /** Columns before the body on its first line. Default: those before a program. */
  readonly headColumns?: number;
}

/** Where the prelude's own frames claim to be. */
export const preludeFile = '<porthole>';

/** What the guest's `describeThrown` packed, as the error of an outcome. */
export function programError(described: Uint8Array, syntax: boolean, program: ProgramText): ProgramError {
  const packed = readSerial(described) as readonly unknown[]; // describeThrown always packs a list
  if (packed[0] === 'error') return errorFromFields(unpackError(packed), syntax, program);
  return {
    kind: 'thrown',
    name: 'Thrown',
    message: String(packed[1]),
    stack: '',
    ...(packed[0] === 'thrown' ? { thrown: unpack(packed[2]) } : { thrown: String(packed[1]), thrownLossy: true }),
  };
}

/** True for the engine's own complaint about its stack: the one status a guest could forge, which grants nothing. */
export function isStackOverflow({ name, message }: ProgramError): boolean {
  return (name === 'InternalError' || name === 'SyntaxError') && message === 'stack overflow';
}

function errorFromFields(fields: GuestErrorFields, syntax: boolean, program: ProgramText): ProgramError {
  const position = bodyPosition(fields.stack, program);
  const hint =
    moduleHint(fields.message, program.source, position) ?? (syntax ? syntaxHint(fields, program) : undefined);
  return {
    kind: syntax ? 'syntax' : 'thrown',
    name: fields.name,
    message: fields.message,
    ...(fields.code === undefined ? {} : { code: String(fields.code) }),
    ...(hint === undefined ? {} : { hint }),
    ...(fields.path === undefined ? {} : { path: fields.path }),
    ...position,
    stack: bodyStack(fields.stack, program),
    ...(fields.cause === undefined ? {} : { cause: errorCause(fields.cause, program) }),
  };
}

function errorCause(fields: GuestErrorFields, program: ProgramText): ErrorCause {
  return {
    name: fields.name,
    message: fields.message,
    ...(fields.code === undefined ? {} : { code: String(fields.code) }),
    stack: bodyStack(fields.stack, program),
    ...(fields.cause === undefined ? {} : { cause: errorCause(fields.cause, program) }),
  };
}

// Long enough for any honest call chain; a stack overflow has a thousand frames that say the same.
const maxFrames = 50;

/** Guest frames in the positions of the body; the prelude's own frames are dropped. */
function bodyStack(stack: string, program: ProgramText): string {
  const frames = stack.split('\n').filter((line) => line.trim() !== '' && !line.includes(`(${preludeFile}:`));
  const shown = frames.slice(0, maxFrames).map((line) => moveFrame(line, program));
  if (frames.length > maxFrames) shown.push(`    … ${frames.length - maxFrames} more frames`);
  return shown.join('\n');
}

function moveFrame(line: string, program: ProgramText): string {
  const frame = parseFrame(line, program);
  if (frame === undefined) return line;
  const column = frame.column === undefined ? '' : `:${frame.column}`;
  return `${line.slice(0, frame.start)}${program.file}:${frame.line}${column}${line.slice(frame.end)}`;
}

// The first frame that names the body's own file, never one of JSON.parse's or eval's text.
function bodyPosition(stack: string, program: ProgramText): { line?: number; column?: number } {
  for (const text of stack.split('\n')) {
    const frame = parseFrame(text, program);
    if (frame !== undefined)
      return { line: frame.line, ...(frame.column === undefined ? {} : { column: frame.column }) };
  }
  return {};
}

interface Frame {
  readonly line: number;
  readonly column: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly isBehindBody: boolean;
}

// A frame ends with "(file:line:column)"; one of a syntax error with "at file:line:column".
function parseFrame(text: string, program: ProgramText): Frame | undefined {
  const { file, lineCount, parameters, headColumns = headLength(parameters) } = program;
  const start = text.lastIndexOf(`${file}:`);
  const position = start === -1 ? null : /^(\d+)(?::(\d+))?(?=\)?$)/.exec(text.slice(start + file.length + 1));
  if (position === null || !/\($|^ *at $/.test(text.slice(0, start))) return undefined;
  const engineLine = Number(position[1]);
  // The wrapper stands around the body: an unclosed bracket is reported at the body's end.
  const line = Math.min(engineLine, lineCount);
  const column = Number(position[2] ?? 0) - (line === 1 ? headColumns : 0);
  const end = start + file.length + 1 + position[0].length;
  const isBehindBody = engineLine > lineCount;
  return { line, column: isBehindBody || column < 1 ? undefined : column, start, end, isBehindBody };
}

function syntaxHint({ message, stack }: GuestErrorFields, program: ProgramText): string | undefined {
  if (message.includes('redefinition of parameter')) {
    const names = program.parameters.join(', ');
    return `${names} are given to the program as parameters; choose another name for your own variable.`;
  }
  // Then the token the message speaks of is the wrapper's.
  const isBehindBody = stack.split('\n').some((line) => parseFrame(line, program)?.isBehindBody);
  if (!isBehindBody || !/^(?:unexpected token|expecting)/.test(message)) return undefined;
  return 'The program ends where more is expected: look for a bracket, brace or expression that is not finished.';
}
