import type { EvalReport } from './run-evals.ts';

/** The report as the table a person reads, with a line for everything the perfect caller missed. */
export function renderReport({ perfect, slips }: EvalReport): string {
  return [
    'Exact edits: a pass is a file with exactly the wanted bytes',
    '',
    'perfect caller',
    ...perfect.map(({ name, passed, cases }) => `  ${name.padEnd(34)} ${passed}/${cases}`),
    '',
    `${'slip'.padEnd(36)} to the letter   with the rules`,
    ...slips.map(({ name, literal, ruled }) => {
      const share = (passed: number) => `${passed}/${ruled.cases}`;
      return `  ${name.padEnd(34)} ${share(literal.passed).padEnd(15)} ${share(ruled.passed)}`;
    }),
    ...perfect.flatMap(({ misses }) => misses.map((miss) => `missed: ${miss}`)),
  ].join('\n');
}
