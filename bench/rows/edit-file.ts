import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRuntime } from '../built-package.ts';
import { createDurableWrite } from '../durable-write.ts';
import { countRightEdits, type EditContenders } from '../edit-cases.ts';
import { alternate, mustEqual } from '../measure.ts';
import { loadFilesystemServer } from '../peers.ts';
import type { Comparison, Row } from '../row.ts';
import { asciiText } from '../sample-text.ts';
import { withMemoryDirectory, withScratchDirectory } from '../scratch-directory.ts';

const MiB = 1024 * 1024;
const context = { _unsafe_mode: true };

/** Edits of a large file, and of the cases that a peer can express. */
export const editFileRows: readonly Row[] = [
  {
    name: 'edit-line',
    what: 'edit of a line in the middle of 1 MiB',
    notShown:
      'The bare sequence knows the new bytes before it starts; it finds no line, guards nothing and makes no diff. The disk dominates both.',
    measure: measureLineEdit,
  },
  {
    name: 'find-nothing',
    what: 'find that matches nothing in 1 MiB of one repeated line',
    notShown: 'The time includes the search for the nearest line that the error names, which a scan does not do.',
    measure: measureFindNothing,
  },
  {
    name: 'edit-peer',
    what: 'edit by find',
    notShown:
      'The peer is called in process, without its protocol. It never waits for the disk, so both are held against each other where syncing costs nothing, and beside it stands what the disk adds. Counted are the cases that it can express: one or several texts to find, in one call.',
    measure: measurePeerEdits,
  },
];

function measureLineEdit(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    const lines = asciiText(MiB).split('\n');
    const middle = Math.floor(lines.length / 2);
    writeFileSync(join(root, 'porthole.txt'), lines.join('\n'));
    writeFileSync(join(root, 'bare.txt'), lines.join('\n'));
    const bareWrite = createDurableWrite(root, 'bare.txt');
    let turn = 0;
    const [porthole = Number.NaN, bare = Number.NaN] = await alternate(
      [
        {
          name: 'porthole',
          work: async () => {
            turn += 1;
            const call = { path: 'porthole.txt', mode: 'replace', line: middle, content: `turn ${turn}` };
            mustEqual((await runtime.callTool('edit_file', call, { context })).ok, true);
          },
        },
        { name: 'bare', work: () => bareWrite(readFileSync(join(root, 'bare.txt'))) },
      ],
      { rounds: 60, warmUp: 5 },
    );
    const baseline = { name: 'bare read, then durable write of the same bytes', value: bare };
    return [{ unit: 'ms', porthole, baseline, bar: { kind: 'costs', atMost: 2.5 } }];
  });
}

function measureFindNothing(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    const bytes = Buffer.from('    return value + 1;\n'.repeat(MiB / 22));
    // Shares all but its last characters with every line: what a naive search and a naive nearest line stumble over.
    const find = '    return value + 1;\n    return value + 1;\n    return value + 2;';
    writeFileSync(join(root, 'file.txt'), bytes);
    const call = { path: 'file.txt', mode: 'replace', find, content: 'x' };
    const [porthole = Number.NaN, scan = Number.NaN] = await alternate(
      [
        {
          name: 'porthole',
          work: async () => {
            const answer = await runtime.callTool('edit_file', call, { context });
            mustEqual(answer.ok ? 'edited' : answer.error.code, 'FIND_NOT_FOUND');
          },
        },
        { name: 'scan', work: () => mustEqual(bytes.indexOf(find), -1) },
      ],
      { rounds: 60, warmUp: 5 },
    );
    const baseline = { name: 'five scans by `Buffer.indexOf`', value: 5 * scan };
    return [{ unit: 'ms', porthole, baseline, bar: { kind: 'adds', atMost: 5 } }];
  });
}

async function measurePeerEdits(): Promise<readonly Comparison[]> {
  const { applyFileEdits } = await loadFilesystemServer();
  const inMemory = await withMemoryDirectory(async (root) => {
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    const edits = { root, runtime, applyFileEdits };
    const bar = { kind: 'costs', atMost: 1 } as const;
    const right = await countRightEdits(edits);
    return [
      { figure: '1 MiB, in memory', ...(await timeEdits(edits, MiB)), bar },
      { figure: '4 KiB, in memory', ...(await timeEdits(edits, 4096)), bar },
      {
        figure: `cases of cases/edits.json got right, of ${right.cases}`,
        unit: 'cases',
        porthole: right.porthole,
        baseline: { name: peerName, value: right.peer },
        bar: { kind: 'all', of: right.cases },
      },
    ] as const;
  });
  const onDisk = await withScratchDirectory(async (root) => {
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    return await timeEdits({ root, runtime, applyFileEdits }, MiB);
  });
  return [...inMemory, { figure: '1 MiB, on a disk that Porthole waits for', ...onDisk }];
}

const peerName = '`@modelcontextprotocol/server-filesystem` 2026.8.31';

async function timeEdits(
  { root, runtime, applyFileEdits }: EditContenders,
  size: number,
): Promise<Pick<Comparison, 'unit' | 'porthole' | 'baseline'>> {
  const half = asciiText(size / 2 - 100);
  for (const name of ['porthole.txt', 'peer.txt']) {
    writeFileSync(join(root, name), `${half}\nthe line to edit: 0\n${half}`);
  }
  let mine = 0;
  let theirs = 0;
  const [porthole = Number.NaN, peer = Number.NaN] = await alternate(
    [
      {
        name: 'porthole',
        work: async () => {
          const [find, content] = [`the line to edit: ${mine}\n`, `the line to edit: ${++mine}\n`];
          const call = { path: 'porthole.txt', mode: 'replace', find, content };
          mustEqual((await runtime.callTool('edit_file', call, { context })).ok, true);
        },
      },
      {
        name: 'peer',
        work: async () => {
          const [oldText, newText] = [`the line to edit: ${theirs}\n`, `the line to edit: ${++theirs}\n`];
          await applyFileEdits(join(root, 'peer.txt'), [{ oldText, newText }]);
        },
      },
    ],
    { rounds: 40, warmUp: 3 },
  );
  mustEqual(readFileSync(join(root, 'peer.txt'), 'utf8').includes(`edit: ${theirs}\n`), true);
  return { unit: 'ms', porthole, baseline: { name: peerName, value: peer } };
}
