import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createFakeWorld } from './testing/fake-world.ts';
import { enterDirectory, runHere } from './testing/run-in.ts';

let leave: () => void;
beforeEach(() => {
  ({ leave } = enterDirectory());
  writeFileSync('notes.txt', 'one two three');
});
afterEach(() => leave());

const pipeline = `porthole: 1
agents:
  load: { type: tool, tool: file_read, with: { path: notes.txt } }
  count: { type: tool, code: 'return input_data.split(" ").length', maxVisits: 2 }
  save: { type: tool, tool: file_write, with: { path: count.txt, mode: a } }
  again: { type: tool, tool: edit_file, with: { path: count.txt, mode: replace, line: 1, content: x, dry_run: true } }
bridges:
  - { from: load, to: count }
  - { from: count, to: save, when: 'input_data > 0', transform: { fn: 'String(input_data)' } }
  - { from: count, to: again, on: error }
start: load
`;
const allowed = ['--unsafe', '--allow-write'];

function agentFile(text: string): string {
  writeFileSync('flow.yaml', text);
  return 'flow.yaml';
}

const single = (agent: string) => agentFile(`porthole: 1\nagents:\n  a: { type: tool, ${agent} }\nstart: a\n`);

describe('porthole workflow run', () => {
  it('runs an agent file, as porthole run does', async () => {
    const file = agentFile(pipeline);
    for (const command of [
      ['workflow', 'run', file],
      ['run', file],
    ]) {
      expect(await runHere(...command, ...allowed)).toMatchObject({ exit: 0, err: '' });
    }
    expect(readFileSync('count.txt', 'utf8')).toBe('33');
  });

  it('prints the whole outcome for --json', async () => {
    const ran = await runHere('workflow', 'run', agentFile(pipeline), ...allowed, '--json');
    expect(ran.json()).toMatchObject({ status: 'completed', workflow: 'flow', agents: { load: { visits: 1 } } });
  });

  it('tells a person at a terminal how it goes on, an agent a line, unless they want quiet', async () => {
    const file = single("code: 'return input_data === undefined ? 1 : input_data', maxVisits: 3");
    const args = ['run', file];
    const world = createFakeWorld(args, { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(await runCommandLine(world)).toBe(0);
    expect(world.written.err()).toMatch(/^✓ a \d+(?:\.\d)? m?s\n$/);
    const quiet = createFakeWorld([...args, '--quiet'], { isTerminal: true });
    await runCommandLine(quiet);
    expect(quiet.written.err()).toBe('');
  });

  it('tells of the first visits of a cycle and then of every hundredth', async () => {
    const text = `porthole: 1\nagents:\n  a: { type: tool, code: 'return input_data + 1', maxVisits: 200 }\nbridges: [{ from: a, to: a, when: 'input_data < 101' }]\nstart: a\n`;
    const world = createFakeWorld(['run', agentFile(text), '--input', '0'], {
      isTerminal: true,
      env: { NO_COLOR: '1' },
    });
    await runCommandLine(world);
    expect(world.written.err().match(/visit \d+/g)).toEqual(['visit 2', 'visit 3', 'visit 4', 'visit 5', 'visit 100']);
  });

  it.each([
    ["code: 'return input_data.x'", 7, /^flow_?|a\.js:1:\d+/],
    ["code: 'for (;;);', limits: { timeMs: 30 }", 6, /in agent "a", flow\.yaml:3:3/],
    ['tool: file_write, with: { path: x, content: y }', 3, /MODE_SAFE: .*agent "a" \(flow\.yaml:3:3\)/],
    ['tool: file_read, with: { path: none }', 7, /Cannot finish agent "a" \(flow\.yaml:3:3\): Cannot read "none"/],
  ])('ends with the exit code of what ended it: %s', async (agent, exit, message) => {
    const ran = await runHere('run', single(agent));
    expect(ran.exit).toBe(exit);
    expect(ran.err).toMatch(message);
  });

  it('names the bridge whose expression failed', async () => {
    const text = `porthole: 1\nagents:\n  a: { type: tool, code: 'return 1', maxVisits: 1 }\nbridges: [{ from: a, to: a, WHEN }]\nstart: a\n`;
    const thrown = await runHere('run', agentFile(text.replace('WHEN', "when: 'input_data.x.y'")));
    expect(thrown.err).toMatch(/Cannot follow bridge a → a: its predicate \(flow\.yaml:4:\d+\): TypeError/);
    const endless = await runHere('run', agentFile(text.replace('WHEN', "when: '(() => { for (;;); })()'")));
    expect(endless).toMatchObject({ exit: 6, err: expect.stringContaining('in bridge a → a, flow.yaml:4:35') });
  });

  it('advises to raise a limit where it can be raised', async () => {
    const endless = (rest: string) => single(`code: 'for (;;);'${rest}`);
    const own = await runHere('run', endless(', limits: { timeMs: 30 }'));
    expect(own.err).toContain('The agent file sets it: raise limits.timeMs of agent "a".\n');
    const ofTheRun = await runHere('run', endless(''), '--timeout', '30ms');
    expect(ofTheRun.err).toContain('Raise it with --limit timeMs=VALUE.\n');
    const expression = (fn: string) =>
      agentFile(
        `porthole: 1\nagents:\n  a: { type: tool, code: 'return 1', maxVisits: 1 }\nbridges: [{ from: a, to: a, transform: { fn: '${fn}' } }]\nstart: a\n`,
      );
    for (const fn of ['(() => { for (;;); })()', 'new Array(1e7).fill(1)']) {
      const fixed = await runHere('run', expression(fn));
      expect(fixed.err).toContain('The limits of an expression are fixed: do the work in an agent.\n');
    }
    const large = await runHere('run', expression('"x".repeat(2000)'), '--limit', 'resultBytes=1KiB');
    expect(large.err).toContain('Raise it with --limit resultBytes=VALUE.\n');
  });

  it('refuses flags that do not go with an agent file', async () => {
    const file = single("code: 'return 1'");
    for (const more of [['--language', 'ts'], ['-e', '1'], ['other.yaml']]) {
      expect(await runHere('run', file, ...more)).toMatchObject({ exit: 2 });
    }
    expect(await runHere('workflow', 'run', file, '--mermaid')).toMatchObject({ exit: 2 });
    expect(await runHere('workflow', 'run')).toMatchObject({ exit: 2 });
    expect(await runHere('workflow', 'rum', file)).toMatchObject({ exit: 2, err: expect.stringContaining('run?') });
  });

  it('says why there is nothing to run', async () => {
    expect(await runHere('run', 'none.yaml')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('Cannot read agent file none.yaml: there is no such file'),
    });
  });
});

describe('porthole workflow validate', () => {
  it('says that a file can be used, or names every problem', async () => {
    expect(await runHere('workflow', 'validate', agentFile(pipeline))).toMatchObject({
      exit: 0,
      out: 'flow.yaml: usable, 4 agents, 3 bridges\n',
    });
    expect((await runHere('workflow', 'validate', 'flow.yaml', '--json')).json()).toMatchObject({
      ok: true,
      agents: 4,
    });
    const broken = single("code: 'const 1'");
    const ran = await runHere('workflow', 'validate', broken);
    expect(ran).toMatchObject({ exit: 2, err: expect.stringMatching(/^flow\.yaml:3:\d+: the code of agent "a"/) });
    expect((await runHere('workflow', 'validate', broken, '--json')).json()).toMatchObject({
      ok: false,
      error: { code: 'AGENT_FILE_INVALID' },
      problems: [{ line: 3 }],
    });
  });
});

describe('porthole workflow plan', () => {
  it('is a table, JSON, or a graph, and does nothing', async () => {
    const file = agentFile(pipeline);
    const table = await runHere('workflow', 'plan', file);
    expect(table.out).toMatch(/> load +file_read notes\.txt +notes\.txt +– +– +allow +3\n/);
    expect(table.out).toMatch(/ {2}count \(≤ 2 visits\) +runs 1 line of js +– +sha256:[0-9a-f]{12} +– +allow +4\n/);
    expect(table.out).toMatch(/ {2}save +file_write a count\.txt +– +– +count\.txt +deny MODE_SAFE +5\n/);
    expect(table.out).toContain('  count → again  on error\n');
    const json = (await runHere('workflow', 'plan', file, ...allowed, '--json')).json();
    expect(json).toMatchObject({
      agents: [{}, { helpers: ['read_file', 'write_file'] }, { writes: ['count.txt'] }, {}],
    });
    const graph = await runHere('workflow', 'plan', file, '--mermaid');
    expect(graph.out).toContain('a1 -.->|"on error"| a3');
    expect(graph.out).toContain('class a2,a3 denied');
    expect(existsSync('count.txt')).toBe(false);
  });

  it('takes one form at a time', async () => {
    expect(await runHere('workflow', 'plan', agentFile(pipeline), '--json', '--mermaid')).toMatchObject({ exit: 2 });
  });
});
