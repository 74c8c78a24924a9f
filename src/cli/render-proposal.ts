import type { ApplyReport } from '../proposals/apply-proposal.ts';
import type { FileDiff } from '../proposals/land-set.ts';
import type { ScalarForms } from '../proposals/plan-edits.ts';
import { renderVisible, renderVisibleLine } from '../text/visible-text.ts';

/** The edits of a report, one a line, with the way out of every refusal. */
export function renderEdits(
  { applied, already, rejected }: Pick<ApplyReport, 'applied' | 'already' | 'rejected'>,
  done: string,
): string {
  const lines = [
    ...applied.map(
      ({ path, key, before, after }) => `${done}  ${path} ${key}: ${renderForms(before)} -> ${renderForms(after)}`,
    ),
    ...already.map(({ path, key, holds }) => `already  ${path} ${key}: ${renderForms(holds)}`),
    ...rejected.flatMap(({ edit, path, key, message, hint }) => [
      `refused  edit ${edit}, ${path} ${key}: ${message}`,
      ...(hint === '' ? [] : [`         ${hint}`]),
    ]),
  ];
  return lines.map((line) => `${renderVisibleLine(line)}\n`).join('');
}

/** Diffs for standard output: nothing in them can act on a terminal. */
export function renderDiffs(diffs: readonly FileDiff[], isTerminal: boolean): string {
  return diffs.map(({ diff }) => (isTerminal ? renderVisible(diff).text : diff)).join('');
}

/** The words of a verdict, which are a model's. */
export function renderVerdict({ verdict }: Pick<ApplyReport, 'verdict'>): string {
  const { classification, summary, reasoning, escalationReason } = verdict;
  const rows = [
    [classification, summary],
    ['because', reasoning],
    ...(classification === 'escalate' && escalationReason !== reasoning ? [['person', escalationReason]] : []),
  ];
  return rows.map(([name = '', text = '']) => `${name.padEnd(10)} ${renderVisibleLine(text)}\n`).join('');
}

// Both forms where they differ: what the file spells, and what that means.
function renderForms({ source, value }: ScalarForms): string {
  const spelled = source.trim();
  return spelled === value || spelled === JSON.stringify(value) ? spelled : `${spelled} (${JSON.stringify(value)})`;
}
