import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Question } from '../policy/approver.ts';
import { createTerminalApprover, type TerminalApproverOptions } from './terminal-approver.ts';
import { createTerminalLines } from './terminal-lines.ts';

const question: Question = {
  id: 'q',
  run: 'r',
  action: 'edit_file replace src/a.ts',
  name: 'edit_file',
  level: 'moderate',
  reason: 'rule ask edit_file(src/**)',
  root: '/root',
  arguments: '{"path":"src/a.ts"}',
  files: [
    {
      path: 'src/a.ts',
      change: 'modify',
      executable: false,
      bytesBefore: 4,
      bytesAfter: 5,
      diff: '@@ -1 +1 @@\n-old\n+new\n',
    },
  ],
  scopes: ['once', 'run', 'project', 'always'],
};
const dangerous: Question = { ...question, level: 'dangerous', scopes: ['once', 'run'] };

interface Typing {
  /** Typed before the question stands there. */
  readonly before?: string;
  /** Typed at each prompt. */
  readonly lines?: readonly string[];
  readonly options?: Partial<TerminalApproverOptions>;
  readonly about?: Question;
}

// Asks, types the lines as prompts appear, and gives the answer and everything shown.
async function ask({ before = '', lines = [], options = {}, about = question }: Typing = {}) {
  const stream = new PassThrough();
  stream.write(before);
  const left = [...lines];
  let shown = '';
  const write = (text: string) => {
    shown += text;
    if (!text.startsWith('Allow?')) return;
    const line = left.shift();
    if (line === undefined) stream.end();
    else stream.write(line);
  };
  const input = createTerminalLines(stream);
  const approver = createTerminalApprover({ input, write, yes: false, noInput: false, colour: false, ...options });
  const answer = await approver(about, new AbortController().signal);
  return { answer, shown };
}

