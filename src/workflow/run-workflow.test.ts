import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalCallback } from '../policy/approver.ts';
import type { PolicyInput } from '../policy/policy-schema.ts';
import { createRuntime } from '../runtime/create-runtime.ts';
import { nodePowers } from '../runtime/node-powers.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { RuntimeOptions } from '../runtime/runtime-options.ts';
import type { WorkflowOptions } from './run-workflow.ts';
import { checkAgentFile, parseAgentFile, planWorkflow, runWorkflow } from './surface.ts';
import { listProblems } from './testing/problems-of.ts';
import type { WorkflowOutcome } from './workflow-outcome.ts';
import type { WorkflowProgress } from './workflow-progress.ts';

let root: string;
const open: Runtime[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'porthole-workflow-'));
  writeFileSync(join(root, 'notes.txt'), 'one two three');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close();
});

async function runtimeWith(options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await createRuntime({ root, workers: 1, ...options });
  open.push(runtime);
  return runtime;
}

async function run(
  text: string,
  options: WorkflowOptions = {},
  runtime: RuntimeOptions = {},
): Promise<WorkflowOutcome> {
  return runWorkflow(await runtimeWith(runtime), await parseAgentFile(text, 'w.yaml'), options);
}

/** Agents of code by name, and bridges as they are written. */
function flow(agents: Readonly<Record<string, string>>, bridges: readonly string[] = [], more = ''): string {
  const lines = Object.entries(agents).map(
    ([name, code]) => `  ${name}: { type: tool, code: ${JSON.stringify(code)} }`,
  );
  const ways = bridges.map((bridge) => `  - { ${bridge} }`);
  return [
    'porthole: 1',
    'agents:',
    ...lines,
    more,
    ways.length === 0 ? '' : 'bridges:',
    ...ways,
    `start: ${Object.keys(agents)[0]}`,
  ].join('\n');
}

const unsafe = { mode: 'unsafe' } as const;
const allowed = { context: { _unsafe_mode: true } };

