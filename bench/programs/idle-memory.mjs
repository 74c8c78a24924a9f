// Prints the resident memory, MiB, of a process with an idle runtime of as many warm workers as the argument says;
// with 0, of Node alone. A process of its own, without anything else in it.
import { setTimeout as wait } from 'node:timers/promises';

const workers = Number(process.argv[2]);

if (workers > 0) {
  const { createRuntime } = await import('../../dist/index.js');
  const runtime = await createRuntime({ workers });
  const together = (source) => Promise.all(Array.from({ length: workers }, () => runtime.run({ source })));
  // The pool grows while all its workers are taken.
  await together('const end = Date.now() + 300; while (Date.now() < end); return 1');
  for (let count = 0; count < 1000 / workers; count += 1) await together('return 1 + 1');
  await measure();
  await runtime.close();
} else {
  await measure();
}

async function measure() {
  await wait(1000);
  console.log(JSON.stringify(process.memoryUsage.rss() / 1024 / 1024));
}