describe('createTerminalApprover()', () => {
  it('shows action, level, reason, arguments and the diff', async () => {
    const { shown } = await ask({ lines: ['n\n'] });
    expect(shown).toBe(
      [
        '',
        'porthole asks: edit_file replace src/a.ts',
        '  level     moderate',
        '  reason    rule ask edit_file(src/**)',
        '  root      /root',
        '  arguments {"path":"src/a.ts"}',
        '  files     1',
        '',
        'modify src/a.ts, 4 bytes -> 5 bytes',
        '@@ -1 +1 @@',
        '-old',
        '+new',
        'Allow? y yes, once · r all like it in this run · p below this root for 30 days · a everywhere for 30 days · n no [n] ',
      ].join('\n'),
    );
  });

  it.each([
    ['y\n', 'once'],
    ['yes\r\n', 'once'],
    ['Y\n', 'once'],
    ['r\n', 'run'],
    ['p\n', 'project'],
    ['always\n', 'always'],
  ])('takes %j for a yes of scope %s', async (line, scope) => {
    expect((await ask({ lines: [line] })).answer).toEqual({ decision: 'yes', scope, by: 'terminal' });
  });

  it.each(['n\n', 'no\n', '\n', '  \n'])('takes %j for a no', async (line) => {
    expect((await ask({ lines: [line] })).answer).toEqual({ decision: 'no', by: 'terminal' });
  });

  it('takes an end of input for a no', async () => {
    expect((await ask()).answer).toMatchObject({ decision: 'no', reason: 'the input ended' });
  });

  it('asks again after a slip, and takes three for a no', async () => {
    expect((await ask({ lines: ['x\n', 'yy\n', 'y\n'] })).answer).toMatchObject({ decision: 'yes' });
    expect((await ask({ lines: ['x\n', '\u001b[0n\n', 'x'.repeat(2000)] })).answer).toMatchObject({
      reason: 'no clear answer',
    });
  });

  it('takes nothing for an answer that came before the question stood there', async () => {
    expect((await ask({ before: 'y\n', lines: ['n\n'] })).answer).toEqual({ decision: 'no', by: 'terminal' });
    expect((await ask({ before: 'n\n', lines: ['y\n'] })).answer).toMatchObject({ decision: 'yes' });
  });

  it('offers no scope beyond the run for what is dangerous', async () => {
    const { answer, shown } = await ask({ about: dangerous, lines: ['a\n', 'p\n', 'r\n'] });
    expect(answer).toMatchObject({ decision: 'yes', scope: 'run' });
    expect(shown).not.toContain('30 days');
  });

  it('answers with --yes up to moderate, never what is dangerous', async () => {
    const options = { yes: true };
    const { answer, shown } = await ask({ options });
    expect(answer).toEqual({ decision: 'yes', scope: 'once', by: '--yes' });
    expect(shown).toBe('');
    expect((await ask({ options, about: dangerous, lines: ['y\n'] })).answer).toMatchObject({ by: 'terminal' });
    expect((await ask({ options: { ...options, input: undefined }, about: dangerous })).answer).toEqual({
      decision: 'unavailable',
      reason: '--yes answers nothing dangerous, and there is no terminal to ask on',
    });
  });

  it('asks nobody without a terminal or with --no-input', async () => {
    for (const options of [{ input: undefined }, { noInput: true }]) {
      const { answer, shown } = await ask({ options, lines: ['y\n'] });
      expect(answer).toMatchObject({ decision: 'unavailable' });
      expect(shown).toBe('');
    }
  });

  it('stops asking when the answer no longer counts, before and within the prompt', async () => {
    for (const isEarly of [true, false]) {
      const stream = new PassThrough();
      const controller = new AbortController();
      if (isEarly) controller.abort();
      const write = (text: string) => void (text.startsWith('Allow?') && setTimeout(() => controller.abort(), 5));
      const approver = createTerminalApprover({
        input: createTerminalLines(stream),
        write,
        yes: false,
        noInput: false,
        colour: false,
      });
      expect(await approver(question, controller.signal)).toMatchObject({ decision: 'no', reason: 'no longer asked' });
      expect(stream.listenerCount('data')).toBe(0);
    }
  });

  it('shows what hides or acts, says how much, and how many files are new or executable', async () => {
    const file = {
      path: 'a\u001b[2J.sh',
      change: 'create',
      executable: true,
      bytesBefore: 0,
      bytesAfter: 9,
      diff: '+x\u202ey\r\n',
    } as const;
    const about: Question = {
      ...question,
      action: 'writeback of 2 files',
      arguments: undefined,
      files: [file, ...question.files],
    };
    const { shown } = await ask({ about, lines: ['n\n'] });
    expect(shown).toContain('files     2 (1 new, 1 executable)');
    expect(shown).toContain('create a\\u{1b}[2J.sh (executable), 0 bytes -> 9 bytes');
    expect(shown).toContain('+x\\u{202e}y\\r\n');
    expect(shown).toContain('2 characters that hide or act are shown');
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toContain('arguments');
  });

  it('shows the arguments of a read or run, which change no file', async () => {
    const { shown } = await ask({ about: { ...question, files: [] }, lines: ['n\n'] });
    expect(shown).not.toContain('files ');
  });

  it('uses colour only where it may', async () => {
    const about: Question = {
      ...question,
      files: question.files.map((file) => ({ ...file, diff: `${file.diff}+\u200b\n` })),
    };
    const { shown } = await ask({ about, lines: ['n\n'], options: { colour: true } });
    expect(shown).toContain('\u001b[32m+new\u001b[0m');
    expect(shown).toContain('\u001b[31m-old\u001b[0m');
    expect(shown).toContain('1 character that hides or acts is shown');
  });
});

const hasPseudoTerminal = existsSync('/usr/bin/script');

describe.runIf(hasPseudoTerminal)('createTerminalApprover() on a real terminal', () => {
  const script = fileURLToPath(new URL('./testing/ask-in-terminal.ts', import.meta.url));

  // Runs the script in a pseudo-terminal; types something at once and something when the prompt stands there.
  function inTerminal(atOnce: string, atPrompt: string): Promise<string> {
    const command = `${process.execPath} --import tsx ${script}`;
    const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'ignore'] });
    let shown = '';
    let isAsked = false;
    child.stdin.write(atOnce);
    child.stdout.on('data', (chunk) => {
      shown += String(chunk);
      if (isAsked || !shown.includes('Allow?')) return;
      isAsked = true;
      child.stdin.write(atPrompt);
    });
    return new Promise((resolve) => child.on('close', () => resolve(shown)));
  }

  it('takes what is typed at the prompt, not what was typed ahead', async () => {
    const shown = await inTerminal('y\ny\ny\n', 'n\n');
    expect(shown).toContain('+b\\u{202e}');
    expect(shown).toContain('ANSWER {"decision":"no","by":"terminal"}');
    expect(await inTerminal('n\n', 'p\n')).toContain('ANSWER {"decision":"yes","scope":"project","by":"terminal"}');
  }, 30_000);

  it('asks nobody where input is no terminal', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.end('y\n');
    let shown = '';
    child.stdout.on('data', (chunk) => {
      shown += String(chunk);
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(shown).toContain('ANSWER {"decision":"unavailable"');
  }, 30_000);
});
