import { PortholeError } from '../contract/errors.ts';
import type { StagedCopy, StagedOptions } from '../contract/staged-options.ts';
import { parseRootPath } from '../fs/path-rules.ts';
import { parseGlob } from '../text/glob.ts';

/** How a surface calls the three options. */
export interface InputLabels {
  readonly copy: string;
  readonly copyRw: string;
  readonly exclude: string;
}

/** What a command line calls them. */
export const flagLabels: InputLabels = { copy: '--copy', copyRw: '--copy-rw', exclude: '--exclude' };

/** What the library calls them. */
export const optionLabels: InputLabels = { copy: 'staged.copy', copyRw: 'staged.copyRw', exclude: 'staged.exclude' };

/** One input as it was asked for; nobody has looked at the host yet. */
export interface RequestedInput {
  /** The option with its value, for messages. */
  readonly label: string;
  /** Host path as the operator gave it. */
  readonly given: string;
  /** Undefined for the default. */
  readonly place: RequestedPlace | undefined;
  readonly isWritable: boolean;
}

/** A place of the tree as it was asked for. */
export interface RequestedPlace {
  /** Without a leading `/`; empty for the tree's root. */
  readonly path: string;
  /** Written with a trailing `/`: a file lands in it. */
  readonly mustBeDirectory: boolean;
}

/** Everything that was asked for. */
export interface RequestedInputs {
  readonly inputs: readonly RequestedInput[];
  readonly isExcluded: (path: string, name: string) => boolean;
}

/** Reads the inputs of a staged run. @throws PortholeError `ARGUMENT_INVALID` naming the option */
export function parseInputs(options: StagedOptions, labels: InputLabels): RequestedInputs {
  const { copy = [], copyRw = [], exclude = [] } = options;
  return {
    inputs: [
      ...copy.map((given) => parseInput(given, labels.copy, false)),
      ...copyRw.map((given) => parseInput(given, labels.copyRw, true)),
    ],
    isExcluded: parseExclusions(exclude, labels.exclude),
  };
}

function parseInput(written: StagedCopy, option: string, isWritable: boolean): RequestedInput {
  const { from, to } = typeof written === 'string' ? splitInput(written) : written;
  const label = `${option} ${JSON.stringify(typeof written === 'string' ? written : from)}`;
  if (from === '') throw refuseInput(label, 'it names no host path');
  if (from.includes('\0')) throw refuseInput(label, 'its host path contains NUL');
  return { label, given: from, place: to === undefined ? undefined : parsePlace(label, to), isWritable };
}

/** Takes an input apart at the last `=/`: a host path may hold such a thing as well. */
export function splitInput(written: string): { readonly from: string; readonly to?: string } {
  const at = written.lastIndexOf('=/');
  return at === -1 ? { from: written } : { from: written.slice(0, at), to: written.slice(at + 1) };
}

/** How a place is written. */
export const placeHint = 'A place is a path of the tree, as in src=/lib/src.';

function parsePlace(label: string, to: string): RequestedPlace {
  if (!to.startsWith('/'))
    throw refuseInput(label, `its place ${JSON.stringify(to)} does not begin with "/"`, placeHint);
  try {
    const { segments, mustBeDirectory } = parseRootPath(to, 'write', { spellings: ['/'] });
    return { path: segments.join('/'), mustBeDirectory };
  } catch (error) {
    if (!(error instanceof PortholeError)) throw error;
    throw refuseInput(label, `its place cannot be used: ${String(error.details['reason'])}`, placeHint);
  }
}

function parseExclusions(patterns: readonly string[], option: string): RequestedInputs['isExcluded'] {
  const globs = patterns.map((pattern) => {
    const label = `${option} ${JSON.stringify(pattern)}`;
    try {
      return { isName: !pattern.includes('/'), glob: parseGlob(pattern) };
    } catch (error) {
      if (!(error instanceof PortholeError)) throw error;
      throw refuseInput(label, error.message.slice(error.message.indexOf('": ') + 3));
    }
  });
  return (path, name) => globs.some(({ isName, glob }) => glob.matches(isName ? name : path));
}

/** The refusal of one input. */
export function refuseInput(label: string, reason: string, hint?: string): PortholeError {
  return new PortholeError('ARGUMENT_INVALID', `Cannot use ${label}: ${reason}`, hint === undefined ? {} : { hint });
}
