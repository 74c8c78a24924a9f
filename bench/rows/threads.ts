import { Worker } from 'node:worker_threads';
import { openRuntime, resultOf } from '../built-package.ts';
import { alternate, mustEqual, timeOf } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

/** What happens beside a run: a killed one before it, another one next to it. */
export const threadRows: readonly Row[] = [
  {
    name: 'after-kill',
    what: 'next run after a hard kill, worst of 40',
    notShown:
      'The killed run had 150 ms; one that is killed sooner leaves less time to warm up the thread that takes over. Two kills at once are not measured.',
    measure: measureAfterKill,
  },
  {
    name: 'two-workers',
    what: 'two CPU-bound programs',
    notShown: 'A machine of two cores that does nothing else would give 2; whatever else runs there takes from it.',
    measure: measureTwoWorkers,
  },
];

async function measureAfterKill(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  await resultOf(runtime, 'return 1');
  let worst = 0;
  for (let count = 0; count < 40; count += 1) {
    // One native call that looks at no interrupt handler: only ending its thread ends it.
    const killed = await runtime.run({ source: 'return new Array(1e9).join("x")', limits: { timeMs: 150 } });
    mustEqual(killed.status, 'limited');
    worst = Math.max(worst, await timeOf(async () => mustEqual(await resultOf(runtime, 'return 1 + 1'), 2)));
  }
  return [{ unit: 'ms', porthole: worst, bar: { kind: 'adds', atMost: 10 } }];
}

async function measureTwoWorkers(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 2 });
  const program = 'let x = 0; for (let i = 0; i < 3e6; i++) x = (x * 31 + i) % 65521; return x';
  const expected = await resultOf(runtime, program);
  const run = async () => mustEqual(await resultOf(runtime, program), expected);
  const first = spinningThread();
  const second = spinningThread();
  const [together = Number.NaN, inTurn = Number.NaN, bareTogether = Number.NaN, bareInTurn = Number.NaN] =
    await alternate(
      [
        { name: 'two workers', work: () => Promise.all([run(), run()]) },
        { name: 'one worker', work: () => run().then(run) },
        { name: 'two bare threads', work: () => Promise.all([first.spin(), second.spin()]) },
        { name: 'one bare thread', work: () => first.spin().then(first.spin) },
      ],
      { rounds: 15, warmUp: 2 },
    );
  await Promise.all([first.end(), second.end()]);
  return [
    {
      unit: 'ms',
      porthole: together,
      baseline: { name: 'the same two on one worker', value: inTurn },
      bar: { kind: 'faster', atLeast: 1.8 },
    },
    {
      figure: 'two bare threads instead, what the machine gives',
      unit: 'ms',
      porthole: bareTogether,
      baseline: { name: 'the same work on one bare thread', value: bareInTurn },
    },
  ];
}

interface SpinningThread {
  readonly spin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

function spinningThread(): SpinningThread {
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', () => {
       let x = 0;
       for (let i = 0; i < 3e7; i++) x = (x * 31 + i) % 65521;
       parentPort.postMessage(x);
     });`,
    { eval: true, execArgv: [] },
  );
  const spin = () =>
    new Promise((resolve) => {
      thread.once('message', resolve);
      thread.postMessage('spin');
    });
  return { spin, end: () => thread.terminate() };
}
