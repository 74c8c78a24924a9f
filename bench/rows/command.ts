import { execFileSync } from 'node:child_process';
import { commandPath } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';

/** The command, from start to exit. */
export const commandRows: readonly Row[] = [
  {
    name: 'command',
    what: '`porthole run -e "return 1"`',
    notShown:
      "Files are in the system's cache: the first start after a boot takes longer on both sides. `npx` adds its own start.",
    measure: measureCommand,
  },
];

async function measureCommand(): Promise<readonly Comparison[]> {
  const node = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' });
  const [porthole = Number.NaN, bare = Number.NaN] = await alternate(
    [
      { name: 'porthole', work: () => mustEqual(node(commandPath, 'run', '-e', 'return 1'), '1\n') },
      { name: 'node', work: () => mustEqual(node('-e', '1'), '') },
    ],
    { rounds: 25, warmUp: 3 },
  );
  const baseline = { name: '`node -e 1`', value: bare };
  return [{ unit: 'ms', porthole, baseline, bar: { kind: 'costs', atMost: 1.8 } }];
}
