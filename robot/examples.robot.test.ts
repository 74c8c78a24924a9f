import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { porthole, projectFolder, runToEnd } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

// The scan of the example's own size takes a while; a smaller log shows the same.
const logMegabytes = process.env['PORTHOLE_LONG'] === '1' ? 200 : 5;

describe('the examples do what they say', () => {
  it('word-count reads the notes it is told about and writes a report', async () => {
    const folder = copyExamples();
    const args = ['--root', 'examples/notes', '--input', '@examples/word-count.json', '--unsafe', '--allow-write'];
    const ended = await porthole(['run', 'examples/word-count.js', ...args], { cwd: folder.path });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const { notes, report } = JSON.parse(folder.read('examples/word-count.json'));
    const texts = notes.map((name: string) => folder.read(`examples/notes/${name}`).toLowerCase());
    const words = texts.map((text: string) => [...text.matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu)].length);
    const sum = words.reduce((one: number, other: number) => one + other, 0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ notes: notes.length, words: sum, report });
    for (const [index, name] of notes.entries()) {
      expect(folder.read(`examples/notes/${report}`)).toMatch(
        new RegExp(`\\| ${name} \\| \\d+ \\| ${words[index]} \\|`),
      );
    }
  });

  it('word-count writes nothing without --allow-write', async () => {
    const folder = copyExamples();
    const before = folder.list('examples/notes');
    const args = ['--root', 'examples/notes', '--input', '@examples/word-count.json', '--unsafe'];
    expect((await porthole(['run', 'examples/word-count.js', ...args], { cwd: folder.path })).exitCode).toBe(7);
    expect(folder.list('examples/notes')).toEqual(before);
  });

  it('csv-to-json converts quoted fields, numbers and empty cells', async () => {
    const folder = copyExamples();
    folder.write('examples/data/odd.csv', 'name,note,depth\r\n"Keel, lower","says ""hi""\nand more",-1.5\r\nBow,,\r\n');
    const args = ['--root', 'examples/data', '--unsafe', '--allow-write'];
    const convert = (csv: string, json: string) =>
      porthole(['run', 'examples/csv-to-json.js', ...args, '--input', JSON.stringify({ csv, json })], {
        cwd: folder.path,
      });
    expect((await convert('odd.csv', 'odd.json')).exitCode).toBe(0);
    expect(JSON.parse(folder.read('examples/data/odd.json'))).toEqual([
      { name: 'Keel, lower', note: 'says "hi"\nand more', depth: -1.5 },
      { name: 'Bow', note: null, depth: null },
    ]);
    const tides = await convert('tides.csv', 'tides.json');
    expect(tides.exitCode).toBe(0);
    const records = JSON.parse(folder.read('examples/data/tides.json'));
    expect(JSON.parse(tides.stdout)).toMatchObject({ records: records.length, json: 'tides.json' });
    expect(records.length).toBeGreaterThan(0);
  });

  it(`log-scan walks through a log of ${logMegabytes} MB in windows`, async () => {
    const folder = copyExamples();
    await makeLog(folder, 'logs', logMegabytes);
    const args = ['--root', 'logs', '--unsafe', '--timeout', '60s', '--limit', 'helperBytes=256MiB'];
    const scan = ['run', 'examples/log-scan.js', ...args, '--input', '{"log":"server.log"}', '--json'];
    const ended = await porthole(scan, { cwd: folder.path });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const { value, usage } = JSON.parse(ended.stdout);
    const expected = scanInHost(folder.bytes('logs/server.log'));
    expect(value).toMatchObject({ lines: expected.lines, errors: expected.errors });
    expect(usage.bytesRead).toBe(expected.bytes);
  });

  it('blank-lines reports and fixes with one output, and finds nothing to fix then', async () => {
    const folder = copyExamples();
    folder.write('examples/notes/messy.txt', 'a \r\n\r\n\r\n\r\nb\r\n\r\n');
    const run = (flag: string) =>
      porthole(['run', 'examples/blank-lines.js', flag, 'examples/notes'], { cwd: folder.path });
    const reported = await run('--copy');
    expect(folder.read('examples/notes/messy.txt')).toContain('a \r\n');
    const fixed = await run('--copy-rw');
    expect([reported.exitCode, fixed.exitCode, fixed.stdout]).toEqual([0, 0, reported.stdout]);
    expect(folder.read('examples/notes/messy.txt')).toBe('a\r\n\r\nb\r\n');
    expect((await run('--copy-rw')).stdout).toContain('"fixed": 0');
  });

  it('codemod renames in code alone, in a tree of 1,000 modules', async () => {
    const folder = copyExamples();
    await makeTree(folder, 'tree', 1000);
    const before = folder.read('tree/harbour-0/gauge-0.js');
    const startedAt = performance.now();
    const ended = await porthole(['run', 'examples/codemod.js', '--copy-rw', 'tree'], { cwd: folder.path });
    console.log(`codemod over 1,000 modules: ${Math.round(performance.now() - startedAt)} ms`);
    expect(ended.exitCode).toBe(0);
    expect(ended.stdout).toContain('renamed waterLevel to tideLevel: 200 times in 100 files');
    expect(ended.stderr).toMatch(/write-back: 100 files written, 0 skipped\n?$/);
    const after = folder.read('tree/harbour-0/gauge-0.js');
    expect(after.split('tideLevel')).toHaveLength(3);
    expect(after.replaceAll('tideLevel', 'waterLevel')).toBe(before);
    expect(folder.read('tree/harbour-0/gauge-1.js')).not.toContain('tideLevel');
  });

  it('summary computes in safe mode', async () => {
    const ended = await porthole(['run', 'examples/summary.js', '--input', '[1, 2, 3, 10]']);
    expect(ended.exitCode).toBe(0);
    const printed = ended.stdout.slice(ended.stdout.indexOf('{'));
    expect(JSON.parse(printed)).toMatchObject({ least: 1, most: 10, median: 2.5, mean: 4 });
  });

  it('the command in the head of each example is one that works', async () => {
    const folder = copyExamples();
    await makeLog(folder, 'examples/logs', 1);
    await makeTree(folder, 'examples/tree', 100);
    for (const name of folder.list('examples').filter((file) => /(?<!^make-.*)\.js$/.test(file))) {
      for (const line of findCommands(readFileSync(join(projectFolder, 'examples', name), 'utf8'))) {
        const shell = `npx() { shift; "$NODE" "$CLI" "$@"; }; ${line}`;
        const env = { NODE: process.execPath, CLI: join(projectFolder, 'dist/cli.cjs') };
        const { exitCode } = await runToEnd('bash', ['-c', shell], { cwd: folder.path, env });
        expect([line, exitCode]).toEqual([line, 0]);
      }
    }
  });
});

