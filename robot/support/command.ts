import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The project, whose `dist/` is under test. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

const command = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

/** How a program is started; without anything, in the project, with nothing on standard input. */
export interface StartOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
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

// Far above what any of these programs takes: only a hang gets there.
const ceilingMs = process.env['PORTHOLE_LONG'] === '1' ? 300_000 : 45_000;

// Every byte of the output as it came, a failure as a result.
function start(
  file: string,
  args: readonly string[],
  { cwd = projectFolder, input = '', env = {} }: StartOptions = {},
) {
  return execa(file, args, {
    cwd,
    input,
    env,
    reject: false,
    stripFinalNewline: false,
    timeout: ceilingMs,
    killSignal: 'SIGKILL',
  });
}
