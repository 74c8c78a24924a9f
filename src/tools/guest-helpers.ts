import { type Caller, type CallTarget, callReadFile, callWriteFile } from '../calls/judged-call.ts';
import { errorCodes, PortholeError } from '../contract/errors.ts';
import { type FileMode, type HelperName, helpersByMode } from '../contract/mode.ts';
import { fileError } from '../fs/file-error.ts';
import type { FileVerb } from '../fs/path-rules.ts';
import { nearestName } from '../text/nearest-name.ts';

/** What the helpers of one run work with. */
export interface HelperHost {
  readonly target: CallTarget;
  readonly caller: Omit<Caller, 'name'>;
  /** Told how many bytes a call handed to the guest, or took from it into a file. */
  readonly count: (kind: 'read' | 'written', bytes: number) => void;
}

/** The functions that guest code finds in its scope, by the mode of its run. */
export function createGuestHelpers(mode: FileMode, host: HelperHost): ReadonlyMap<HelperName, GuestHelper> {
  return new Map(helpersByMode[mode].map((name) => [name, (args) => answer(name, args, host)]));
}

/** A helper as the sandbox calls it; the same shape as the sandbox's own `Helper`, which this folder does not know. */
export type GuestHelper = (args: readonly unknown[]) => GuestAnswer;

/** What a helper answers. */
export type GuestAnswer =
  | { readonly kind: 'text'; readonly utf8: Uint8Array; readonly afterReply: () => void }
  | { readonly kind: 'value'; readonly value: unknown; readonly afterReply: () => void }
  | {
      readonly kind: 'refused';
      readonly name: 'ValueError' | 'Error';
      readonly message: string;
      readonly code: string;
      readonly path: string | undefined;
    };

const helpers: Readonly<Record<HelperName, (args: readonly unknown[], host: HelperHost) => GuestAnswer>> = {
  read_file: readFileForGuest,
  write_file: writeFileForGuest,
};

function answer(name: HelperName, args: readonly unknown[], host: HelperHost): GuestAnswer {
  try {
    return helpers[name](args, host);
  } catch (error) {
    return refusal(name, args[0], error);
  }
}

function readFileForGuest(args: readonly unknown[], { target, caller, count }: HelperHost): GuestAnswer {
  const refuse = refuser(target, 'read', args[0]);
  const [maxChars, offset] = parseRest(args, { behind: ['path'], names: ['max_chars', 'offset'], refuse });
  const input = { path: args[0], maxChars, offset };
  const { result, settle } = callReadFile(target, { ...caller, name: 'read_file' }, input);
  count('read', result.bytes.length);
  return { kind: 'text', utf8: result.bytes, afterReply: settle };
}

function writeFileForGuest(args: readonly unknown[], { target, caller, count }: HelperHost): GuestAnswer {
  const refuse = refuser(target, 'write', args[0]);
  const [mode, offset] = parseRest(args, { behind: ['path', 'content'], names: ['mode', 'offset'], refuse });
  const input = { path: args[0], content: args[1], mode, offset };
  const { result, settle } = callWriteFile(target, { ...caller, name: 'write_file' }, input);
  count('written', result.mode === 'w' ? result.bytesAfter : result.bytesAfter - result.bytesBefore);
  return { kind: 'value', value: result.charsWritten, afterReply: settle };
}

interface Rest {
  /** Names of the arguments before the optional ones. */
  readonly behind: readonly string[];
  /** The optional arguments in the order of their positions; also the keys of the options object. */
  readonly names: readonly [string, string];
  readonly refuse: (reason: string) => never;
}

// The optional arguments, positional or as one options object.
function parseRest(args: readonly unknown[], { behind, names, refuse }: Rest): readonly [unknown, unknown] {
  const most = behind.length + names.length;
  if (args.length > most) refuse(`it takes ${most} arguments, not ${args.length}`);
  const [first, second] = args.slice(behind.length);
  if (!isOptions(first)) return [first, second];
  if (second !== undefined) refuse('it takes positional arguments or one options object, not both');
  for (const key of first.fields.keys()) {
    if (names.includes(key)) continue;
    const nearest = nearestName(key, names);
    refuse(`there is no option ${JSON.stringify(key)}${nearest === undefined ? '' : `, did you mean ${nearest}?`}`);
  }
  return [first.fields.get(names[0]), first.fields.get(names[1])];
}

function isOptions(value: unknown): value is { readonly fields: ReadonlyMap<string, unknown> } {
  return typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map;
}

// A bad path is named first, whatever else is wrong.
function refuser({ fs }: CallTarget, verb: FileVerb, path: unknown): (reason: string) => never {
  return (reason) => {
    fs.parsePath(path, verb);
    throw fileError('ARGUMENT_INVALID', { verb, written: path }, reason);
  };
}

function refusal(helper: HelperName, path: unknown, error: unknown): GuestAnswer {
  if (!(error instanceof PortholeError)) throw error;
  const name: 'ValueError' | 'Error' | 'never' = errorCodes[error.code].guest;
  // A fault of the host, such as a closed runtime: nothing a program could do about it.
  if (name === 'never') throw error;
  const reason = typeof error.details['reason'] === 'string' ? error.details['reason'] : error.message;
  return { kind: 'refused', name, code: error.code, path: error.path, message: `${helper}(${show(path)}): ${reason}` };
}

// As much of a path as a reader needs; the whole one is in the error's `path`.
const maxShownLength = 300;

function show(path: unknown): string {
  if (typeof path !== 'string') return '';
  return JSON.stringify(path.length > maxShownLength ? `${path.slice(0, maxShownLength)}…` : path);
}