function copyExamples(): TempFolder {
  const folder = createFolder();
  cpSync(join(projectFolder, 'examples'), join(folder.path, 'examples'), { recursive: true });
  return folder;
}

async function makeTree({ path }: TempFolder, directory: string, modules: number): Promise<void> {
  await runToEnd(process.execPath, ['examples/make-tree.js', directory, String(modules)], { cwd: path });
}

async function makeLog({ path }: TempFolder, directory: string, megabytes: number): Promise<void> {
  await runToEnd(process.execPath, ['examples/make-log.js', directory, String(megabytes)], { cwd: path });
}

function scanInHost(bytes: Buffer): { readonly lines: number; readonly errors: number; readonly bytes: number } {
  let [lines, errors] = [0, 0];
  for (let start = 0, end = bytes.indexOf('\n'); end !== -1; start = end + 1, end = bytes.indexOf('\n', start)) {
    lines += 1;
    if (bytes.subarray(start, end).includes(' ERROR ')) errors += 1;
  }
  return { lines, errors, bytes: bytes.length };
}

// The command lines of an example's head: from `npx porthole run` to the first line that does not end in a backslash.
function findCommands(source: string): readonly string[] {
  const head = source.slice(0, source.search(/^(?!\/\/)/m)).replaceAll(/^\/\/ ?/gm, '');
  return Array.from(head.matchAll(/npx porthole run (?:.*\\\n)*.*/g), ([line]) => line);
}
