import { andThen } from '../calls/and-then.ts';
import { judgedReadFile, judgedWriteFile } from '../calls/file-calls.ts';
import type { JudgedCaller, JudgedTarget } from '../calls/judged-target.ts';
import { type JudgedTree, judgedRemoveFile, listTree } from '../calls/tree-calls.ts';
import type { ActionName } from '../contract/action.ts';
import { errorCodes, PortholeError } from '../contract/errors.ts';
import { type FileMode, type HelperName, helpersByMode } from '../contract/mode.ts';
import { fileError } from '../fs/file-error.ts';
import type { FileVerb } from '../fs/path-rules.ts';
import { nearestName } from '../text/nearest-name.ts';

/** What the helpers of one run work with. */
export interface HelperHost {
  readonly target: JudgedTarget;
  /** The same target where it is a run's own tree: only there files are listed and removed. */
  readonly tree?: JudgedTree;
  readonly caller: Omit<JudgedCaller, 'name' | 'callId'>;
  /** Told how many bytes a call handed to the guest, or took from it into a file. */
  readonly count: (kind: 'read' | 'written', bytes: number) => void;
  /** The tools that exist; a helper whose tool does not is not there. Default: all of them. */
  readonly tools?: readonly string[] | undefined;
  /** Stands before the number of a call, where a run has several programs. Default: nothing. */
  readonly callPrefix?: string;
}

/** What a helper is judged as, and exists with. */
const toolOfHelper: Readonly<Record<HelperName, ActionName>> = {
  read_file: 'file_read',
  write_file: 'file_write',
  list_files: 'file_read',
  remove_file: 'file_write',
};

/** The functions that guest code finds in its scope, by the mode of its run. */
export function createGuestHelpers(mode: FileMode, host: HelperHost): ReadonlyMap<HelperName, GuestHelper> {
  let calls = 0;
  const names = helpersByMode[mode].filter((name) => host.tools?.includes(toolOfHelper[name]) ?? true);
  const found = new Map<HelperName, GuestHelper>();
  for (const name of names) {
    const run = helpers[name](host);
    if (run !== undefined)
      found.set(name, (args) => answer(name, run, args, { host, callId: `${host.callPrefix ?? ''}${++calls}` }));
  }
  return found;
}

/**
 * A helper as the sandbox calls it; the same shape as the sandbox's own `Helper`, which this folder does not know.
 * It answers at once where nobody has to be asked and nothing is written.
 */
export type GuestHelper = (args: readonly unknown[]) => GuestAnswer | Promise<GuestAnswer>;

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

interface HelperCall {
  readonly host: HelperHost;
  readonly callId: string;
}

type HelperRun = (args: readonly unknown[], call: HelperCall) => GuestAnswer | Promise<GuestAnswer>;

// What a host has no files for is not there.
const helpers: Readonly<Record<HelperName, (host: HelperHost) => HelperRun | undefined>> = {
  read_file: () => readFileForGuest,
  write_file: () => writeFileForGuest,
  list_files: ({ tree }) => tree && ((args, call) => listFilesForGuest(tree, args, call)),
  remove_file: ({ tree }) => tree && ((args, call) => removeFileForGuest(tree, args, call)),
};

function answer(
  name: HelperName,
  run: HelperRun,
  args: readonly unknown[],
  call: HelperCall,
): GuestAnswer | Promise<GuestAnswer> {
  const refuse = (error: unknown): GuestAnswer => refusal(name, args[0], error);
  try {
    const given = run(args, call);
    return given instanceof Promise ? given.catch(refuse) : given;
  } catch (error) {
    return refuse(error);
  }
}

function readFileForGuest(args: readonly unknown[], call: HelperCall): GuestAnswer | Promise<GuestAnswer> {
  const { target, count } = call.host;
  const refuse = refuser(target, 'read', args[0]);
  const [maxChars, offset] = parseRest(args, { behind: ['path'], names: ['max_chars', 'offset'], refuse });
  const read = judgedReadFile(target, callerOf(call, 'read_file'), { path: args[0], maxChars, offset });
  return andThen(read, ({ result: { bytes }, settle }): GuestAnswer => {
    count('read', bytes.length);
    return { kind: 'text', utf8: bytes, afterReply: settle };
  });
}

async function writeFileForGuest(args: readonly unknown[], call: HelperCall): Promise<GuestAnswer> {
  const { target, count } = call.host;
  const refuse = refuser(target, 'write', args[0]);
  const [mode, offset] = parseRest(args, { behind: ['path', 'content'], names: ['mode', 'offset'], refuse });
  const input = { path: args[0], content: args[1], mode, offset };
  const { result, settle } = await judgedWriteFile(target, callerOf(call, 'write_file'), input);
  count('written', result.mode === 'w' ? result.bytesAfter : result.bytesAfter - result.bytesBefore);
  return { kind: 'value', value: result.charsWritten, afterReply: settle };
}

function listFilesForGuest(tree: JudgedTree, args: readonly unknown[], call: HelperCall): GuestAnswer {
  const refuse = refuser(tree, 'list', args[0] ?? '.');
  const [recursive] = parseRest(args, { behind: ['path'], names: ['recursive'], refuse });
  const { result, settle } = listTree(tree, callerOf(call, 'list_files'), { path: args[0], recursive });
  return { kind: 'value', value: result.paths, afterReply: settle };
}

async function removeFileForGuest(tree: JudgedTree, args: readonly unknown[], call: HelperCall): Promise<GuestAnswer> {
  if (args.length > 1) refuser(tree, 'remove', args[0])(`it takes 1 argument, not ${args.length}`);
  const { settle } = await judgedRemoveFile(tree, callerOf(call, 'remove_file'), { path: args[0] });
  return { kind: 'value', value: undefined, afterReply: settle };
}

// Written out: spreading takes longer than judging the call does.
function callerOf({ host, callId }: HelperCall, name: HelperName): JudgedCaller {
  const { context, recordEffect } = host.caller;
  return { name, callId, context, recordEffect };
}

interface Rest {
  /** Names of the arguments before the optional ones. */
  readonly behind: readonly string[];
  /** The optional arguments in the order of their positions; also the keys of the options object. */
  readonly names: readonly [string, ...string[]];
  readonly refuse: (reason: string) => never;
}

// The optional arguments, positional or as one options object.
function parseRest(args: readonly unknown[], { behind, names, refuse }: Rest): readonly unknown[] {
  const most = behind.length + names.length;
  if (args.length > most) refuse(`it takes ${most} arguments, not ${args.length}`);
  const given = args.slice(behind.length);
  const [first, ...others] = given;
  if (!isOptions(first)) return given;
  if (others.some((value) => value !== undefined))
    refuse('it takes positional arguments or one options object, not both');
  for (const key of first.fields.keys()) {
    if (names.includes(key)) continue;
    const nearest = nearestName(key, names);
    refuse(`there is no option ${JSON.stringify(key)}${nearest === undefined ? '' : `, did you mean ${nearest}?`}`);
  }
  return names.map((name) => first.fields.get(name));
}

function isOptions(value: unknown): value is { readonly fields: ReadonlyMap<string, unknown> } {
  return typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map;
}

// A bad path is named first, whatever else is wrong.
function refuser({ fs }: JudgedTarget, verb: FileVerb, path: unknown): (reason: string) => never {
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
