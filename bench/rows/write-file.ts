import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRuntime, resultOf } from '../built-package.ts';
import { createDurableWrite } from '../durable-write.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';
import { asciiText } from '../sample-text.ts';
import { withScratchDirectory } from '../scratch-directory.ts';

const size = 1024;

/** A durable replacement of a small file. */
export const writeFileRows: readonly Row[] = [
  {
    name: 'write-1kib',
    what: 'durable write of 1 KiB',
    notShown:
      'Most of it is the disk: what a sync costs, and whether it reaches the platter, differs by a factor of 100 between machines. The faster the disk, the higher the ratio. The bare sequence checks nothing: no path, no containment, no conflict, no mode of the old file. Around the core stand the schema and the text of the tool.',
    measure: measureWrite,
  },
];

function measureWrite(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    const content = asciiText(size);
    const context = { _unsafe_mode: true };
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    const log = { path: join(root, 'audit', 'log.jsonl'), fsync: true };
    mkdirSync(dirname(log.path));
    await using synced = await openRuntime({ root, mode: 'unsafe', workers: 1, audit: log });
    const writes = 10;
    const program = {
      source: `let n = 0; for (let i = 0; i < ${writes}; i++) n += write_file("guest.txt", input_data); return n`,
      input: content,
      context,
    };
    const bareWrite = createDurableWrite(root, 'bare.txt');
    const bytes = Buffer.from(content);
    const [tool = Number.NaN, guest = Number.NaN, withLog = Number.NaN, sequence = Number.NaN] = await alternate(
      [
        {
          name: 'tool',
          turn: writes,
          work: async () => {
            const answer = await runtime.callTool('file_write', { path: 'tool.txt', content }, { context });
            mustEqual(answer.ok, true);
          },
        },
        {
          name: 'guest',
          operations: writes,
          work: async () => mustEqual(await resultOf(runtime, program), writes * size),
        },
        {
          name: 'synced',
          operations: writes,
          work: async () => mustEqual(await resultOf(synced, program), writes * size),
        },
        { name: 'bare', turn: writes, work: () => bareWrite(bytes) },
      ],
      { rounds: 30, warmUp: 3 },
    );
    const baseline = { name: 'bare open, write, fsync, rename, fsync of the directory', value: sequence };
    return [
      {
        figure: 'tool `file_write`: the core',
        unit: 'ms',
        porthole: tool,
        baseline,
        bar: { kind: 'costs', atMost: 1.4 },
      },
      {
        figure: '`write_file` from the guest',
        unit: 'ms',
        porthole: guest,
        baseline,
        bar: { kind: 'costs', atMost: 2.2 },
      },
      {
        figure: '`write_file` from the guest, its intent synced to an audit log',
        unit: 'ms',
        porthole: withLog,
        baseline,
        bar: { kind: 'costs', atMost: 2.7 },
      },
    ];
  });
}
