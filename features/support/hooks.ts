import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { After, AfterAll, Before, BeforeAll } from '@cucumber/cucumber';
import type { PortholeWorld } from './world.ts';

// Logs and grants of scenarios are theirs alone: nothing is read from or left in the user's own state directory.
const state = mkdtempSync(join(tmpdir(), 'porthole-state-'));

BeforeAll(() => {
  process.env['XDG_STATE_HOME'] = state;
});

// A grant that one scenario keeps must not answer the questions of the next.
Before(({ pickle }) => {
  process.env['XDG_STATE_HOME'] = join(state, pickle.id);
});

AfterAll(() => rmSync(state, { recursive: true, force: true }));

After(async function (this: PortholeWorld) {
  await this.dispose();
});
