import type { Row } from './row.ts';
import { commandRows } from './rows/command.ts';
import { freshRunRows } from './rows/fresh-run.ts';
import { memoryRows } from './rows/memory.ts';
import { readFileRows } from './rows/read-file.ts';
import { resultRows } from './rows/result.ts';
import { threadRows } from './rows/threads.ts';
import { windowRows } from './rows/windows.ts';
import { writeFileRows } from './rows/write-file.ts';

/** Every row, in the order of the table. */
export const allRows: readonly Row[] = [
  ...freshRunRows,
  ...readFileRows,
  ...writeFileRows,
  ...windowRows,
  ...resultRows,
  ...threadRows,
  ...memoryRows,
  ...commandRows,
];
