import { isPortholeError, PortholeError } from '../contract/errors.ts';
import type { Limits } from '../contract/limits.ts';
import type { Powers } from '../contract/powers.ts';
import { fileError } from '../fs/file-error.ts';
import { type HostEntry, openHostEntry } from '../fs/host-entry.ts';
import type { MemoryTree } from '../fs/memory-tree.ts';
import { type FoundInput, joined, ownerOf, type Placed, placeInputs } from './input-places.ts';
import { placeHint, type RequestedInput, type RequestedInputs, refuseInput } from './inputs.ts';
import type { Baseline, CopiedFile, StagedInput } from './staged-files.ts';

/** What copying needs besides the host's files. */
export interface CopyPowers extends Pick<Powers, 'digest'> {
  readonly quota: Pick<Limits, 'treeBytes' | 'treeNodes'>;
  /** Lets others have their turn; called every few files. It may throw to end the copying. */
  readonly breathe: () => Promise<void>;
  /** Told after every file how many of how many are there. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Copies the inputs into an empty tree and remembers what every file was. All inputs are found, listed and placed before
 * the first file is read, so that what cannot be copied costs nothing.
 * @throws PortholeError `ARGUMENT_INVALID`, `NOT_FOUND`, `NOT_A_REGULAR_FILE`, `TREE_FULL` and what reading throws
 */
export async function copyIn(requested: RequestedInputs, tree: MemoryTree, powers: CopyPowers): Promise<Baseline> {
  const opened: OpenedInput[] = [];
  try {
    for (const request of requested.inputs) opened.push(openInput(request));
    return await copyAll(findAll(opened, requested, powers.quota), tree, powers);
  } finally {
    for (const { entry } of opened) entry.close();
  }
}

interface OpenedInput {
  readonly request: RequestedInput;
  readonly entry: HostEntry;
}

interface ReadableInput extends FoundInput {
  readonly entry: HostEntry;
}

const nameHint = 'Check the name: inputs are named from the current directory, those of a policy file from its own.';

function openInput(request: RequestedInput): OpenedInput {
  const { given, place, label } = request;
  try {
    const entry = openHostEntry(given);
    if (entry.name !== '' || place !== undefined) return { request, entry };
    entry.close();
  } catch (error) {
    if (!isPortholeError(error, 'NOT_FOUND')) throw error;
    const at = given.lastIndexOf('=');
    if (place !== undefined || at === -1)
      throw new PortholeError(error.code, error.message, { hint: nameHint, path: given });
    // Nobody has such a file; what was meant is a place that does not begin with a slash.
    throw refuseInput(label, `its place ${JSON.stringify(given.slice(at + 1))} does not begin with "/"`, placeHint);
  }
  throw refuseInput(label, 'the root of the file system has no name to go by', 'Say where it goes, as in /=/host.');
}

function findAll(
  opened: readonly OpenedInput[],
  { isExcluded }: RequestedInputs,
  { treeNodes }: CopyPowers['quota'],
): readonly Placed<ReadableInput>[] {
  let nodes = 0;
  const onNode = (shown: string): void => {
    if (++nodes <= treeNodes) return;
    const reason = `with it there are more than ${treeNodes} files and directories (limit treeNodes)`;
    throw fileError('TREE_FULL', { verb: 'copy', written: shown }, reason, { details: { treeNodes } });
  };
  const found = opened.map(({ request, entry }) => {
    const { kind, name } = entry;
    onNode(request.given);
    return { request, entry, kind, name, listing: entry.list({ isExcluded, onNode }) };
  });
  return placeInputs(found);
}

// Often enough for a host that serves others, seldom enough to cost nothing.
const filesPerTurn = 64;

async function copyAll(
  inputs: readonly Placed<ReadableInput>[],
  tree: MemoryTree,
  { digest, quota, breathe, onProgress }: CopyPowers,
): Promise<Baseline> {
  const files = new Map<string, CopiedFile>();
  const owner = ownerOf(inputs);
  const total = inputs.reduce((sum, { listing }) => sum + countFiles(listing), 0);
  let bytesCopied = 0;
  const staged = new Map(inputs.map((input) => [input, describe(input)]));
  for (const [input, described] of staged) {
    // What lies below a longer place is that input's to fill.
    const wants = (path: string) => owner(joined(input.place, path)) === input;
    for (const { path, bytes, device, inode } of input.entry.read(
      input.listing,
      wants,
      () => quota.treeBytes - bytesCopied,
    )) {
      const at = joined(input.place, path);
      tree.put(at, bytes);
      bytesCopied += bytes.length;
      files.set(at, { path: at, input: described, bytes, pin: { device, inode, digest: digest(bytes) } });
      onProgress?.(files.size, total);
      if (files.size % filesPerTurn === 0) await breathe();
    }
  }
  return { inputs: [...staged.values()], files };
}

function describe({ request, entry, place, kind }: Placed<ReadableInput>): StagedInput {
  const { given, isWritable } = request;
  return { given, hostPath: entry.hostPath, place, kind, isWritable, directory: entry.directory };
}

function countFiles({ files, directories }: FoundInput['listing']): number {
  return directories.reduce((sum, [, inner]) => sum + countFiles(inner), files.length);
}
