import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { porthole, projectFolder, runToEnd } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

const wordCount = `porthole: 1
name: word-count
agents:
  load: { type: tool, tool: file_read, with: { path: notes.txt } }
  count:
    type: tool
    code: |
      const words = input_data.trim().split(/\\s+/);
      return { words: words.length };
  save: { type: tool, tool: file_write, with: { path: count.json } }
bridges:
  - { from: load, to: count, when: "input_data.length > 0" }
  - { from: count, to: save, transform: { fn: "JSON.stringify(input_data)" } }
start: load
`;
const allowed = ['--unsafe', '--allow-write'];

function folderWith(text: string, name = 'flow.yaml'): TempFolder {
  const folder = createFolder();
  folder.write(name, text);
  folder.write('notes.txt', 'one two three\n');
  return folder;
}

describe('porthole runs agent files', () => {
  it.each([
    ['run', 'flow.yaml'],
    ['workflow', 'run', 'flow.yaml'],
  ])('with %s', async (...command) => {
    const folder = folderWith(wordCount);
    const ended = await porthole([...command, ...allowed], { cwd: folder.path });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ path: 'count.json', created: true });
    expect(folder.read('count.json')).toBe('{"words":3}');
  });

  it('with one outcome for all of its agents, for --json', async () => {
    const folder = folderWith(wordCount);
    const ended = await porthole(['run', 'flow.yaml', ...allowed, '--json'], { cwd: folder.path });
    const outcome = JSON.parse(ended.stdout);
    expect(outcome).toMatchObject({
      status: 'completed',
      workflow: 'word-count',
      agents: { load: { status: 'completed', visits: 1 }, count: { value: { words: 3 } }, save: { visits: 1 } },
      receipt: { files: [{ path: 'count.json' }], reads: [{ path: 'notes.txt' }], tools: [{}, {}] },
    });
    expect(outcome.receipt.run).toBe(outcome.runId);
  });

  it('from JSON, through workflow run alone', async () => {
    const agentFile = { porthole: 1, agents: { a: { type: 'tool', code: 'return input_data * 2' } }, start: 'a' };
    const folder = folderWith(JSON.stringify(agentFile), 'flow.json');
    const ended = await porthole(['workflow', 'run', 'flow.json', '--input', '21'], { cwd: folder.path });
    expect(ended).toMatchObject({ exitCode: 0, stdout: '42\n' });
  });

  it('and keeps them in safe mode unless it is told otherwise', async () => {
    const folder = folderWith(wordCount);
    const ended = await porthole(['run', 'flow.yaml'], { cwd: folder.path });
    expect(ended.exitCode).toBe(3);
    expect(ended.stderr).toContain('MODE_SAFE');
    expect(ended.stderr).toContain('agent "save" (flow.yaml:10:3)');
    expect(existsSync(join(folder.path, 'count.json'))).toBe(false);
  });

  it.each([
    ['a program that throws', "code: 'return input_data.x.y'", 7, /agent "a" \(flow\.yaml:3:\d+\): TypeError/],
    ['a limit', "code: 'for (;;);', limits: { timeMs: 50 }", 6, /in agent "a", flow\.yaml:3:3/],
    ['a tool', 'tool: file_read, with: { path: none.txt }', 7, /agent "a" \(flow\.yaml:3:3\): Cannot read "none\.txt"/],
  ])('naming the agent that failed: %s', async (_what, agent, exitCode, message) => {
    const folder = folderWith(`porthole: 1\nagents:\n  a: { type: tool, ${agent} }\nstart: a\n`);
    const ended = await porthole(['run', 'flow.yaml'], { cwd: folder.path });
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).toMatch(message);
  });

  it('ended by Ctrl-C, with the receipt of what landed', async () => {
    const agents = `  a: { type: tool, tool: file_write, with: { path: first.txt, content: x } }\n  b: { type: tool, code: 'for (;;);' }`;
    const folder = folderWith(`porthole: 1\nagents:\n${agents}\nbridges: [{ from: a, to: b }]\nstart: a\n`);
    const ended = await porthole(['run', 'flow.yaml', ...allowed, '--timeout', '300ms', '--json'], {
      cwd: folder.path,
    });
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'limited', receipt: { files: [{ path: 'first.txt' }] } });
  });
});

