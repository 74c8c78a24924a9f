import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll } from 'vitest';

/** The project, whose `dist/` is under test. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** The built command. */
export const command = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** How a program is started; without anything, in the project, with nothing on standard input. */
export interface StartOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** What a user sees of a program that has ended. */
export interface Ended {
  readonly exitCode: number | undefined;
  /** Name of the signal that ended it, if one did. */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `porthole` to its end; never rejects. */
export function porthole(args: readonly string[], options?: StartOptions): Promise<Ended> {
  return runToEnd(process.execPath, [command, ...args], options);
}

/** Starts `porthole` and leaves it running. */
export function startPorthole(args: readonly string[], options?: StartOptions) {
  return start(process.execPath, [command, ...args], options);
}

/** Runs any program to its end; never rejects. */
export async function runToEnd(file: string, args: readonly string[], options?: StartOptions): Promise<Ended> {
  const { exitCode, signal, stdout, stderr } = await start(file, args, options);
  return { exitCode, signal, stdout, stderr };
}

// Logs and grants of a suite are its alone: nothing is read from or left in the user's own state directory.
const state = mkdtempSync(join(tmpdir(), 'porthole-robot-state-'));
afterAll(() => rmSync(state, { recursive: true, force: true }));

// Far above what any of these programs takes: only a hang gets there.
const ceilingMs = process.env['PORTHOLE_LONG'] === '1' ? 300_000 : 45_000;

/** Starts any program: every byte of the output as it came, a failure as a result. */
export function start(file: string, args: readonly string[], options: StartOptions = {}) {
  const { cwd = projectFolder, env = {} } = options;
  // Asked for as undefined, the input is a pipe that stays open.
  const input = 'input' in options ? options.input : '';
  return execa(file, args, {
    cwd,
    ...(input === undefined ? {} : { input }),
    env: { XDG_STATE_HOME: state, ...env },
    reject: false,
    stripFinalNewline: false,
    timeout: ceilingMs,
    killSignal: 'SIGKILL',
  });
}
