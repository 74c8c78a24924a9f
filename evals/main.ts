import { runProposalEvals } from './proposals/proposal-evals.ts';
import { renderReport } from './render-report.ts';
import { runEvals } from './run-evals.ts';
import { createToolGround } from './tool-ground.ts';

// Run as `npm run evals`: prints the table, and fails unless the perfect caller passes everything
// and no proposal lands that should not.
await using ground = await createToolGround();
const report = await runEvals(ground);
console.log(renderReport(report));
if (report.perfect.some(({ passed, cases }) => passed < cases)) process.exitCode = 1;
if (!(await runProposalEvals(console.log))) process.exitCode = 1;
