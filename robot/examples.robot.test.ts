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

  it('summary computes in safe mode', async () => {
    const ended = await porthole(['run', 'examples/summary.js', '--input', '[1, 2, 3, 10]']);
    expect(ended.exitCode).toBe(0);
    const printed = ended.stdout.slice(ended.stdout.indexOf('{'));
    expect(JSON.parse(printed)).toMatchObject({ least: 1, most: 10, median: 2.5, mean: 4 });
  });

  it('the command in the head of each example is one that works', async () => {
    const folder = copyExamples();
    await makeLog(folder, 'examples/logs', 1);
    for (const name of folder.list('examples').filter((file) => file.endsWith('.js') && file !== 'make-log.js')) {
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
