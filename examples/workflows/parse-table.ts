// Body of the agent `parse` in tide-report.yaml: comma-separated values, quoted where they hold commas or line breaks.
type Row = Record<string, string>;

const records: string[][] = [[]];
for (const [, quoted, plain, end] of (input_data as string)
  .trimEnd()
  .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
  records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  if (end === '') break;
  if (end !== ',') records.push([]);
}
const [columns = [], ...lines] = records;
if (columns.length < 2) throw new Error('it has one column only');

const rows = lines.map((cells): Row => Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));
// A remark is there or not; everything else has to be.
const needed = columns.filter((name) => name !== 'remark');
const gaps = rows.flatMap((row, index) =>
  needed.filter((name) => row[name] === '').map((name) => `row ${index + 1} has no ${name}`),
);

return { columns, rows, gaps };