describe('runWorkflow()', () => {
  it('hands values along bridges, and gives the value of the last agent', async () => {
    const text = flow({ a: 'return input_data + 1', b: 'return { got: input_data }' }, ['from: a, to: b']);
    const outcome = await run(text, { input: 1 });
    expect(outcome).toMatchObject({
      status: 'completed',
      value: { got: 2 },
      workflow: 'w',
      mode: 'safe',
      agents: {
        a: { status: 'completed', value: 2, visits: 1 },
        b: { status: 'completed', value: { got: 2 }, visits: 1 },
      },
      receipt: { run: outcome.runId, outcome: 'completed' },
    });
    expect(outcome).not.toHaveProperty('at');
  });

  it('chooses among bridges by their predicates, and moves values by their transforms', async () => {
    const bridges = [
      'from: a, to: b, when: "input_data > 1"',
      'from: a, to: c, when: "input_data <= 1", transform: { fn: "[input_data]" }',
    ];
    const text = flow({ a: 'return input_data', b: 'return "many"', c: 'return input_data' }, bridges);
    expect(await run(text, { input: 5 })).toMatchObject({
      value: 'many',
      agents: { c: { status: 'not_reached', visits: 0 } },
    });
    expect(await run(text, { input: 1 })).toMatchObject({ value: [1], agents: { b: { visits: 0, ms: 0 } } });
  });

  it('follows each branch to its end, in the order of the file, and gives the values of several ends by name', async () => {
    const code = (name: string) => `console.log(${JSON.stringify(name)}); return ${JSON.stringify(name)}`;
    const text = flow({ a: code('a'), b: code('b'), c: code('c'), d: code('d') }, [
      'from: a, to: c',
      'from: a, to: b',
      'from: c, to: d',
    ]);
    const outcome = await run(text);
    expect(outcome.console.lines.map(({ text }) => text)).toEqual(['a', 'c', 'd', 'b']);
    expect(outcome).toMatchObject({ value: { d: 'd', b: 'b' } });
  });

  it('visits an agent once for every value that arrives, and keeps the last value', async () => {
    const text = flow({ a: 'return 1', b: 'return 2', c: 'return 3', d: 'return input_data' }, [
      'from: a, to: b',
      'from: a, to: c',
      'from: b, to: d',
      'from: c, to: d',
    ]);
    expect(await run(text)).toMatchObject({ value: 3, agents: { d: { visits: 2, value: 3 } } });
  });

  it('goes round a cycle until a predicate ends it, or the visits are spent', async () => {
    const cycle = (maxVisits: number) =>
      `porthole: 1\nagents:\n  a: { type: tool, code: 'return input_data + 1', maxVisits: ${maxVisits} }\nbridges:\n  - { from: a, to: a, when: 'input_data < 5' }\nstart: a\n`;
    expect(await run(cycle(5), { input: 0 })).toMatchObject({ value: 5, agents: { a: { visits: 5 } } });
    expect(await run(cycle(4), { input: 0 })).toMatchObject({
      status: 'failed',
      error: { code: 'VISITS_EXCEEDED', message: 'Cannot visit agent "a" again: its maxVisits is 4 (w.yaml:3:3)' },
      at: { agent: 'a', line: 3, column: 3 },
    });
  });

  it('ends where values double without end, though there is no cycle', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const agents = names
      .map((name) => `  ${name}: { type: tool, tool: file_read, with: { path: notes.txt } }`)
      .join('\n');
    const bridges = names.slice(1).flatMap((name, index) => Array(2).fill(`  - { from: a${index}, to: ${name} }`));
    const file = await parseAgentFile(`porthole: 1\nagents:\n${agents}\nbridges:\n${bridges.join('\n')}\nstart: a0\n`);
    const runtime = await runtimeWith();
    const signal = AbortSignal.timeout(200);
    expect(await runWorkflow(runtime, file, { signal })).toMatchObject({ status: 'aborted' });
  });

  it('reads and writes files with tools that hand on their raw results', async () => {
    const text = `porthole: 1
agents:
  load: { type: tool, tool: file_read, with: { path: notes.txt } }
  count: { type: tool, code: 'return input_data.split(" ").length' }
  save: { type: tool, tool: file_write, with: { path: count.txt } }
bridges:
  - { from: load, to: count, when: 'input_data.length > 0' }
  - { from: count, to: save, transform: { fn: 'String(input_data)' } }
start: load
`;
    const outcome = await run(text, allowed, unsafe);
    expect(outcome).toMatchObject({
      status: 'completed',
      value: { path: 'count.txt', mode: 'w', charsWritten: 1 },
      agents: { load: { value: 'one two three' } },
      effects: [
        { helper: 'file_read', path: 'notes.txt', bytes: 13 },
        { helper: 'file_write', path: 'count.txt', bytes: 1, created: true },
      ],
      usage: { bytesRead: 13, bytesWritten: 1 },
      receipt: {
        mode: 'unsafe',
        tools: [{ name: 'file_read' }, { name: 'file_write' }],
        files: [{ path: 'count.txt' }],
        reads: [{ path: 'notes.txt', bytes: 13 }],
      },
    });
    expect(readFileSync(join(root, 'count.txt'), 'utf8')).toBe('3');
  });

  it('composes tools and code in safe mode up to the write', async () => {
    const text = `porthole: 1
agents:
  load: { type: tool, tool: file_read, with: { path: notes.txt } }
  save: { type: tool, tool: file_write, with: { path: never.txt } }
bridges: [{ from: load, to: save }]
start: load
`;
    expect(await run(text)).toMatchObject({
      status: 'denied',
      code: 'MODE_SAFE',
      decision: expect.stringContaining('agent "save" (w.yaml:4:3)'),
      agents: { load: { status: 'completed' }, save: { status: 'denied' } },
      at: { agent: 'save', line: 4 },
    });
    expect(await run(text, {}, unsafe)).toMatchObject({ status: 'denied', code: 'UNSAFE_FLAG_MISSING' });
  });

  it('gives edit_file the value that arrives, unless it has a content or edits', async () => {
    writeFileSync(join(root, 'edit.txt'), 'alpha\nbeta\n');
    const text = (args: string) => `porthole: 1
agents:
  a: { type: tool, code: 'return "gamma"' }
  b: { type: tool, tool: edit_file, with: { path: edit.txt, mode: replace, ${args} } }
bridges: [{ from: a, to: b }]
start: a
`;
    expect(await run(text('line: 2'), allowed, unsafe)).toMatchObject({ value: { path: 'edit.txt', mode: 'replace' } });
    expect(readFileSync(join(root, 'edit.txt'), 'utf8')).toBe('alpha\ngamma\n');
    const edits = 'edits: [{ find: alpha, content: omega }]';
    expect(await run(text(edits), allowed, unsafe)).toMatchObject({
      effects: [{ helper: 'edit_file', path: 'edit.txt', created: false }],
    });
    expect(readFileSync(join(root, 'edit.txt'), 'utf8')).toBe('omega\ngamma\n');
    expect(await run(text('line: 1, dry_run: true'), allowed, unsafe)).toMatchObject({ effects: [] });
  });

  it('refuses to write a value that is no text, naming the agent', async () => {
    for (const [value, words] of [
      ['{}', 'a value of type object'],
      ['undefined', 'nothing'],
      ['[]', 'an array'],
      ['null', 'null'],
    ]) {
      const text = flow(
        { a: `return ${value}` },
        ['from: a, to: save'],
        '  save: { type: tool, tool: file_write, with: { path: x } }',
      );
      expect(await run(text, allowed, unsafe)).toMatchObject({
        status: 'failed',
        error: {
          code: 'AGENT_FAILED',
          message: expect.stringContaining(`agent "save" (w.yaml:4:3): file_write writes a text, and ${words} arrived`),
        },
      });
    }
  });

  it('gives programs the helpers of the mode, and numbers their calls by agent and visit', async () => {
    const text = flow({ a: 'return read_file("notes.txt").length' });
    expect(await run(text, {}, unsafe)).toMatchObject({
      value: 13,
      usage: { helperCalls: 1 },
      receipt: { reads: [{ bytes: 13 }] },
    });
    expect(await run(text)).toMatchObject({ status: 'failed', error: { cause: { name: 'ReferenceError' } } });
  });

  it('repeats a run by its seed, with another sequence for every program', async () => {
    const text = flow({ a: 'return Math.random()', b: 'return [input_data, Math.random()]' }, ['from: a, to: b']);
    const [one, other] = [await run(text, { seed: 1 }), await run(text, { seed: 1 })];
    const value = one.status === 'completed' ? (one.value as number[]) : [];
    expect(other).toMatchObject({ value });
    expect(new Set(value).size).toBe(2);
  });

  it('tells how it goes on, whatever the listener makes of it', async () => {
    const told: WorkflowProgress[] = [];
    const onProgress = (progress: WorkflowProgress) => {
      told.push(progress);
      throw new Error('a listener that fails');
    };
    expect(await run(flow({ a: 'return 1' }), { onProgress })).toMatchObject({ status: 'completed' });
    expect(told).toEqual([
      { kind: 'begin', agent: 'a', visit: 1 },
      { kind: 'end', agent: 'a', visit: 1, status: 'completed', ms: expect.any(Number) },
    ]);
  });

  it('prints no more than one run may, and says so once', async () => {
    const text = flow({ a: 'console.log("x".repeat(60)); return 1', b: 'console.log("x".repeat(60)); return 2' }, [
      'from: a, to: b',
    ]);
    const outcome = await run(text, { limits: { consoleBytes: 100 } });
    expect(outcome.console).toMatchObject({ truncated: true, lines: [{ level: 'log' }] });
  });
});

