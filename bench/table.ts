import { cpus, loadavg } from 'node:os';
import { type Comparison, judge, type Row, renderFigure } from './row.ts';

/** A row with what was measured. */
export interface MeasuredRow {
  readonly row: Row;
  readonly comparisons: readonly Comparison[];
}

const header = ['row', 'measured', 'Porthole', 'baseline', 'its figure', 'ratio', 'bar', 'met'];

/** The table as Markdown with aligned columns, and below it what each row does not show. */
export function renderTable(measured: readonly MeasuredRow[]): string {
  const lines = measured.flatMap(({ row, comparisons }) => comparisons.map((comparison) => cells(row, comparison)));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  );
  const render = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (line[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const notes = measured.map(({ row }) => `- **${row.name}**: ${row.notShown}`);
  return [render(header), rule, ...lines.map(render), '', 'What the rows do not show:', '', ...notes].join('\n');
}

/** Day and machine, without its name, and how busy it was: above 1 something else was running. */
export function renderMachine(): string {
  const [first, ...others] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const system = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  const processor = `${first?.model.trim() ?? 'unknown CPU'}, ${others.length + 1} cores`;
  return `${day}, ${system}, ${processor}, load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`;
}

function cells(row: Row, comparison: Comparison): string[] {
  const { figure, porthole, unit, baseline } = comparison;
  const { shown, bar, isMet } = judge(comparison);
  return [
    row.name,
    figure === undefined ? row.what : `${row.what}: ${figure}`,
    renderFigure(porthole, unit),
    baseline?.name ?? '',
    baseline === undefined ? '' : renderFigure(baseline.value, unit),
    shown,
    bar,
    isMet === undefined ? '' : isMet ? 'yes' : '**no**',
  ];
}
