// Flips directories, files and links below a root between what belongs there and links to a place outside, as fast as
// it can, until it is told to stop; then it prints how often. Usage: node attacker.mjs BASE
import { renameSync, symlinkSync } from 'node:fs';

const base = process.argv[2];
const root = `${base}/root`;
let flips = 0;

const quietly = (step) => {
  try {
    step();
  } catch {
    // The other side replaced something at the same moment: that is the game.
  }
};

const flipDirectory = () => {
  renameSync(`${root}/d`, `${base}/parked-d`);
  renameSync(`${base}/link-d`, `${root}/d`);
  renameSync(`${root}/d`, `${base}/link-d`);
  renameSync(`${base}/parked-d`, `${root}/d`);
};

const flipFile = () => {
  renameSync(`${root}/e/f`, `${base}/parked-f`);
  renameSync(`${base}/link-f`, `${root}/e/f`);
  renameSync(`${root}/e/f`, `${base}/link-f`);
  renameSync(`${base}/parked-f`, `${root}/e/f`);
};

const flipLink = () => {
  for (const target of [`${base}/outside`, 'e']) {
    symlinkSync(target, `${base}/next-link`);
    renameSync(`${base}/next-link`, `${root}/l`);
  }
};

process.on('message', () => {
  process.send({ flips }, () => process.exit());
});

const work = () => {
  for (let round = 0; round < 50; round++) {
    for (const flip of [flipDirectory, flipFile, flipLink]) {
      quietly(flip);
      flips++;
    }
  }
  setImmediate(work);
};

process.send('ready');
work();
