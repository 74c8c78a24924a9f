// Writes a log of 200 MB for log-scan.js. A plain Node program, not one for the sandbox:
//
//   node examples/make-log.js            writes examples/logs/server.log
//   node examples/make-log.js DIR 20     writes DIR/server.log of 20 MB

import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [directory = new URL('logs', import.meta.url).pathname, megabytes = '200'] = process.argv.slice(2);
const size = Number(megabytes) * 1_000_000;
const paths = ['/', '/tides', '/ships/31', '/login', '/naïve/café', '/search?q=👍'];

mkdirSync(directory, { recursive: true });
const file = join(directory, 'server.log');
const fd = openSync(file, 'w');
let written = 0;
let number = 0;
while (written < size) {
  const lines = [];
  for (let count = 0; count < 10_000; count++, number++) lines.push(lineOf(number));
  written += writeSync(fd, `${lines.join('\n')}\n`);
}
closeSync(fd);
console.log(`${file}: ${number} lines, ${written} bytes`);

// The same log every time: what a scan finds can be compared.
function lineOf(number) {
  const mixed = (number * 2654435761) % 4294967296;
  const level = mixed % 1000 === 0 ? 'ERROR' : mixed % 50 === 0 ? 'WARN' : 'INFO';
  const time = new Date(Date.UTC(2026, 2, 1) + number * 20).toISOString();
  return `${time} ${level} ${paths[number % paths.length]} ${mixed % 900}ms request=${mixed.toString(16)}`;
}
