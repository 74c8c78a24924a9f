import type { ProgramError } from '../contract/outcome.ts';
import { disarm } from './output.ts';

// A line of a program longer than this is shown around its column.
const maxLineWidth = 100;

/** A failed program for a person: the body's line with a caret below the column, the message, the guest's stack. */
export function renderCodeFrame(error: ProgramError, source: string, file: string): string {
  const { message, hint, stack } = error;
  const name = nameWithCode(error);
  const title = message === '' ? name : `${name}: ${message}`;
  const parts = [
    renderPlace(error, source, file),
    name !== 'PortholeError' && (error.kind === 'thrown' || error.kind === 'syntax') ? title : message,
    stack,
    ...renderCauses(error),
    hint === undefined ? '' : `hint: ${hint}`,
  ];
  return `${disarm(parts.filter((part) => part !== '').join('\n'))}\n`;
}

// A guest may call anything a code.
function nameWithCode({ name, code }: Pick<ProgramError, 'name' | 'code'>): string {
  return code !== undefined && /^[\w.-]{1,60}$/.test(code) ? `${name} [${code}]` : name;
}

function renderPlace({ line, column }: ProgramError, source: string, file: string): string {
  if (line === undefined) return '';
  const text = source.split('\n')[line - 1]?.replace(/\r$/, '') ?? '';
  const label = String(line);
  const gutter = ' '.repeat(label.length);
  const place = `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  const { shown, before } = cutAround(text, column ?? 1);
  const frame = [place, `${gutter} |`, `${label} | ${shown}`];
  if (column !== undefined) frame.push(`${gutter} | ${blanksLike(before)}^`);
  return frame.join('\n');
}

// Columns count UTF-16 units, as the engine does.
function cutAround(text: string, column: number): { readonly shown: string; readonly before: string } {
  const at = Math.min(Math.max(column - 1, 0), text.length);
  if (text.length <= maxLineWidth) return { shown: text, before: text.slice(0, at) };
  const start = Math.max(0, Math.min(at - maxLineWidth / 2, text.length - maxLineWidth));
  const end = start + maxLineWidth;
  const lead = start > 0 ? '…' : '';
  const shown = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
  return { shown, before: lead + text.slice(start, at) };
}

// Tabs stay tabs, so that the caret stands below its character whatever a tab is worth.
function blanksLike(text: string): string {
  return Array.from(text, (character) => (character === '\t' ? '\t' : ' ')).join('');
}

function renderCauses({ cause }: Pick<ProgramError, 'cause'>): readonly string[] {
  if (cause === undefined) return [];
  return [`caused by ${nameWithCode(cause)}: ${cause.message}`, cause.stack ?? '', ...renderCauses(cause)];
}
