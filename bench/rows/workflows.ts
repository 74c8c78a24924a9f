import { importPackage, openRuntime, resultOf } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

/** Agents and bridges, beside what they are made of. */
export const workflowRows: readonly Row[] = [
  {
    name: 'pipeline',
    what: 'a pipeline of 20 inline agents over small values',
    notShown:
      'The agents only add one; the file was parsed and its code checked before. A pipeline has one receipt, 20 runs have 20.',
    measure: measurePipeline,
  },
  {
    name: 'predicates',
    what: 'one predicate of a bridge, of 100 that leave one agent',
    notShown:
      'The predicates of one agent share a message to the thread. One that leaves an agent alone pays for that message by itself.',
    measure: measurePredicates,
  },
];

const agents = 20;

async function measurePipeline(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  const { parseAgentFile, runWorkflow } = await importPackage();
  const lines = Array.from({ length: agents }, (_, at) => `  a${at}: { type: tool, code: 'return input_data + 1' }`);
  const bridges = lines.slice(1).map((_, at) => `  - { from: a${at}, to: a${at + 1} }`);
  const file = await parseAgentFile(
    ['porthole: 1', 'agents:', ...lines, 'bridges:', ...bridges, 'start: a0'].join('\n'),
  );
  const pipeline = async () => {
    const outcome = await runWorkflow(runtime, file, { input: 0 });
    mustEqual(outcome.status === 'completed' && outcome.value, agents);
  };
  const single = async () => {
    for (let input = 0; input < agents; input += 1) {
      mustEqual(await resultOf(runtime, { source: 'return input_data + 1', input }), input + 1);
    }
  };
  const [own = Number.NaN, others = Number.NaN] = await alternate(
    [
      { name: 'pipeline', turn: 5, work: pipeline },
      { name: '20 runs', turn: 5, work: single },
    ],
    { rounds: 60, warmUp: 15 },
  );
  const baseline = { name: '20 runs of the same programs', value: others };
  return [{ unit: 'ms', porthole: own, baseline, bar: { kind: 'costs', atMost: 1.5 } }];
}

const bridgesPerRun = 100;

// 100 runs of 100 predicates; what the run around them takes is taken off, as a run without predicates shows it.
async function measurePredicates(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  const { parseAgentFile, runWorkflow } = await importPackage();
  const fileWith = (predicates: number) =>
    parseAgentFile(
      [
        'porthole: 1',
        "agents: { a: { type: tool, code: 'return input_data' }, b: { type: tool, code: 'return 1' } }",
        'bridges:',
        ...Array.from({ length: predicates }, () => "  - { from: a, to: b, when: 'input_data.length > 100' }"),
        'start: a',
      ].join('\n'),
    );
  const [many, one] = [await fileWith(bridgesPerRun), await fileWith(1)];
  const runFile = (file: typeof many) => async () => {
    const outcome = await runWorkflow(runtime, file, { input: 'notes.txt' });
    mustEqual(outcome.status === 'completed' && outcome.value, 'notes.txt');
  };
  const [manyMs = Number.NaN, oneMs = Number.NaN, fresh = Number.NaN] = await alternate(
    [
      { name: '100 predicates', work: runFile(many) },
      { name: 'one predicate', work: runFile(one) },
      { name: 'fresh run', turn: 10, work: async () => mustEqual(await resultOf(runtime, 'return 1 + 1'), 2) },
    ],
    { rounds: 100, warmUp: 15 },
  );
  const baseline = { name: 'fresh run of `return 1 + 1`', value: fresh };
  const porthole = (manyMs - oneMs) / (bridgesPerRun - 1);
  return [
    { unit: 'ms', porthole, bar: { kind: 'adds', atMost: 0.04 } },
    { unit: 'ms', porthole, baseline },
  ];
}