describe('an agent that fails', () => {
  it('ends the workflow, which names the line of the file and of the program', async () => {
    const text = `porthole: 1
agents:
  a:
    type: tool
    code: |
      const one = 1;
      return one.two.three;
start: a
`;
    expect(await run(text)).toMatchObject({
      status: 'failed',
      error: {
        code: 'AGENT_FAILED',
        message: expect.stringMatching(/^Cannot finish agent "a" \(w\.yaml:7:\d+\): TypeError: /),
        line: 2,
        cause: { name: 'TypeError' },
        stack: expect.stringContaining('a.js:2'),
      },
      at: { agent: 'a', file: 'w.yaml', line: 7, text: { line: 2 } },
      receipt: { outcome: 'failed' },
    });
  });

  it('hands its error to a bridge with on: error', async () => {
    const bridges = ['from: a, to: b', 'from: a, to: c, on: error'];
    const agents = {
      a: 'throw Object.assign(new RangeError("no"), { code: "E1" })',
      b: 'return 1',
      c: 'return input_data',
    };
    expect(await run(flow(agents, bridges))).toMatchObject({
      status: 'completed',
      value: { name: 'RangeError', message: 'no', code: 'E1' },
      agents: { a: { status: 'failed' }, b: { visits: 0 } },
    });
  });

  it('hands on what a tool refused, and what a limit ended', async () => {
    const denied = flow(
      { a: 'return "x"', c: 'return input_data.code' },
      ['from: a, to: save', 'from: save, to: c, on: error'],
      '  save: { type: tool, tool: file_write, with: { path: x } }',
    );
    expect(await run(denied)).toMatchObject({ value: 'MODE_SAFE' });
    const missing = flow(
      { a: 'return "x"', c: 'return input_data.code' },
      ['from: a, to: load', 'from: load, to: c, on: error'],
      '  load: { type: tool, tool: file_read, with: { path: none } }',
    );
    expect(await run(missing)).toMatchObject({ value: 'NOT_FOUND' });
    const limited = `porthole: 1\nagents:\n  a: { type: tool, code: 'for (;;);', limits: { timeMs: 30 } }\n  c: { type: tool, code: 'return input_data' }\nbridges: [{ from: a, to: c, on: error }]\nstart: a\n`;
    expect(await run(limited)).toMatchObject({
      value: { name: 'LimitExceeded', message: 'it was ended at its limit of 30 ms (timeMs)', code: 'AGENT_FAILED' },
    });
  });

  it('ends the workflow where no such bridge is taken', async () => {
    const bridges = ['from: a, to: b, on: error, when: "input_data.code === \'E2\'"'];
    expect(await run(flow({ a: 'throw new Error("no")', b: 'return 1' }, bridges))).toMatchObject({
      status: 'failed',
      at: { agent: 'a' },
    });
  });

  it('ends at its own limit, and says where', async () => {
    const text = `porthole: 1\nagents:\n  a: { type: tool, code: 'for (;;);', limits: { timeMs: 30 } }\nstart: a\n`;
    expect(await run(text)).toMatchObject({
      status: 'limited',
      limit: 'time',
      ceiling: 30,
      at: { agent: 'a', line: 3 },
    });
  });

  it('says what a tool refused, with its code as the cause', async () => {
    const text = 'porthole: 1\nagents:\n  a: { type: tool, tool: file_read, with: { path: none } }\nstart: a\n';
    expect(await run(text)).toMatchObject({
      status: 'failed',
      error: { code: 'AGENT_FAILED', kind: 'refused', path: 'none', cause: { code: 'NOT_FOUND' } },
    });
    expect(await runWorkflow(await createRuntime(), await parseAgentFile(text))).toMatchObject({
      error: { cause: { code: 'ROOT_INVALID' } },
    });
  });
});

