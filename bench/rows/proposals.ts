import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { openRuntime } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';
import { withScratchDirectory } from '../scratch-directory.ts';

const MiB = 1024 * 1024;

/** Edits of single values in a large file. */
export const proposalRows: readonly Row[] = [
  {
    name: 'scalar-edit',
    what: 'applying edits of values in a 1 MiB YAML file',
    notShown:
      'One file of short lines and comments; parsing is by `parseDocument` of the same parser that the edit uses a part of. The bare sequence compares nothing, asks nobody and records nothing.',
    measure: measureEdits,
  },
];

function measureEdits(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    const path = join(root, 'large.yaml');
    const text = largeYaml();
    writeFileSync(path, text);
    await using runtime = await openRuntime({ root, mode: 'unsafe' });
    const apply = async (keys: readonly number[], value: string) => {
      const from = value === 'on' ? 'off' : 'on';
      const edits = keys.map((index) => ({
        path: 'large.yaml',
        key: `/harbour${index}/light`,
        from,
        to: value,
        rationale: '',
      }));
      const words = { summary: '', reasoning: '', escalationReason: '' };
      const proposal = { classification: 'mechanical', ...words, edits };
      mustEqual((await runtime.apply({ proposal, allow: ['*.yaml'] })).outcome, 'applied');
    };
    const many = Array.from({ length: 200 }, (_, index) => index * 40 + 1);
    let [one, all] = ['off', 'off'];
    const [single = Number.NaN, set = Number.NaN, bare = Number.NaN] = await alternate(
      [
        {
          name: 'one edit',
          work: () => {
            one = one === 'off' ? 'on' : 'off';
            return apply([20], one);
          },
        },
        {
          name: '200 edits',
          work: () => {
            all = all === 'off' ? 'on' : 'off';
            return apply(many, all);
          },
        },
        { name: 'bare', work: () => parseAndWrite(path) },
      ],
      { rounds: 5, warmUp: 1 },
    );
    return [
      {
        figure: 'one edit',
        unit: 'ms',
        porthole: single,
        baseline: { name: 'parsing it once, and a bare durable write', value: bare },
        bar: { kind: 'costs', atMost: 1.6 },
      },
      {
        figure: '200 edits',
        unit: 'ms',
        porthole: set,
        baseline: { name: 'one edit', value: single },
        bar: { kind: 'costs', atMost: 2 },
      },
    ];
  });
}

function largeYaml(): string {
  let text = '# lights of the harbours\n';
  for (let index = 0; text.length < MiB - 200; index++) {
    text += `harbour${index}:\n  light: off # after sunrise\n  depth: ${index % 40}.5\n  name: "Pier ${index}"\n`;
  }
  return text;
}

function parseAndWrite(path: string): void {
  const bytes = readFileSync(path);
  mustEqual(parseDocument(bytes.toString('utf8')).errors.length, 0);
  const draft = `${path}.tmp`;
  const file = openSync(draft, 'w');
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, path);
  const directory = openSync(join(path, '..'), 'r');
  fsyncSync(directory);
  closeSync(directory);
}
