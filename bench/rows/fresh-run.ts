import { Worker } from 'node:worker_threads';
import { openRuntime, resultOf } from '../built-package.ts';
import { alternate, type Contender, mustEqual } from '../measure.ts';
import { loadIsolatedVm, loadQuickJs, loadRun, loadRunSandboxed } from '../peers.ts';
import type { Bar, Comparison, Row } from '../row.ts';

/** A program that does nothing, in a guest that nobody used before. */
export const freshRunRows: readonly Row[] = [
  {
    name: 'fresh-run',
    what: 'fresh run of `return 1 + 1`',
    notShown:
      'Runs follow each other without a pause and none waits for a thread; after a pause waking the thread costs more. The isolate and quickjs-emscripten run in the thread of the caller, so a guest in an endless loop would stop that thread; V8 runs longer programs faster than QuickJS does.',
    nodeFlags: ['--no-node-snapshot'],
    measure: measureFreshRun,
  },
  {
    name: 'round-trip',
    what: 'fresh run of `return 1 + 1`',
    notShown: 'The bare thread sends back what it got and does nothing else: it is the floor of any guest in a thread.',
    measure: measureRoundTrip,
  },
];

async function measureFreshRun(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  const run = await loadRun();
  const runSandboxed = await loadRunSandboxed();
  const ivm = await loadIsolatedVm();
  const quickJs = await loadQuickJs();
  const baselines: readonly (Contender & { readonly atLeast: number })[] = [
    {
      name: '`run` 2.1.5, warm',
      atLeast: 60,
      work: async () => mustEqual((await run.run({ source: 'return 1 + 1' })).value, 2),
    },
    {
      name: '`@sebastianwessel/quickjs` 3.1.0',
      atLeast: 40,
      work: async () => {
        mustEqual((await runSandboxed(({ evalCode }) => evalCode('export default 1 + 1'))).data, 2);
      },
    },
    {
      name: '`isolated-vm` 5.0.4, new isolate and context',
      atLeast: 12,
      turn: 2,
      work: () => {
        const isolate = new ivm.Isolate({ memoryLimit: 64 });
        mustEqual(isolate.createContextSync().evalSync('1 + 1'), 2);
        isolate.dispose();
      },
    },
    {
      name: '`quickjs-emscripten` 0.32.0, new runtime and context',
      atLeast: 2.2,
      turn: 5,
      work: () => {
        const engine = quickJs.newRuntime();
        const context = engine.newContext();
        const value = context.unwrapResult(context.evalCode('1 + 1'));
        mustEqual(context.getNumber(value), 2);
        value.dispose();
        context.dispose();
        engine.dispose();
      },
    },
  ];
  const porthole = { name: 'Porthole', turn: 50, work: freshRun(runtime) };
  const [own = Number.NaN, ...others] = await alternate([porthole, ...baselines], { rounds: 60, warmUp: 15 });
  return baselines.map(({ name, atLeast }, index) => ({
    unit: 'ms',
    porthole: own,
    baseline: { name, value: others[index] ?? Number.NaN },
    bar: { kind: 'faster', atLeast } satisfies Bar,
  }));
}

async function measureRoundTrip(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  const thread = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (message) => parentPort.postMessage(message));`,
    { eval: true, execArgv: [] },
  );
  const message = { source: 'return 1 + 1' };
  const bare = () =>
    new Promise((resolve) => {
      thread.once('message', resolve);
      thread.postMessage(message);
    });
  const [own = Number.NaN, floor = Number.NaN] = await alternate(
    [
      { name: 'Porthole', turn: 200, work: freshRun(runtime) },
      { name: 'bare', turn: 200, work: bare },
    ],
    { rounds: 40, warmUp: 15 },
  );
  await thread.terminate();
  const baseline = { name: 'round trip of a message through a bare worker thread', value: floor };
  return [{ unit: 'ms', porthole: own, baseline, bar: { kind: 'costs', atMost: 6 } }];
}

function freshRun(runtime: Awaited<ReturnType<typeof openRuntime>>): () => Promise<void> {
  return async () => mustEqual(await resultOf(runtime, 'return 1 + 1'), 2);
}
