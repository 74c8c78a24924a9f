import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { transpileSources } from '../../fs/testing/transpiled-sources.ts';

// A mount in a namespace of one's own needs no privileges, but some machines forbid it; the same is then shown by
// injected errors alone, in faults.test.ts.
const canMount = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

it.runIf(canMount)('a full disk leaves the original and nothing else', { timeout: 60_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'porthole-full-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  using sources = transpileSources();
  const script = fileURLToPath(new URL('../testing/no-space-writer.mjs', import.meta.url));
  const command = 'mount -t tmpfs -o size=256k none "$1" && exec "$2" "$3" "$1" "$4" "$5"';
  const modules = [sources.urlOf('fs/disk-root.ts'), sources.urlOf('cores/write-file.ts')];
  const result = spawnSync('unshare', ['-Urm', 'sh', '-c', command, 'sh', root, process.execPath, script, ...modules], {
    encoding: 'utf8',
  });
  expect(result.stderr).toBe('');
  expect(JSON.parse(result.stdout)).toEqual({
    codes: ['NO_SPACE', 'NO_SPACE', 'NO_SPACE', 'done'],
    names: ['f'],
    text: 'small',
  });
});