describe('a bridge that fails', () => {
  it.each([
    ['1', 'the number 1'],
    ['"true"', 'the text "true"'],
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['[]', 'an array'],
    ['({})', 'an object'],
    ['"x".repeat(50)', 'a text'],
  ])('because its predicate gives %s is an error, not a no', async (when, words) => {
    const text = flow({ a: 'return 1', b: 'return 2' }, [`from: a, to: b, when: '${when}'`]);
    expect(await run(text)).toMatchObject({
      status: 'failed',
      error: {
        code: 'PREDICATE_NOT_BOOLEAN',
        message: `Cannot follow bridge a → b: its predicate (w.yaml:7:29): it gave ${words}, neither true nor false`,
      },
      at: { agent: 'a', bridge: 'a → b' },
    });
  });

  it('names the place in the expression', async () => {
    const text = flow({ a: 'return 1', b: 'return 2' }, ['from: a, to: b, transform: { fn: "input_data.b.c" }']);
    expect(await run(text)).toMatchObject({
      error: { code: 'AGENT_FAILED', message: expect.stringContaining('a → b: its transform (w.yaml:7:') },
      at: { bridge: 'a → b', line: 7, text: { line: 1 } },
    });
  });

  it('ends the workflow when its expression meets its own limit', async () => {
    const text = flow({ a: 'return 1', b: 'return 2' }, ['from: a, to: b, when: "(() => { for (;;); })()"']);
    expect(await run(text)).toMatchObject({ status: 'limited', limit: 'time', ceiling: 250, at: { bridge: 'a → b' } });
  });
});

