import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderReport } from '../staging/render-report.ts';
import { createRuntime } from './create-runtime.ts';

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-places-')));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

it("writeBack() never writes into Porthole's own directory, and does not call it replaced", async () => {
  vi.stubEnv('XDG_STATE_HOME', base);
  const own = join(base, 'porthole/kept');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'f'), 'old');
  await using runtime = await createRuntime({ workers: 1, staged: { copyRw: [own] } });
  const outcome = await runtime.run({ source: "write_file('kept/f', 'new')" });
  const report = await runtime.writeBack(outcome);
  expect(report && renderReport(report)).toEqual([
    `write-back: ${own}/f: it belongs to Porthole's state directory`,
    'write-back: 0 files written, 0 skipped, 1 not written',
  ]);
  expect(readFileSync(join(own, 'f'), 'utf8')).toBe('old');
});
