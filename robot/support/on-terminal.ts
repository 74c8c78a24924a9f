import { spawnSync } from 'node:child_process';
import { command, type StartOptions, start } from './command.ts';
import { waitFor } from './wait-for.ts';

/** Whether util-linux's `script` is there, which gives a command a terminal; elsewhere its flags differ. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

/** What a person saw, and how it ended. */
export interface Session {
  readonly exitCode: number | undefined;
  /** Everything on the screen, without colours; what was typed is echoed in it. */
  readonly screen: string;
}

/** What is typed: at each question that shows, the next of these. A function can first let something happen. */
export type Answers = readonly (string | (() => string | Promise<string>))[];

const prompt = 'Allow? ';

/** Runs `porthole` in a pseudo-terminal and answers each question once it stands there. */
export async function onTerminal(
  args: readonly string[],
  answers: Answers,
  { env = {}, ...options }: StartOptions = {},
): Promise<Session> {
  const line = [process.execPath, command, ...args].map(quoteForShell).join(' ');
  const running = start('script', ['-qec', line, '/dev/null'], {
    ...options,
    // The input stays open until the command ends: an end of input would be an answer.
    input: undefined,
    env: { TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  let screen = '';
  let isOver = false;
  running.stdout.on('data', (chunk: Buffer | string) => {
    screen += String(chunk);
  });
  const ended = running.then(({ exitCode }) => {
    isOver = true;
    return exitCode;
  });
  for (const [index, answer] of answers.entries()) {
    await waitFor(`question ${index + 1}`, () => isOver || screen.split(prompt).length > index + 1);
    if (!isOver) running.stdin.write(typeof answer === 'string' ? answer : await answer());
  }
  const exitCode = await ended;
  return { exitCode, screen: screen.replaceAll('\r\n', '\n') };
}

/** How many questions a person was asked. */
export function countQuestions({ screen }: Session): number {
  return screen.split('porthole asks: ').length - 1;
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
