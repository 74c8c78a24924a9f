// Prints the highest resident memory, MiB, of a process that copies a directory into a staged run, changes every tenth
// file, and makes diff and write-back of that; with `bare`, of one whose staged run has no files. A process of its own:
// the system keeps peaks by process alone.
import { createRuntime } from '../../dist/index.js';

const [, , directory] = process.argv;
const runtime = await createRuntime({ mode: 'staged', workers: 1 });
const source = `
  const paths = list_files();
  const mark = String(Date.now());
  for (let at = 0; at < paths.length; at += 10) write_file(paths[at], mark + read_file(paths[at]).slice(mark.length));
  return paths.length`;
const outcome = await runtime.run({ source, staged: directory === 'bare' ? {} : { copyRw: [directory] } });
if (outcome.status !== 'completed') throw new Error(`the run ended ${outcome.status}`);
const patch = await runtime.renderDiff(outcome);
const report = await runtime.writeBack(outcome);
const written = report.files.filter(({ end }) => end.kind === 'written').length;
if (written !== Math.ceil(outcome.value / 10)) throw new Error(`${written} files were written`);
if (outcome.value > 0 && patch === '') throw new Error('there is no diff');
await runtime.close();
console.log(JSON.stringify(process.resourceUsage().maxRSS / 1024));