describe('porthole workflow validate', () => {
  it('says that a file can be used', async () => {
    const folder = folderWith(wordCount);
    const ended = await porthole(['workflow', 'validate', 'flow.yaml'], { cwd: folder.path });
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'flow.yaml: usable, 3 agents, 2 bridges\n' });
  });

  it('names every problem with its place, as compilers do', async () => {
    const folder = folderWith(`${wordCount.replace('return { words', 'return } words')}_unsafe_mode: true\n`);
    const first = await porthole(['workflow', 'validate', 'flow.yaml'], { cwd: folder.path });
    expect(first.exitCode).toBe(2);
    expect(first.stderr).toContain('flow.yaml:15:1: an agent file cannot set "_unsafe_mode"\n');
    folder.write('flow.yaml', wordCount.replace('return { words', 'return } words'));
    const second = await porthole(['workflow', 'validate', 'flow.yaml'], { cwd: folder.path });
    expect(second.stderr).toMatch(/^flow\.yaml:9:36: the code of agent "count", its line 2:30: SyntaxError/);
    const json = await porthole(['workflow', 'validate', 'flow.yaml', '--json'], { cwd: folder.path });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { code: 'AGENT_FILE_INVALID' },
      problems: [{ line: 9, column: 36 }],
    });
  });

  it.each([
    ['a thousand brackets', '['.repeat(1000)],
    ['a mebibyte of dashes', '- '.repeat(500_000)],
    [
      'aliases of aliases',
      `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`).join('\n')}`,
    ],
    ['an agent called __proto__', wordCount.replace('  load: {', '  __proto__: {')],
    ['a program that closes its wrapper', wordCount.replace('return {', '} globalThis.x = 1; {')],
  ])('refuses %s at its place, in the time of a file that is fine', async (_what, text) => {
    const folder = folderWith(text);
    const ended = await porthole(['workflow', 'validate', 'flow.yaml'], { cwd: folder.path });
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toMatch(/^flow\.yaml:\d+:\d+: /);
  });
});

describe('porthole workflow plan', () => {
  it('tells what would be read, run and written, and what the gate says, and does nothing of it', async () => {
    const folder = folderWith(wordCount);
    const before = folder.list('.');
    const safe = await porthole(['workflow', 'plan', 'flow.yaml'], { cwd: folder.path });
    expect(safe.stdout).toMatch(/save +file_write count\.json +– +– +count\.json +deny MODE_SAFE +10/);
    const ended = await porthole(['workflow', 'plan', 'flow.yaml', ...allowed, '--json'], { cwd: folder.path });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      workflow: 'word-count',
      start: 'load',
      agents: [
        { name: 'load', reads: ['notes.txt'], writes: [], decision: { kind: 'allow' } },
        { name: 'count', runs: expect.stringMatching(/^sha256:/), helpers: ['read_file', 'write_file'] },
        { name: 'save', writes: ['count.json'], isEnd: true },
      ],
    });
    expect(folder.list('.')).toEqual(before);
  });

  it('draws a Mermaid graph in which nothing of the file is markup', async () => {
    const folder = folderWith(wordCount.replace('input_data.length > 0', `input_data !== '\\"]; <b>'`));
    const { stdout } = await porthole(['workflow', 'plan', 'flow.yaml', '--mermaid'], { cwd: folder.path });
    expect(stdout).toContain('flowchart TD\n');
    expect(stdout).toContain('a0 -->|"input_data !== #39;#34;#93;#59; #60;b#62;#39;"| a1');
  });

  it('asks the policy in force', async () => {
    const folder = folderWith(wordCount);
    folder.write('porthole.policy.yaml', 'porthole: 1\nmode: unsafe\npermissions: { ask: ["file_write(*.json)"] }\n');
    const { stdout } = await porthole(['workflow', 'plan', 'flow.yaml', ...allowed, '--json'], { cwd: folder.path });
    expect(JSON.parse(stdout).agents[2].decision).toMatchObject({ kind: 'ask' });
  });
});

describe('the agent files of the examples', () => {
  function copyExamples(): TempFolder {
    const folder = createFolder();
    cpSync(join(projectFolder, 'examples'), join(folder.path, 'examples'), { recursive: true });
    return folder;
  }
  const example = (name: string) => `examples/workflows/${name}.yaml`;

  it.each(['word-count', 'tide-report', 'long-log', 'rename-setting'])('%s can be planned as a graph', async (name) => {
    const { exitCode, stdout } = await porthole(['workflow', 'plan', example(name), '--mermaid'], {
      cwd: projectFolder,
    });
    expect([exitCode, stdout.startsWith('flowchart TD\n')]).toEqual([0, true]);
  });

  it('word-count counts', async () => {
    const folder = copyExamples();
    const args = [example('word-count'), '--root', 'examples/notes', ...allowed];
    expect((await porthole(['run', ...args], { cwd: folder.path })).exitCode).toBe(0);
    const text = folder.read('examples/notes/harbour.txt').toLowerCase();
    const words = [...text.matchAll(/\p{L}[\p{L}\p{M}'’-]*/gu)].length;
    expect(JSON.parse(folder.read('examples/notes/harbour.count.json'))).toMatchObject({ words });
  });

  it('tide-report takes the way that fits the table', async () => {
    const folder = copyExamples();
    const run = () =>
      porthole(['run', example('tide-report'), '--root', 'examples/data', ...allowed], { cwd: folder.path });
    expect((await run()).exitCode).toBe(0);
    expect(folder.read('examples/data/tides.report.md')).toMatch(/\| height_m \| [\d.]+ \| [\d.]+ \| [\d.]+ \|/);
    expect(JSON.parse(folder.read('examples/data/tides.json')).length).toBeGreaterThan(3);
    folder.write('examples/data/tides.csv', 'station,height_m\nHarbour,\n');
    expect((await run()).exitCode).toBe(0);
    expect(folder.read('examples/data/tides.report.md')).toBe('row 1 has no height_m\n');
    folder.write('examples/data/tides.csv', 'no table\n');
    expect((await run()).exitCode).toBe(0);
    expect(folder.read('examples/data/tides.report.md')).toBe('The table could not be read: it has one column only\n');
  });

  it('long-log walks through a log in windows', async () => {
    const folder = copyExamples();
    await runToEnd(process.execPath, ['examples/make-log.js', 'logs', '3'], { cwd: folder.path });
    const args = ['--root', 'logs', '--unsafe', '--input', '{"path":"server.log"}', '--json'];
    const outcome = JSON.parse((await porthole(['run', example('long-log'), ...args], { cwd: folder.path })).stdout);
    const lines = readFileSync(join(folder.path, 'logs/server.log'), 'utf8').trimEnd().split('\n').length;
    expect(outcome).toMatchObject({ status: 'completed', value: { lines } });
    expect(outcome.agents.window.visits).toBeGreaterThan(20);
  });

  it('rename-setting changes code, and finds nothing to do when it is run again', async () => {
    const folder = copyExamples();
    const run = () =>
      porthole(['run', example('rename-setting'), '--root', 'examples/code', ...allowed], { cwd: folder.path });
    expect((await run()).exitCode).toBe(0);
    expect(folder.read('examples/code/settings.js').match(/\btideTables\b/g)).toHaveLength(3);
    expect(await run()).toMatchObject({ exitCode: 0, stdout: 'nothing to rename\n' });
  });

  it('rename-setting shows its change as a patch that git applies, and writes it back when staged', async () => {
    const folder = copyExamples();
    const run = (...flags: string[]) =>
      porthole(['run', example('rename-setting'), '--copy-rw', 'examples/code/settings.js', ...flags], {
        cwd: folder.path,
      });
    const before = folder.read('examples/code/settings.js');
    const shown = await run('--diff', '--dry-run');
    expect(shown).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('would write examples/code/settings.js'),
    });
    expect(folder.read('examples/code/settings.js')).toBe(before);
    expect((await run()).stderr).toContain('write-back: examples/code/settings.js\n');
    const after = folder.read('examples/code/settings.js');
    folder.write('settings.js', before);
    folder.write('change.patch', shown.stdout);
    await runToEnd('git', ['apply', 'change.patch'], { cwd: folder.path });
    expect(folder.read('settings.js')).toBe(after);
  });
});
