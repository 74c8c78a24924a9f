import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, porthole } from './command.ts';
import { createFolder, type TempFolder } from './temp-folder.ts';

/** A folder with a tree to work on, in which the command is called. */
export interface StagedFolder extends TempFolder {
  /** `porthole run -e SOURCE`, in the folder. */
  readonly run: (source: string, ...args: readonly string[]) => Promise<Ended>;
  readonly porthole: (...args: readonly string[]) => Promise<Ended>;
}

/** Makes it: `src` with two files, `notes` with one. */
export function createStagedFolder(): StagedFolder {
  const folder = createFolder();
  folder.write('src/a.ts', 'one\n');
  folder.write('src/b.ts', 'two\n');
  folder.write('notes/x.md', 'x\n');
  const call = (...args: readonly string[]) => porthole(args, { cwd: folder.path });
  return { ...folder, porthole: call, run: (source, ...args) => call('run', '-e', source, ...args) };
}

/** Every file below a directory, by its path: its bytes as hex. */
export function bytesBelow(directory: string): Readonly<Record<string, string>> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(directory.length), readFileSync(path).toString('hex')]),
  );
}

/** Applies a patch with the real git to a copy of `folder/name`, and answers the bytes of what became of it. */
export function applied({ path }: TempFolder, name: string, patch: () => Promise<string>) {
  const elsewhere = join(path, 'elsewhere');
  cpSync(join(path, name), join(elsewhere, name), { recursive: true });
  return patch().then((text) => {
    // Whatever repository may lie around it is none of git's business here.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: path };
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { input: text, cwd: elsewhere, env, stdio: 'pipe' });
    return bytesBelow(join(elsewhere, name));
  });
}

/** The lines of the report on standard error. */
export function reportIn({ stderr }: Pick<Ended, 'stderr'>): readonly string[] {
  return stderr.split('\n').filter((line) => line.startsWith('write-back: '));
}
