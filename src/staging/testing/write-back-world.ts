import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type CallWorld, createCallWorld, type WorldOptions } from '../../calls/testing/call-world.ts';
import type { WriteBackReport } from '../../contract/write-back.ts';
import { createDiskRoot, type DiskRoot } from '../../fs/disk-root.ts';
import { findChanges } from '../changes.ts';
import type { Baseline, CopiedFile, StagedInput } from '../staged-files.ts';
import { type WriteBackRequest, writeBack } from '../write-back.ts';

/** What the run made of a file; null for deleting it. */
export type Edits = Readonly<Record<string, string | Uint8Array | null>>;

/** Which of the host's files lie where in the tree. */
export interface TestInput {
  /** Absolute host path. */
  readonly from: string;
  readonly place: string;
  /** As the operator spelled it. Default: its last name. */
  readonly given?: string;
  readonly isWritable?: boolean;
}

/** SHA-256 as digests are written. */
export function digest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Copies in what is on the host, as plainly as can be. */
export function copyIn(...inputs: readonly TestInput[]): Baseline {
  const staged = inputs.map(stage);
  const files = new Map<string, CopiedFile>();
  for (const input of staged) {
    for (const below of input.kind === 'file' ? [''] : filesBelow(input.hostPath)) {
      const path = [input.place, below].filter(Boolean).join('/');
      files.set(path, { path, input, ...readPinned(join(input.hostPath, below)) });
    }
  }
  return { inputs: staged, files };
}

function stage({ from, place, given = basename(from), isWritable = true }: TestInput): StagedInput {
  const hostPath = realpathSync(from);
  const isFile = lstatSync(hostPath).isFile();
  const directory = inodeAt(isFile ? dirname(hostPath) : hostPath);
  return { given, hostPath, place, kind: isFile ? 'file' : 'directory', directory, isWritable };
}

function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

function readPinned(path: string): Pick<CopiedFile, 'bytes' | 'pin'> {
  const bytes = readFileSync(path);
  return { bytes, pin: { ...inodeAt(path), digest: digest(bytes) } };
}

function inodeAt(path: string): { readonly device: string; readonly inode: string } {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { device: `${dev}`, inode: `${ino}` };
}

/** A gate that says yes to every write-back, and a log. */
export function createWriteBackCalls(options: WorldOptions = {}): CallWorld {
  return createCallWorld({ mode: 'staged', rules: [['allow', 'writeback(**)']], ...options });
}

/** What a test may set about a write-back. */
export interface WriteBackChoices extends Partial<Pick<WriteBackRequest, 'status' | 'dryRun'>> {
  readonly calls?: CallWorld;
  readonly root?: string;
  readonly openRoot?: (hostDirectory: string) => DiskRoot;
}

/** Writes back what edits make of a baseline. */
export function writeBackEdits(
  baseline: Baseline,
  edits: Edits,
  choices: WriteBackChoices = {},
): Promise<WriteBackReport | null> {
  const files = new Map([...baseline.files].map(([path, { bytes }]) => [path, bytes]));
  for (const [path, content] of Object.entries(edits)) {
    if (content === null) files.delete(path);
    else files.set(path, Buffer.from(content));
  }
  const { status = 'completed', dryRun = false, calls = createWriteBackCalls(), root = '/nowhere' } = choices;
  const openRoot = choices.openRoot ?? ((path) => createDiskRoot({ root: path, createDirectories: true }));
  const changes = findChanges(baseline, files, { digest });
  let ids = 0;
  const newId = () => `call-${++ids}`;
  return writeBack(
    { status, dryRun, changes, staged: { baseline, files } },
    { context: calls.context, root, openRoot, digest, newId },
  );
}
