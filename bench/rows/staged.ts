import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Runtime } from '../../src/index.ts';
import { openRuntime } from '../built-package.ts';
import { createDurableWrite } from '../durable-write.ts';
import { alternate, median, mustEqual, timeOf } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';
import { asciiText } from '../sample-text.ts';
import { withMemoryDirectory, withScratchDirectory } from '../scratch-directory.ts';

/** Copying in, running, the diff and the write-back. */
export const stagedRows: readonly Row[] = [
  {
    name: 'staged-tree',
    what: 'staged run that changes every tenth of 1,000 files of 4 KiB, its diff and write-back',
    notShown:
      'Files of one size in 20 directories. The program is small: what a program computes is its own affair. The bare writes check nothing, and the slower the disk syncs, the more of the time is theirs.',
    measure: measureTree,
  },
  {
    name: 'staged-memory',
    what: 'the same over 32 MiB in 512 files: highest resident memory of the process',
    notShown:
      'Above that of a process whose staged run has no files, in sizes of the tree. A program that keeps what it reads has memory of its own.',
    measure: measureMemory,
  },
  {
    name: 'staged-quota',
    what: 'staged run over 50,000 files, refused by its quota',
    notShown: 'Where the system has one, in a file system in memory: a cold disk takes longer to list as many.',
    measure: measureQuota,
  },
];

const files = 1000;
const fileBytes = 4096;
const changed = files / 10;

const source = `
  const paths = list_files();
  for (let at = 0; at < paths.length; at += 10) {
    write_file(paths[at], input_data + read_file(paths[at]).slice(input_data.length));
  }
  return paths.length`;

function measureTree(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (directory) => {
    const tree = join(directory, 'tree');
    makeTree(tree, { files, fileBytes });
    await using runtime = await openRuntime({ root: directory, mode: 'staged', workers: 1 });
    const bareWrite = createDurableWrite(directory, 'bare.txt');
    const bytes = Buffer.from(asciiText(fileBytes));
    let round = 0;
    const [own = Number.NaN, copying = Number.NaN, writing = Number.NaN] = await alternate(
      [
        // Another text every time: a file that stays as it was is not written.
        { name: 'staged', work: () => fixTree(runtime, tree, `round ${String(++round).padStart(6, '0')}`) },
        { name: 'cp -r', work: () => void execFileSync('cp', ['-r', tree, join(directory, `copy-${round}`)]) },
        {
          name: 'bare writes',
          work: () => {
            for (let count = 0; count < changed; count += 1) bareWrite(bytes);
          },
        },
      ],
      { rounds: 7, warmUp: 2 },
    );
    const baseline = { name: '`cp -r` of the tree, then 100 bare durable writes', value: copying + writing };
    return [
      { unit: 'ms', porthole: own, baseline, bar: { kind: 'costs', atMost: 3 } },
      {
        figure: 'without as much as the bare writes took',
        unit: 'ms',
        porthole: own - writing,
        baseline: { name: '`cp -r` of the tree', value: copying },
      },
    ];
  });
}

async function fixTree(runtime: Runtime, tree: string, input: string): Promise<void> {
  const outcome = await runtime.run({ source, input, staged: { copyRw: [tree] } });
  mustEqual(outcome.status === 'completed' && outcome.value, files);
  mustEqual((await runtime.renderDiff(outcome)).split(`+${input}`).length - 1, changed);
  const report = await runtime.writeBack(outcome);
  mustEqual(report?.files.filter(({ end }) => end.kind === 'written').length, changed);
}

const large = { files: 512, fileBytes: 64 * 1024 };
const treeMiB = (large.files * large.fileBytes) / 1024 / 1024;

function measureMemory(): Promise<readonly Comparison[]> {
  return withMemoryDirectory((directory) => {
    const tree = join(directory, 'tree');
    makeTree(tree, large);
    const peaks = (argument: string) => median(Array.from({ length: 5 }, () => peakMiB(argument)));
    const [bare, own] = [peaks('bare'), peaks(tree)];
    return Promise.resolve([
      {
        unit: 'MiB',
        porthole: own,
        baseline: { name: 'without files', value: bare },
        bar: { kind: 'adds', atMost: 3 * treeMiB },
      },
    ]);
  });
}

// In plain Node: what loads TypeScript into this process takes memory of its own.
function peakMiB(argument: string): number {
  const path = fileURLToPath(new URL('../programs/staged-memory.mjs', import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [path, argument], { encoding: 'utf8' })) as number; // what it prints
}

function measureQuota(): Promise<readonly Comparison[]> {
  return withMemoryDirectory(async (directory) => {
    const tree = join(directory, 'tree');
    makeTree(tree, { files: 50_000, fileBytes: 0 });
    await using runtime = await openRuntime({ root: directory, mode: 'staged', workers: 1 });
    const times: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      times.push(
        await timeOf(async () => {
          const refused = await runtime.run({ source: 'return 1', staged: { copy: [tree] } }).catch(({ code }) => code);
          mustEqual(refused, 'TREE_FULL');
        }),
      );
    }
    return [
      { figure: 'the longest of 5', unit: 'ms', porthole: Math.max(...times), bar: { kind: 'adds', atMost: 1000 } },
    ];
  });
}

interface TreeSize {
  readonly files: number;
  readonly fileBytes: number;
}

const filesPerDirectory = 50;

function makeTree(tree: string, size: TreeSize): void {
  // Lines as source code has them: a diff of one line of 4 KiB would be none of a text.
  const text = asciiText(size.fileBytes).replace(/(.{63})./gs, '$1\n');
  for (let file = 0; file < size.files; file += 1) {
    const directory = join(tree, `d${Math.floor(file / filesPerDirectory)}`);
    if (file % filesPerDirectory === 0) mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `${file}.txt`), text);
  }
}
