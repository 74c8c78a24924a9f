import { type GrantScope, isAboveLevel } from '../contract/action.ts';
import type { Answer, Approver, Question } from '../policy/approver.ts';
import { renderQuestion } from './render-question.ts';
import type { TerminalLines } from './terminal-lines.ts';

/** What a terminal approver works with. */
export interface TerminalApproverOptions {
  /** The terminal's input; undefined when input or error output is no terminal. */
  readonly input: TerminalLines | undefined;
  /** Writes to the terminal, beside the program's own output. */
  readonly write: (text: string) => void;
  /** `--yes`: answers once for everything up to moderate. */
  readonly yes: boolean;
  /** `--no-input`: nobody is asked. */
  readonly noInput: boolean;
  readonly colour: boolean;
}

/** Asks the person at the terminal. */
export function createTerminalApprover(options: TerminalApproverOptions): Approver {
  return (question, signal) => {
    if (options.yes && !isAboveLevel(question.level, 'moderate')) {
      return Promise.resolve({ decision: 'yes', scope: 'once', by: '--yes' });
    }
    const { input } = options;
    if (input === undefined || options.noInput) return Promise.resolve(unavailable(options));
    return askPerson({ ...options, input }, question, signal);
  };
}

function unavailable({ noInput, yes }: TerminalApproverOptions): Answer {
  const why = noInput ? '--no-input forbids asking' : 'there is no terminal to ask on';
  return { decision: 'unavailable', reason: yes ? `--yes answers nothing dangerous, and ${why}` : why };
}

// A wrong key is a slip; more of them is somebody, or something, that does not answer this question.
const maxAttempts = 3;

async function askPerson(
  { input, write, colour }: TerminalApproverOptions & { readonly input: TerminalLines },
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  // Whatever was typed, pasted or answered by the terminal itself before the question stood there is no answer to it.
  await input.discardPending(signal);
  write(renderQuestion(question, colour));
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    write(renderPrompt(question));
    const line = await input.nextLine(signal);
    if (line === undefined) {
      write('\n');
      return { decision: 'no', reason: signal.aborted ? 'no longer asked' : 'the input ended', by: 'terminal' };
    }
    const answer = parseAnswer(line.trim().toLowerCase(), question);
    if (answer !== undefined) return answer;
  }
  return { decision: 'no', reason: 'no clear answer', by: 'terminal' };
}

const scopeWords: Readonly<Record<GrantScope, { key: string; words: string }>> = {
  once: { key: 'y', words: 'yes, once' },
  run: { key: 'r', words: 'all like it in this run' },
  project: { key: 'p', words: 'below this root for 30 days' },
  always: { key: 'a', words: 'everywhere for 30 days' },
};

function renderPrompt({ scopes }: Question): string {
  const choices = scopes.map((scope) => `${scopeWords[scope].key} ${scopeWords[scope].words}`);
  return `Allow? ${choices.join(' · ')} · n no [n] `;
}

function parseAnswer(line: string, { scopes }: Question): Answer | undefined {
  if (line === '' || line === 'n' || line === 'no') return { decision: 'no', by: 'terminal' };
  if (line === 'yes') return { decision: 'yes', scope: 'once', by: 'terminal' };
  const scope = scopes.find((known) => line === known || line === scopeWords[known].key);
  return scope === undefined ? undefined : { decision: 'yes', scope, by: 'terminal' };
}
