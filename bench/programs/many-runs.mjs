// Runs one small program 120,000 times on one runtime and prints how memory and time developed after the first 20,000.
import { createRuntime } from '../../dist/index.js';

const runtime = await createRuntime({ workers: 1 });

await runMany(20_000);
const early = rssMiB();
const first = await runMany(1000);
await runMany(49_000);
const middle = rssMiB();
await runMany(49_000);
const last = await runMany(1000);
const late = rssMiB();
await runtime.close();
console.log(JSON.stringify({ grownMiB: late - early, grownLateMiB: late - middle, firstMs: first, lastMs: last }));

/** Median of the times, milliseconds. */
async function runMany(count) {
  const times = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    const outcome = await runtime.run({ source: 'return 1 + 1' });
    times[index] = performance.now() - startedAt;
    if (outcome.value !== 2) throw new Error(`run ${index} ended ${outcome.status}`);
  }
  return times.sort()[count / 2];
}

function rssMiB() {
  return process.memoryUsage.rss() / 1024 / 1024;
}
