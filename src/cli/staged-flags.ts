import type { StagedOptions } from '../contract/staged-options.ts';
import type { ParsedArguments } from './arguments.ts';
import type { FlagName } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The flags of a staged run. */
export const stagedFlags = [
  'copy',
  'copy-rw',
  'exclude',
  'diff',
  'diff-file',
  'dry-run',
  'fail-on-skip',
] as const satisfies readonly FlagName[];

/** What those flags say. */
export interface StagedFlags {
  readonly inputs: StagedOptions;
  /** How the changes are printed; undefined where they are not. */
  readonly diff: DiffFormat | undefined;
  readonly diffFile: DiffFile | undefined;
  readonly dryRun: boolean;
  readonly failOnSkip: boolean;
}

/** A file that the changes are written to. */
export interface DiffFile {
  readonly path: string;
  readonly format: DiffFormat;
}

/** How changes are shown: as a patch, or as the list of them. */
export type DiffFormat = 'patch' | 'json';

/** Reads the flags; undefined where none of them makes the run a staged one. @throws UsageError */
export function parseStagedFlags(args: ParsedArguments): StagedFlags | undefined {
  const [copy, copyRw, exclude] = [args.values('copy'), args.values('copy-rw'), args.values('exclude')];
  if (copy.length + copyRw.length === 0) {
    const alone = stagedFlags.find((flag) => args.has(flag));
    if (alone === undefined) return undefined;
    throw new UsageError(`--${alone} has no effect without --copy or --copy-rw`, 'Name what the program works on.');
  }
  if (args.has('unsafe')) {
    const flag = copy.length > 0 ? '--copy' : '--copy-rw';
    throw new UsageError(
      `${flag} and --unsafe are both given`,
      'A program works on a copy, or on the files themselves.',
    );
  }
  const diff = args.value('diff');
  const diffFile = args.value('diff-file');
  return {
    inputs: { copy, copyRw, exclude },
    diff: diff === undefined ? undefined : diff === 'json' ? 'json' : 'patch',
    diffFile: diffFile === undefined ? undefined : { path: diffFile, format: formatOf(diffFile) },
    dryRun: args.has('dry-run'),
    failOnSkip: args.has('fail-on-skip'),
  };
}

function formatOf(path: string): DiffFormat {
  if (/\.(?:diff|patch)$/.test(path)) return 'patch';
  if (path.endsWith('.json')) return 'json';
  throw new UsageError(`--diff-file ${JSON.stringify(path)} must end in .diff, .patch or .json`);
}
