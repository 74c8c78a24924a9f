import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createDiskRoot } from '../../fs/disk-root.ts';
import { transpileSources } from '../../fs/testing/transpiled-sources.ts';
import { createWorld } from '../../fs/testing/world.ts';

const kills = process.env['PORTHOLE_LONG'] === '1' ? 300 : 30;
const bytes = 300_000;
// A replacement takes a few milliseconds: over this span every step of it is hit.
const longestWaitMs = 12;

it('a writer that is killed leaves the old file or the new, whole', { timeout: 600_000 }, async () => {
  await using world = createWorld();
  using sources = transpileSources();
  const script = fileURLToPath(new URL('../testing/crash-writer.mjs', import.meta.url));
  const args = [world.root, sources.urlOf('fs/disk-root.ts'), sources.urlOf('cores/write-file.ts'), `${bytes}`];
  await world.furnish([{ file: 'f', text: 'o'.repeat(bytes) }]);
  const found = { old: 0, new: 0 };
  const leftovers = new Set<string>();
  for (let kill = 0; kill < kills; kill++) {
    const child = fork(script, args, { execArgv: [] });
    await once(child, 'message');
    await sleep((kill / kills) * longestWaitMs);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const text = readFileSync(join(world.root, 'f'), 'latin1');
    expect(text.length).toBe(bytes);
    expect(new Set(text).size).toBe(1);
    found[text.startsWith('o') ? 'old' : 'new']++;
    for (const name of readdirSync(world.root)) if (name !== 'f') leftovers.add(name);
  }
  using disk = createDiskRoot({ root: world.root });
  console.log(`crash: ${kills} kills, ${found.old} old, ${found.new} new, ${leftovers.size} temporaries left`);
  expect(disk.leftovers()).toEqual([...leftovers].sort());
  // Not vacuous: writers were hit in the middle.
  expect(leftovers.size).toBeGreaterThan(0);
});
