import type { Question, QuestionFile } from '../policy/approver.ts';
import { renderVisible, renderVisibleLine } from '../text/visible-text.ts';

/** A question as a terminal shows it: nothing in it can act on the terminal or hide. Ends in a line feed. */
export function renderQuestion(question: Question, colour: boolean): string {
  const { files } = question;
  const paint = colour ? painted : plain;
  const diffs = files.map((file) => renderVisible(file.diff));
  const { told, source } = splitArguments(question);
  const program = source === undefined ? undefined : renderVisible(source);
  const hidden = diffs.reduce((sum, diff) => sum + diff.hidden, program?.hidden ?? 0);
  const rows: (readonly [string, string])[] = [
    ['level', question.level],
    ['reason', question.reason],
    ['root', question.root],
    ...(told === undefined ? [] : [['arguments', told] as const]),
    ...(files.length === 0 ? [] : [['files', renderFiles(files)] as const]),
  ];
  const lines = [
    // The program may have left colours or half a line behind.
    `${colour ? '\u001b[0m' : ''}`,
    paint('bold', `porthole asks: ${renderVisibleLine(question.action)}`),
    ...rows.map(([name, value]) => `  ${name.padEnd(9)} ${renderVisibleLine(value)}`),
    ...(program === undefined ? [] : ['', paint('bold', 'program'), ...renderProgram(program.text)]),
    ...diffs.flatMap((diff, index) => ['', ...renderDiff(files[index], diff.text, paint)]),
  ];
  if (hidden > 0) {
    const what = hidden === 1 ? 'character that hides or acts is' : 'characters that hide or act are';
    lines.push(paint('red', `  ${hidden} ${what} shown as \\r or \\u{…}`));
  }
  return `${lines.join('\n')}\n`;
}

// A program is read line by line, as it was written, not as a text in JSON.
function splitArguments({ name, arguments: given }: Question): { readonly told?: string; readonly source?: string } {
  if (given === undefined) return {};
  if (name !== 'run') return { told: given };
  const { source, ...others }: Readonly<Record<string, unknown>> = JSON.parse(given);
  return typeof source === 'string' ? { told: JSON.stringify(others), source } : { told: given };
}

// Behind a bar, so that no line of a program can pass for one of the question.
function renderProgram(text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `| ${line}`);
}

function renderFiles(files: readonly QuestionFile[]): string {
  const created = files.filter((file) => file.change === 'create').length;
  const executable = files.filter((file) => file.executable).length;
  const facts = [created > 0 ? `${created} new` : '', executable > 0 ? `${executable} executable` : ''];
  const told = facts.filter((fact) => fact !== '');
  return told.length === 0 ? String(files.length) : `${files.length} (${told.join(', ')})`;
}

type Colour = 'bold' | 'red' | 'green' | 'cyan';
type Paint = (colour: Colour, text: string) => string;

function renderDiff(file: QuestionFile | undefined, text: string, paint: Paint): string[] {
  if (file === undefined) return [];
  const size = `${file.bytesBefore} bytes -> ${file.bytesAfter} bytes`;
  const title = `${file.change} ${renderVisibleLine(file.path)}${file.executable ? ' (executable)' : ''}, ${size}`;
  const lines = text.replace(/\n$/, '').split('\n');
  return [paint('bold', title), ...lines.map((line) => paintLine(line, paint))];
}

function paintLine(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

const codes: Readonly<Record<Colour, number>> = { bold: 1, red: 31, green: 32, cyan: 36 };

const painted: Paint = (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m`;

const plain: Paint = (_colour, text) => text;
