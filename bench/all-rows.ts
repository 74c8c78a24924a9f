import type { Row } from './row.ts';
import { commandRows } from './rows/command.ts';
import { editFileRows } from './rows/edit-file.ts';
import { freshRunRows } from './rows/fresh-run.ts';
import { memoryRows } from './rows/memory.ts';
import { policyRows } from './rows/policy.ts';
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
  ...editFileRows,
  ...policyRows,
  ...windowRows,
  ...resultRows,
  ...threadRows,
  ...memoryRows,
  ...commandRows,
];
