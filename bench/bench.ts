import { fork } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allRows } from './all-rows.ts';
import { commandPath } from './built-package.ts';
import { installPeers } from './install-peers.ts';
import { type Comparison, judge, type Row } from './row.ts';
import { type MeasuredRow, renderMachine, renderTable } from './table.ts';

const usage = `tsx bench/bench.ts                        every row
tsx bench/bench.ts --rows fresh-run,…     these only
tsx bench/bench.ts --write                every row, and renew the table in bench/README.md

Rows: ${allRows.map(({ name }) => name).join(', ')}`;

const readme = new URL('./README.md', import.meta.url);
const startMark = '<!-- table: written by bench.ts --write -->';
const endMark = '<!-- end of table -->';

const options = parseOptions();
if (options !== undefined) await main(options);

interface Options {
  readonly rows: readonly Row[];
  readonly write: boolean;
}

// Undefined when there is nothing to measure: help was asked for, or the flags are wrong.
function parseOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: { rows: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const { rows: names, write = false, help = false } = values;
    if (help) return void console.log(usage);
    if (write && names !== undefined) throw new Error('--write renews all rows: leave --rows out');
    return { rows: names === undefined ? allRows : selectRows(names.split(',')), write };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

function selectRows(names: readonly string[]): readonly Row[] {
  const unknown = names.find((name) => allRows.every((row) => row.name !== name));
  if (unknown !== undefined) throw new Error(`There is no row "${unknown}"`);
  return allRows.filter(({ name }) => names.includes(name));
}

async function main({ rows, write }: Options): Promise<void> {
  if (!existsSync(commandPath)) throw new Error('Cannot measure: there is no built package; run `npm run build` first');
  installPeers();
  const machine = renderMachine();
  const measured: MeasuredRow[] = [];
  for (const row of rows) {
    console.error(`bench: ${row.name} …`);
    measured.push({ row, comparisons: await measureApart(row) });
  }
  const report = `Measured ${machine}.\n\n${renderTable(measured)}\n`;
  console.log(report);
  if (write) writeTable(report);
  const verdicts = measured.flatMap(({ comparisons }) => comparisons.map((comparison) => judge(comparison).isMet));
  const missed = verdicts.filter((isMet) => isMet === false).length;
  console.log(`${verdicts.filter((isMet) => isMet === true).length} bars met, ${missed} missed`);
  process.exitCode = missed === 0 ? 0 : 1;
}

/** A process for every row: none finds the memory, the threads or the compiled code of another. */
function measureApart({ name, nodeFlags = [] }: Row): Promise<readonly Comparison[]> {
  const script = fileURLToPath(new URL('./measure-row.ts', import.meta.url));
  const child = fork(script, [name], { execArgv: [...nodeFlags, '--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    let received: readonly Comparison[] | undefined;
    child.on('message', (message) => {
      received = message as readonly Comparison[]; // sent by measure-row.ts
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0 && received !== undefined) resolve(received);
      else reject(new Error(`row ${name} ended with code ${code}`));
    });
  });
}

function writeTable(report: string): void {
  const text = readFileSync(readme, 'utf8');
  const start = text.indexOf(startMark);
  const end = text.indexOf(endMark);
  if (start < 0 || end < start) throw new Error('bench/README.md has lost the marks around its table');
  writeFileSync(readme, `${text.slice(0, start + startMark.length)}\n\n${report}\n${text.slice(end)}`);
}
