import type { Question } from '../../policy/approver.ts';
import { createTerminalApprover } from '../terminal-approver.ts';
import { createTerminalLines } from '../terminal-lines.ts';

// Asks one question on the terminal it is run in, and prints the answer: what a test runs under a pseudo-terminal.
const question: Question = {
  id: 'q',
  run: 'r',
  action: 'edit_file replace src/a.ts',
  name: 'edit_file',
  level: 'moderate',
  reason: 'rule ask edit_file(src/**)',
  root: '/root',
  arguments: '{}',
  files: [
    { path: 'src/a.ts', change: 'modify', executable: true, bytesBefore: 1, bytesAfter: 2, diff: '-a\n+b\u202e\n' },
  ],
  scopes: ['once', 'run', 'project', 'always'],
};

const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
const ask = createTerminalApprover({
  input: isTerminal ? createTerminalLines(process.stdin) : undefined,
  write: (text) => process.stderr.write(text),
  yes: false,
  noInput: false,
  colour: false,
});
const answer = await ask(question, new AbortController().signal);
process.stdout.write(`ANSWER ${JSON.stringify(answer)}\n`);
