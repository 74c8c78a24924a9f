import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const project = fileURLToPath(new URL('..', import.meta.url));
const places: string[] = [];

afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

// Each row: the file, what it imports, the rule that must name it.
const violations: ReadonlyArray<readonly [file: string, imported: string, rule: string]> = [
  ['src/contract/a.ts', '../text/target.ts', 'layer-contract'],
  ['src/text/a.ts', '../fs/target.ts', 'layer-text'],
  ['src/cores/a.ts', '../policy/target.ts', 'layer-cores'],
  ['src/sandbox/a.ts', '../audit/target.ts', 'layer-sandbox'],
  ['src/sandbox/b.ts', '../tools/target.ts', 'layer-sandbox'],
  ['src/tools/a.ts', '../staging/target.ts', 'layer-tools'],
  ['src/runtime/a.ts', '../cli/target.ts', 'layer-runtime'],
  ['src/cli/a.ts', '../index.ts', 'layer-cli'],
  ['src/index.ts', './cli/target.ts', 'layer-index.ts'],
  ['src/text/b.ts', 'node:fs', 'builtin-text'],
  ['src/cores/b.ts', 'node:buffer', 'builtin-cores'],
  ['src/sandbox/c.ts', 'node:fs', 'builtin-sandbox'],
  ['src/runtime/b.ts', 'node:fs/promises', 'builtin-runtime'],
  ['src/cli/b.ts', 'fs', 'builtin-cli'],
  ['src/cli/c.ts', 'node:child_process', 'never-loaded'],
  ['src/sandbox/worker.ts', './reaches-fs.ts', 'worker-reaches-no-host'],
  ['src/fs/circle-a.ts', './circle-b.ts', 'no-cycles'],
  ['src/fs/a.ts', '../helpers/target.ts', 'known-folders'],
  ['src/fs/b.ts', './target.test.ts', 'no-test-imports'],
  ['src/fs/c.ts', './absent.ts', 'resolvable'],
  ['robot/a.ts', '../src/index.ts', 'robot-stays-outside'],
];

const allowed: ReadonlyArray<readonly [file: string, imported: string]> = [
  ['src/text/c.ts', 'node:buffer'],
  ['src/sandbox/d.ts', 'node:worker_threads'],
  ['src/fs/d.ts', 'node:fs'],
  ['src/runtime/c.ts', 'node:os'],
  ['src/cli/d.ts', 'node:process'],
  ['src/calls/a.ts', '../audit/target.ts'],
  ['src/text/d.test.ts', 'node:fs'],
];

describe('.dependency-cruiser.cjs', () => {
  it('names every import that breaks the order, and no other', () => {
    const found = cruise([...violations, ...allowed]);
    for (const [file, , rule] of violations) expect(found, `${file} breaks ${rule}`).toContainEqual({ file, rule });
    for (const [file] of allowed) expect(found.filter((one) => one.file === file)).toEqual([]);
  });
});

/** The rule breaks found in a tree of files that import one thing each. */
function cruise(files: ReadonlyArray<readonly [file: string, imported: string, ...rest: unknown[]]>) {
  const place = mkdtempSync(join(tmpdir(), 'porthole-layers-'));
  places.push(place);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  };
  for (const folder of ['text', 'fs', 'policy', 'audit', 'tools', 'staging', 'cli', 'helpers']) {
    write(`src/${folder}/target.ts`, 'export const target = 1;\n');
  }
  write('src/fs/target.test.ts', 'export const target = 1;\n');
  write('src/fs/circle-b.ts', "import './circle-a.ts';\n");
  write('src/sandbox/reaches-fs.ts', "import 'node:fs';\n");
  for (const [file, imported] of files) write(file, `import '${imported}';\n`);
  cpSync(join(project, 'tsconfig.json'), join(place, 'tsconfig.json'));
  return runCruiser(place);
}

function runCruiser(place: string): ReadonlyArray<{ readonly file: string; readonly rule: string }> {
  const cruiser = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(project, '.dependency-cruiser.cjs');
  const output = runAnyway(cruiser, ['--config', config, '--output-type', 'json', 'src', 'robot'], place);
  // The cruiser's own output format.
  const report = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return report.summary.violations.map(({ from, rule }) => ({ file: from, rule: rule.name }));
}

/** Standard output whatever the exit code: the cruiser exits with the number of violations. */
function runAnyway(script: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8' });
  } catch (error) {
    // execFileSync throws an error that carries what was printed.
    return (error as { stdout: string }).stdout;
  }
}
