import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, projectFolder, runToEnd } from './support/command.ts';

// Util-linux's `script` gives a command a terminal; elsewhere the flags differ, and nothing is shown here.
const giver = 'script';
const hasTerminal = spawnSync(giver, ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('complaints are red, unless NO_COLOR or a dumb terminal says otherwise', async () => {
    const limited = "run -e 'while (true) {}' --timeout 200ms";
    const red = '\u001b[31m';
    expect((await onTerminal(limited, { TERM: 'xterm', NO_COLOR: '' })).stdout).toContain(red);
    expect((await onTerminal(limited, { TERM: 'xterm', NO_COLOR: '1' })).stdout).not.toContain(red);
    expect((await onTerminal(limited, { TERM: 'dumb', NO_COLOR: '' })).stdout).not.toContain(red);
  });

  it('nothing that a program prints, returns or throws steers it', async () => {
    const hostile = '"\\u001b]0;owned\\u0007\\u001b[2J\\u202e"';
    for (const source of [`console.log(${hostile})`, `return ${hostile}`, `throw new Error(${hostile})`]) {
      const { stdout } = await onTerminal(`run -e '${source}'`, { TERM: 'xterm', NO_COLOR: '1' });
      expect(stdout).toContain('owned');
      for (const steering of ['\u001b', '\u0007', '\u202e']) expect(stdout).not.toContain(steering);
    }
  });
});

describe('into a pipe', () => {
  it('what a program prints is left as it is', async () => {
    const { stdout } = await runToEnd(process.execPath, [cli, 'run', '-e', 'return "\\u001b[2J"']);
    expect(stdout).toBe('\u001b[2J\n');
  });

  it('nobody complains when the reader has left', async () => {
    const line = `"$NODE" "$CLI" run -e 'return "x".repeat(3e6)' | head -c 3`;
    const ended = await runToEnd('bash', ['-c', line], { env: { NODE: process.execPath, CLI: cli } });
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'xxx', stderr: '' });
  });
});

const cli = join(projectFolder, 'dist/cli.cjs');

function onTerminal(args: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  return runToEnd(giver, ['-qec', `"${process.execPath}" "${cli}" ${args}`, '/dev/null'], { env });
}
