import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// Logs and grants of tests are theirs alone: nothing is read from or left in the user's own state directory.
const state = mkdtempSync(join(tmpdir(), 'porthole-state-'));
process.env['XDG_STATE_HOME'] = state;
afterAll(() => rmSync(state, { recursive: true, force: true }));

// Raises the number of random cases of every property: the check `fuzz`.
const runs = process.env['PORTHOLE_FUZZ_RUNS'];
if (runs !== undefined) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check');
  configureGlobal({ ...readConfigureGlobal(), numRuns: Number(runs) });
}
