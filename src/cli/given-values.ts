import { unsafeFlag } from '../calls/unsafe-flag.ts';
import { readOperatorFileUnchecked, whyUnreadable } from '../fs/operator-file.ts';
import type { ParsedArguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** What `--input` or `--input-text` say the program sees as `input_data`. @throws UsageError */
export async function readInput(world: World, args: ParsedArguments): Promise<unknown> {
  const text = args.value('input-text');
  const written = args.value('input');
  if (text !== undefined && written !== undefined) throw new UsageError('--input and --input-text are both given');
  if (written === undefined) return text;
  return parseJson(
    '--input',
    written === '@-' ? decode('--input', await world.readStandardInput()) : expand('--input', written),
  );
}

/** What `--context` holds, and the flag that `--allow-write` puts there. @throws UsageError */
export function readContext(args: ParsedArguments): Readonly<Record<string, unknown>> {
  if (args.has('allow-write') && !args.has('unsafe')) {
    throw new UsageError('--allow-write has no effect without --unsafe', 'Add --unsafe, or leave --allow-write out.');
  }
  const written = args.value('context');
  const context = written === undefined ? {} : parseObject('--context', expand('--context', written));
  if (!args.has('allow-write')) return context;
  if (Object.hasOwn(context, unsafeFlag) && context[unsafeFlag] !== true) {
    const said = JSON.stringify(context[unsafeFlag]);
    throw new UsageError(
      `--allow-write and --context contradict each other: ${unsafeFlag} is ${said} there`,
      'Leave --allow-write out, or the key.',
    );
  }
  return { ...context, [unsafeFlag]: true };
}

/** An object written as JSON. @throws UsageError */
export function parseObject(flag: string, text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(flag, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>; // an object, just checked
  }
  throw new UsageError(`${flag} must be an object`);
}

/** The text itself, or that of the file behind `@`. @throws UsageError */
export function expand(flag: string, written: string): string {
  if (written === '@-') throw new UsageError(`${flag} cannot be read from standard input`);
  return written.startsWith('@') ? readTextFile(flag, written.slice(1)) : written;
}

/** A text file of the operator's. @throws UsageError */
export function readTextFile(what: string, path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readOperatorFileUnchecked(path);
  } catch (error) {
    throw new UsageError(`cannot read ${JSON.stringify(path)} for ${what}: ${whyUnreadable(error)}`);
  }
  return decode(what, bytes);
}

/** Bytes as text; a byte order mark stays. @throws UsageError */
export function decode(what: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${what} is not UTF-8`);
  }
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${flag} is not JSON: ${reason}`, flag === '--input' ? inputAdvice(text) : undefined);
  }
}

function inputAdvice(text: string): string {
  if (/^[\w./-]+\.json$/.test(text)) return `Did you mean --input @${text}?`;
  return 'A text as it is goes in with --input-text, a JSON file with --input @FILE.';
}
