// Swaps one thing below a root for a link to the outside and back, as fast as it can, between `go` and `rest`; after
// `rest` everything is as it was. Usage: fork('swapper.mjs', [BASE, root|directory|file|temporary])
import { lstatSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

const [, , base, kind] = process.argv;
const root = `${base}/root`;
const outside = `${base}/outside`;
const temporary = `${root}/d/.porthole-${'0'.repeat(16)}.tmp`;
const link = `${base}/link`;
const parked = `${base}/parked`;
const swapped = { root, directory: `${root}/d`, file: `${root}/d/f` };
const targets = { root: outside, directory: `${outside}/d`, file: `${outside}/d/f` };
let flips = 0;
let isGoing = false;

const quietly = (step) => {
  try {
    step();
  } catch {
    // The other side was faster at this moment: that is the game.
  }
};

const exists = (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const flip = () => {
  flips++;
  if (kind === 'temporary') {
    quietly(() => symlinkSync(`${outside}/d/f`, temporary));
    quietly(() => unlinkSync(temporary));
    return;
  }
  const place = swapped[kind];
  quietly(() => {
    renameSync(place, parked);
    renameSync(link, place);
    renameSync(place, link);
    renameSync(parked, place);
  });
  restore();
};

const restore = () => {
  if (kind === 'temporary') {
    rmSync(temporary, { force: true });
    return;
  }
  // What was written in the place of the link goes with the link; what is parked is the true one.
  if (exists(parked)) {
    rmSync(swapped[kind], { force: true });
    renameSync(parked, swapped[kind]);
  }
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  rmSync(link, { force: true });
  symlinkSync(targets[kind], link);
};

const work = () => {
  if (!isGoing) return;
  for (let round = 0; round < 5; round++) flip();
  setImmediate(work);
};

process.on('message', (message) => {
  isGoing = message === 'go';
  if (isGoing) setImmediate(work);
  else restore();
  process.send({ flips });
});

restore();
process.send('ready');
