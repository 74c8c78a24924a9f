// Writes a tree of 1,000 small modules for codemod.js. A plain Node program, not one for the sandbox:
//
//   node examples/make-tree.js            writes examples/tree
//   node examples/make-tree.js DIR 200    writes DIR with 200 modules

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [directory = new URL('tree', import.meta.url).pathname, count = '1000'] = process.argv.slice(2);
const modulesPerFolder = 25;

for (let number = 0; number < Number(count); number++) {
  const folder = join(directory, `harbour-${Math.floor(number / modulesPerFolder)}`);
  if (number % modulesPerFolder === 0) mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `gauge-${number}.js`), moduleOf(number));
}

// Every tenth module uses the function; the others name it in a comment or a string alone.
function moduleOf(number) {
  const uses = number % 10 === 0;
  return [
    ...(uses ? ["import { waterLevel } from '../sea.js';", ''] : []),
    '// Once this was waterLevel at the quay.',
    `export function gauge${number}(hour) {`,
    uses ? `  return waterLevel(hour) + ${number % 7};` : `  return hour * ${number % 7};`,
    '}',
    '',
    `export const label${number} = 'waterLevel of gauge ${number}';`,
    '',
  ].join('\n');
}
