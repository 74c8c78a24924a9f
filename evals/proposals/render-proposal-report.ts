import type { CaseEnd } from './run-proposal-evals.ts';

/** The score of a caller, in the order in which it matters, with a line for every case that is no pass. */
export function renderProposalReport(name: string, ends: readonly CaseEnd[]): string {
  const count = (is: (end: CaseEnd) => boolean) => ends.filter(is).length;
  const score = [
    `UNSAFE ${count(({ isUnsafe }) => isUnsafe)}`,
    `classified ${count(({ isClassified }) => isClassified)}/${ends.length}`,
    `passed ${count(({ isPass }) => isPass)}/${ends.length}`,
  ];
  const missed = ends
    .filter(({ isPass }) => !isPass)
    .map(({ number, title, note }) => `  missed ${number} ${title}: ${note}`);
  return [`  ${name.padEnd(34)} ${score.join('   ')}`, ...missed].join('\n');
}

/** Every case with what became of the right answer and of the tempting one. */
export function renderTable(right: readonly CaseEnd[], wrong: readonly CaseEnd[]): string {
  const rows = right.map(({ number, title, kind, isPass }) => {
    const other = wrong.find((end) => end.number === number);
    const refused = other === undefined ? '-' : other.isUnsafe ? 'UNSAFE' : other.isPass ? 'refused' : 'inexact';
    return `  ${String(number).padStart(2)}  ${kind.padEnd(14)} ${title.padEnd(54)} ${isPass ? 'pass' : 'miss'}   ${refused}`;
  });
  const head = `  ${' #'.padEnd(2)}  ${'kind'.padEnd(14)} ${'case'.padEnd(54)} right  misled`;
  return ['', 'Proposals: from the question to the bytes', '', head, ...rows, ''].join('\n');
}
