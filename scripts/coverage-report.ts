import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

// Lines: what is not run by a test is not known to work. Branches: the rest are refusals of faults that no test can cause.
const least = { lines: 97, branches: 93 } as const;
const shownFiles = 10;

interface Measure {
  readonly total: number;
  readonly covered: number;
  readonly pct: number;
}
type Summary = Readonly<Record<string, { readonly lines: Measure; readonly branches: Measure }>>;

reportCoverage();

/** Prints the totals and the files with the most lines never run; fails below {@link least}. */
function reportCoverage(): void {
  // The format of vitest's reporter "json-summary".
  const { total, ...files } = JSON.parse(readFileSync('coverage/coverage-summary.json', 'utf8')) as Summary;
  if (total === undefined || Object.keys(files).length === 0)
    throw new Error('Cannot report coverage: no file was measured');
  for (const line of worstFiles(files)) console.log(line);
  const failures = (['lines', 'branches'] as const).filter((kind) => total[kind].pct < least[kind]);
  console.log(
    `lines ${total.lines.pct} % of ${total.lines.total}, branches ${total.branches.pct} % of ${total.branches.total}`,
  );
  for (const kind of failures)
    console.log(`Cannot accept ${total[kind].pct} % of the ${kind}: at least ${least[kind]} % are asked for`);
  if (failures.length > 0) process.exitCode = 1;
}

function worstFiles(files: Summary): readonly string[] {
  const missing = ({ lines }: { lines: Measure }) => lines.total - lines.covered;
  return Object.entries(files)
    .filter(([, file]) => missing(file) > 0)
    .sort(([, a], [, b]) => missing(b) - missing(a))
    .slice(0, shownFiles)
    .map(([path, file]) => `${relative('.', path)}: ${missing(file)} lines not run, branches ${file.branches.pct} %`);
}
