// Measures the row its argument names and hands the comparisons to the process that started it.
import { allRows } from './all-rows.ts';

const row = allRows.find(({ name }) => name === process.argv[2]);
if (row === undefined) throw new Error(`there is no row ${process.argv[2]}`);
const comparisons = await row.measure();
process.send?.(comparisons);
process.disconnect();
