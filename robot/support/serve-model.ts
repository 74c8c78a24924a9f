import { readFileSync } from 'node:fs';
import { startModelServer } from './model-server.ts';
import type { ModelStep } from './model-steps.ts';

// A provider for the command line: `tsx robot/support/serve-model.ts ANSWER.json [STEP…]`. Each STEP is one thing that
// goes wrong before the answer comes: a status such as 429, `cut`, `invalid` or `slow`. It prints its address and serves
// until it is stopped.
const [file, ...troubles] = process.argv.slice(2);
if (file === undefined)
  throw new Error('which answer? tsx robot/support/serve-model.ts ANSWER.json [429 | cut | invalid | slow]…');
const answer: unknown = JSON.parse(readFileSync(file, 'utf8'));
const wrong = troubles.map(troubleOf);
const server = await startModelServer({ steps: (_request, index) => wrong[index] ?? { answer } });
console.log(server.url);

function troubleOf(name: string): ModelStep {
  if (/^\d{3}$/.test(name)) return { status: Number(name), headers: { 'retry-after': '1' } };
  if (name === 'cut') return { answer, cut: 'within the body' };
  if (name === 'invalid') return { answer: { classification: 'mechanical' } };
  if (name === 'slow') return { answer, waitMs: 3000, split: true };
  throw new Error(`there is no trouble ${name}: a status, cut, invalid, slow`);
}
