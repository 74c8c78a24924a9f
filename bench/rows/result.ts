import { openRuntime, resultOf } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

/** A large value on its way to the host. */
export const resultRows: readonly Row[] = [
  {
    name: 'result-1mb',
    what: 'result of 1 MB of small objects',
    notShown:
      'The time the program takes to build the value is measured without either and taken off both. `JSON.stringify` loses what JSON cannot hold and calls `toJSON`; its text has still to be moved and parsed.',
    measure: measureResult,
  },
];

const count = 20_000;
const build = `const rows = []; for (let i = 0; i < ${count}; i++) rows.push({ id: i, name: "row " + i, done: i % 3 === 0 });`;

async function measureResult(): Promise<readonly Comparison[]> {
  await using runtime = await openRuntime({ workers: 1 });
  const run = (end: string) => resultOf(runtime, `${build} ${end}`);
  const bytes = await run('return JSON.stringify(rows).length');
  const [built = Number.NaN, returned = Number.NaN, stringified = Number.NaN] = await alternate(
    [
      { name: 'built', work: async () => mustEqual(await run('return rows.length'), count) },
      {
        name: 'returned',
        work: async () => {
          const rows = await run('return rows');
          mustEqual(Array.isArray(rows) && rows.length, count);
        },
      },
      { name: 'stringified', work: async () => mustEqual(await run('return JSON.stringify(rows).length'), bytes) },
    ],
    { rounds: 15, warmUp: 3 },
  );
  const baseline = { name: "the guest's own `JSON.stringify` of it", value: stringified - built };
  return [{ unit: 'ms', porthole: returned - built, baseline, bar: { kind: 'costs', atMost: 5 } }];
}
