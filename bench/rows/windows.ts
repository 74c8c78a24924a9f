import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRuntime, resultOf } from '../built-package.ts';
import { alternate, mustEqual } from '../measure.ts';
import type { Comparison, Row } from '../row.ts';
import { mixedText } from '../sample-text.ts';
import { withScratchDirectory } from '../scratch-directory.ts';

const MB = 1_000_000;

/** A file larger than the guest, window by window. */
export const windowRows: readonly Row[] = [
  {
    name: 'windows-200mb',
    what: '64 Ki-character windows through 200 MB of mixed text',
    notShown:
      "The file is in the system's cache and walked forward; going backward starts from an earlier position. `readFileSync` holds the whole text in the host's memory, the guest one window.",
    measure: measureWindows,
  },
];

function measureWindows(): Promise<readonly Comparison[]> {
  return withScratchDirectory(async (root) => {
    const path = join(root, 'large.txt');
    const block = mixedText(MB);
    for (let count = 0; count < 200; count += 1) appendFileSync(path, block);
    const { length } = readFileSync(path, 'utf8');
    const limits = { helperBytes: 256 * 1024 * 1024, timeMs: 60_000 };
    await using runtime = await openRuntime({ root, mode: 'unsafe', workers: 1, limits });
    const program = `
      let units = 0, offset = 0;
      for (;;) {
        const text = read_file("large.txt", 65536, offset);
        if (text === "") return units;
        units += text.length;
        offset += 65536;
      }`;
    const [porthole = Number.NaN, whole = Number.NaN] = await alternate(
      [
        { name: 'Porthole', work: async () => mustEqual(await resultOf(runtime, program), length) },
        { name: 'readFileSync', work: () => mustEqual(readFileSync(path, 'utf8').length, length) },
      ],
      { rounds: 3, warmUp: 0 },
    );
    const baseline = { name: 'one `readFileSync(path, "utf8")` of it', value: whole };
    return [{ unit: 'ms', porthole, baseline, bar: { kind: 'costs', atMost: 4 } }];
  });
}
