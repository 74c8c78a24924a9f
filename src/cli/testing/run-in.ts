import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../command-line.ts';

/** What a command wrote, and how it ended. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The one JSON value of `--json`. */
  readonly json: () => unknown;
}

/** Runs a command line in this process, as the built command would. */
export async function runHere(...args: readonly string[]): Promise<Ran> {
  let out = '';
  let err = '';
  const exit = await runCommandLine({
    args,
    env: process.env,
    out: {
      isTerminal: false,
      write: (text) => {
        out += text;
      },
    },
    err: {
      isTerminal: false,
      write: (text) => {
        err += text;
      },
    },
    readStandardInput: () => Promise.resolve(new Uint8Array()),
    onInterrupt: () => () => undefined,
  });
  return { exit, out, err, json: () => JSON.parse(out) };
}

/** Goes to a new directory with a state directory of its own; returns its path and the way back. */
export function enterDirectory(): { readonly directory: string; readonly leave: () => void } {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-command-')));
  const [before, state] = [process.cwd(), process.env['XDG_STATE_HOME']];
  process.chdir(directory);
  process.env['XDG_STATE_HOME'] = join(directory, '.state');
  return {
    directory,
    leave: () => {
      process.chdir(before);
      if (state === undefined) delete process.env['XDG_STATE_HOME'];
      else process.env['XDG_STATE_HOME'] = state;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
