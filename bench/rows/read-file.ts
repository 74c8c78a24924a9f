import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRuntime, resultOf } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import { loadQuickJs, loadRun } from '../peers.ts';
import type { Comparison, Row } from '../row.ts';
import { asciiText, mixedText } from '../sample-text.ts';
import { withScratchDirectory } from '../scratch-directory.ts';

const inLoop =
  "Many calls in one run, of a file that is in the system's cache and lies directly in the root. The time of the run itself and of the digest that each effect carries is spread over them.";

/** Whole files, from the guest. */
export const readFileRows: readonly Row[] = [
  {
    name: 'read-1kib',
    what: '`read_file` of 1 KiB',
    notShown: `${inLoop} The host function of \`run\` returns a text it holds and touches no file.`,
    measure: measureSmall,
  },
  {
    name: 'read-1mib-ascii',
    what: '`read_file` of 1 MiB ASCII',
    notShown: `${inLoop} \`newString\` is given text that was read and decoded before.`,
    measure: () => measureLarge(asciiText(MiB), { newString: 4, readFileSync: 2.5 }),
  },
  {
    name: 'read-1mib-mixed',
    what: '`read_file` of 1 MiB mixed Unicode',
    notShown: `${inLoop} \`newString\` is given text that was read and decoded before.`,
    measure: () => measureLarge(mixedText(MiB), { newString: 3.5, readFileSync: 1 }),
  },
];

const MiB = 1024 * 1024;

function measureSmall(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    const path = join(root, 'small.txt');
    const text = asciiText(1024);
    writeFileSync(path, text);
    const { run, createRunner } = await loadRun();
    const tools = { tools: { read: () => text } };
    const blocking = createRunner({ syncHostFunctions: tools });
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    // `run` allows 256 host calls in a run.
    const loop = (call: string, times: number) =>
      `let n = 0; for (let i = 0; i < ${times}; i++) n += (${call}).length; return n`;
    const own = loop('read_file("small.txt")', 1000);
    const awaited = loop('await tools.read()', 200);
    const blocked = loop('tools.read()', 200);
    const [porthole = Number.NaN, ...others] = await alternate(
      [
        { name: 'Porthole', operations: 1000, work: async () => mustEqual(await resultOf(runtime, own), 1_024_000) },
        {
          name: 'awaited host call of `run` 2.1.5',
          operations: 200,
          work: async () => mustEqual((await run({ source: awaited, hostFunctions: tools })).value, 204_800),
        },
        {
          name: 'blocking host call of `run` 2.1.5',
          operations: 200,
          work: async () => mustEqual((await blocking.run({ source: blocked })).value, 204_800),
        },
        {
          name: '`readFileSync(path)`',
          turn: 300,
          work: () => mustEqual(readFileSync(path).length, 1024),
        },
        {
          name: '`readFileSync(path, "utf8")`',
          turn: 300,
          work: () => mustEqual(readFileSync(path, 'utf8').length, 1024),
        },
      ],
      { rounds: 25, warmUp: 5 },
    );
    const [byRun = Number.NaN, byBlocking = Number.NaN, bytes = Number.NaN, decoded = Number.NaN] = others;
    const line = (name: string, value: number): Comparison => ({
      unit: 'ms',
      porthole,
      baseline: { name, value },
    });
    return [
      { ...line('awaited host call of `run` 2.1.5', byRun), bar: { kind: 'faster', atLeast: 6 } },
      line('blocking host call of `run` 2.1.5', byBlocking),
      { ...line('`readFileSync(path)`', bytes), bar: { kind: 'costs', atMost: 12 } },
      line('`readFileSync(path, "utf8")`', decoded),
    ];
  });
}

function measureLarge(
  text: string,
  bars: { readonly newString: number; readonly readFileSync: number },
): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    const path = join(root, 'large.txt');
    writeFileSync(path, text);
    const quickJs = (await loadQuickJs()).newRuntime();
    const context = quickJs.newContext();
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1 });
    const program = 'let n = 0; for (let i = 0; i < 20; i++) n += read_file("large.txt").length; return n';
    const [porthole = Number.NaN, created = Number.NaN, read = Number.NaN] = await alternate(
      [
        {
          name: 'Porthole',
          operations: 20,
          work: async () => mustEqual(await resultOf(runtime, program), 20 * text.length),
        },
        {
          name: 'newString',
          turn: 2,
          work: () => {
            const handle = context.newString(text);
            mustEqual(context.getNumber(context.getProp(handle, 'length')), text.length);
            handle.dispose();
          },
        },
        { name: 'readFileSync', turn: 20, work: () => mustEqual(readFileSync(path, 'utf8').length, text.length) },
      ],
      { rounds: 25, warmUp: 5 },
    );
    context.dispose();
    quickJs.dispose();
    return [
      {
        unit: 'ms',
        porthole,
        baseline: { name: '`newString` of `quickjs-emscripten` 0.32.0', value: created },
        bar: { kind: 'faster', atLeast: bars.newString },
      },
      {
        unit: 'ms',
        porthole,
        baseline: { name: '`readFileSync(path, "utf8")`', value: read },
        bar: { kind: 'costs', atMost: bars.readFileSync },
      },
    ];
  });
}