describe('before anything runs', () => {
  it('every program and expression is compiled, and every mistake named in the lines of the file', async () => {
    const text = `porthole: 1
agents:
  a:
    type: tool
    code: |
      const a = 1;
      const 2;
  b: { type: tool, code: '} evil(); {' }
  c: { type: tool, language: ts, code: 'enum A { B }' }
  d: { type: tool, language: ts, code: 'const x: number = 1; return x' }
bridges:
  - { from: a, to: b, when: 'let x' }
  - { from: a, to: c, transform: { fn: '1) + (2' } }
  - { from: a, to: d, when: "'\\uD800' === input_data" }
start: a
`;
    const file = await parseAgentFile(text);
    const error: unknown = await runWorkflow(await runtimeWith(), file).catch((reason: unknown) => reason);
    expect(listProblems(error)).toEqual([
      expect.stringMatching(/^7:13 the code of agent "a", its line 2:7: SyntaxError: /),
      expect.stringMatching(/^8:\d+ the code of agent "b", its line 1:\d+: SyntaxError: /),
      expect.stringMatching(/^9:\d+ the code of agent "c".*: SyntaxError: /),
      expect.stringMatching(/^12:\d+ the predicate of bridge a → b, its line 1:\d+: SyntaxError: /),
      expect.stringMatching(/^13:\d+ the transform of bridge a → c, its line 1:\d+: SyntaxError: /),
      '14:29 the predicate of bridge a → d: SyntaxError: the source holds a lone surrogate',
    ]);
  });

  it('limits wider than those of the run are refused', async () => {
    const text = `porthole: 1\nagents:\n  a: { type: tool, code: 'return 1', limits: { timeMs: 500 } }\nstart: a\n`;
    const refusal: unknown = await run(text, { limits: { timeMs: 100 } }).catch((error: unknown) => error);
    expect(listProblems(refusal)).toEqual(['3:38 agent "a" has timeMs 500, and the run 100']);
  });

  it.each([
    ['a promise', Promise.resolve()],
    ['nothing', undefined],
    ['something of type object', {}],
    ['something of type number', 1],
  ])('refuses %s in the place of an agent file', async (what, given) => {
    const file: never = given as never;
    const runtime = await runtimeWith();
    const calls = { runWorkflow: runWorkflow(runtime, file), planWorkflow: planWorkflow(file) };
    for (const [call, ended] of Object.entries(calls)) {
      await expect(ended).rejects.toMatchObject({
        code: 'ARGUMENT_INVALID',
        message: `Cannot use the file of ${call}(): expected an agent file, not ${what}`,
        hint: 'Await loadAgentFile() or parseAgentFile() first.',
      });
    }
    await expect(checkAgentFile(runtime, file)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
  });

  it('options are checked', async () => {
    const file = await parseAgentFile(flow({ a: 'return 1' }));
    const runtime = await runtimeWith();
    await expect(runWorkflow(runtime, file, { inputs: 1 } as object)).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
    });
    await expect(runWorkflow({ ...runtime }, file)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' });
    await runtime.close();
    await expect(runWorkflow(runtime, file)).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
  });

  it('every program is asked about, and a no leaves nothing half done', async () => {
    const asked: string[] = [];
    const approve: ApprovalCallback = (question) => {
      asked.push(`${question.name} ${question.arguments}`);
      return Promise.resolve(asked.length < 2);
    };
    const policy: PolicyInput = { porthole: 1, mode: 'unsafe', permissions: { ask: ['run(**)'] } };
    const text = flow({ a: 'return write_file("half.txt", "x")', b: 'return 2' }, ['from: a, to: b']);
    const outcome = await run(text, allowed, { ...unsafe, policy, approve });
    expect(asked).toEqual([
      'run {"agent":"a","file":"w.yaml","source":"return write_file(\\"half.txt\\", \\"x\\")","workflow":"w"}',
      'run {"agent":"b","file":"w.yaml","source":"return 2","workflow":"w"}',
    ]);
    expect(outcome).toMatchObject({
      status: 'denied',
      code: 'APPROVAL_DENIED',
      agents: { a: { visits: 0 } },
      effects: [],
    });
  });

  it('an input that cannot cross is refused, and the run ends in the log', async () => {
    const file = await parseAgentFile(flow({ a: 'return 1' }));
    const runtime = await runtimeWith();
    await expect(runWorkflow(runtime, file, { input: () => 1 })).rejects.toMatchObject({
      code: 'INPUT_NOT_SERIALIZABLE',
    });
  });
});

describe('the audit log of a workflow', () => {
  it('holds one run, from its start to its end, whatever it had of agents', async () => {
    const path = join(root, 'audit.jsonl');
    const ids = ['r'];
    const powers = { newId: () => ids.shift() ?? nodePowers.newId() };
    const text = flow({ a: 'return read_file("notes.txt")', b: 'return read_file("notes.txt")' }, ['from: a, to: b']);
    const runtime = await runtimeWith({ ...unsafe, audit: { path }, powers });
    await runWorkflow(runtime, await parseAgentFile(text));
    await runtime.close();
    const events = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(new Set(events.map(({ run }) => run)).size).toBe(1);
    expect(events.map(({ kind, call }) => `${kind} ${call ?? ''}`.trim())).toEqual([
      'run.start',
      'policy.decision',
      'policy.decision',
      'file.read a#1/1',
      'file.read b#1/1',
      'run.end',
    ]);
  });
});

describe('checkAgentFile() and planWorkflow()', () => {
  it('run nothing', async () => {
    const file = await parseAgentFile(flow({ a: 'throw new Error("ran")' }));
    await expect(checkAgentFile(await runtimeWith(), file)).resolves.toBe(undefined);
    expect(await planWorkflow(file)).toMatchObject({
      start: 'a',
      agents: [{ name: 'a', does: 'runs 1 line of js', isEnd: true }],
    });
  });
});
