import type { Row } from './row.ts';
import { commandRows } from './rows/command.ts';
import { editFileRows } from './rows/edit-file.ts';
import { freshRunRows } from './rows/fresh-run.ts';
import { memoryRows } from './rows/memory.ts';
import { policyRows } from './rows/policy.ts';
import { proposalRows } from './rows/proposals.ts';
import { readFileRows } from './rows/read-file.ts';
import { resultRows } from './rows/result.ts';
import { stagedRows } from './rows/staged.ts';
import { threadRows } from './rows/threads.ts';
import { windowRows } from './rows/windows.ts';
import { workflowRows } from './rows/workflows.ts';
import { writeFileRows } from './rows/write-file.ts';

/** Every row, in the order of the table. */
export const allRows: readonly Row[] = [
  ...freshRunRows,
  ...readFileRows,
  ...writeFileRows,
  ...editFileRows,
  ...policyRows,
  ...windowRows,
  ...proposalRows,
  ...resultRows,
  ...workflowRows,
  ...stagedRows,
  ...threadRows,
  ...memoryRows,
  ...commandRows,
];
