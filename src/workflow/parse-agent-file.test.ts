import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAgentFile } from './load-agent-file.ts';
import { parseAgentFile } from './parse-agent-file.ts';
import { agentFile, listProblems, problemsOf } from './testing/problems-of.ts';

const code = "{ type: tool, code: 'return 1' }";

describe('parseAgentFile()', () => {
  it('gives agents and bridges in the order of the file, each with its place', () => {
    const text = `porthole: 1
name: sums
agents:
  z: ${code}
  load: { type: tool, tool: file_read, with: { path: a.txt, max_chars: 10 }, maxVisits: 3 }
bridges:
  - { from: z, to: load, when: "input_data > 1", transform: { fn: "String(input_data)" } }
  - { from: z, to: load, on: error }
start: z
`;
    const file = parseAgentFile({ text, file: 'sums.yaml', isJson: false });
    expect([...file.agents.keys()]).toEqual(['z', 'load']);
    expect(file.agents.get('load')).toEqual({
      kind: 'tool',
      name: 'load',
      at: { line: 5, column: 3 },
      maxVisits: 3,
      tool: 'file_read',
      with: { path: 'a.txt', max_chars: 10 },
    });
    expect(file).toMatchObject({ name: 'sums', start: 'z', text });
    expect(file.bridges).toMatchObject([
      { from: 'z', to: 'load', onError: false, when: { source: 'input_data > 1' }, at: { line: 7, column: 5 } },
      { onError: true, when: undefined, transform: undefined },
    ]);
  });

  it('takes JSON, and a name from that of the file', () => {
    const text = JSON.stringify({ porthole: 1, agents: { a: { type: 'tool', code: 'return 1' } }, start: 'a' });
    expect(parseAgentFile({ text, file: 'dir/one.json', isJson: true })).toMatchObject({ name: 'one', bridges: [] });
    expect(problemsOf(`${text},`, 'w.json')[0]).toMatch(/^1:/);
    expect(problemsOf('{"porthole": 1, "porthole": 1}', 'w.json')[0]).toBe('1:17 the key stands there twice');
  });

  it.each([
    ['porthole: 2', '1:11 porthole: expected 1'],
    ['agents: []', '1:9 agents: expected a mapping of keys to values'],
    ['agnets: {}', '1:1 there is no key "agnets"'],
  ])('names what is wrong with the keys of %s', (line, problem) => {
    expect(problemsOf(`${line}\n`)).toContain(problem);
  });

  it.each([
    ['a: { type: tool }', '3:3 agent "a" must have one of tool, code and file, not none of them'],
    [
      "a: { type: tool, tool: file_read, with: { path: x }, code: '1' }",
      '3:3 agent "a" must have one of tool, code and file, not tool and code',
    ],
    ["a: { type: agent, code: '1' }", '3:14 agents.a.type: expected "tool"'],
    ['a: { type: tool, tool: shell }', '3:26 agents.a.tool: expected "file_read", "file_write", "edit_file"'],
    ["a: { type: tool, code: '1', limits: { timeMs: 0 } }", '3:49 agents.a.limits.timeMs: expected at least 1'],
    ["a: { type: tool, code: '1', limits: { timems: 5 } }", '3:41 there is no key "timems" in agents.a.limits'],
    ["a: { type: tool, code: '1', with: { path: x } }", '3:31 agent "a" is code, which takes no arguments'],
    [
      'a: { type: tool, tool: file_read, with: { path: x }, language: js }',
      '3:56 agent "a" calls a tool, which has no language',
    ],
    ["a: { type: tool, code: '1', maxVisits: 0 }", '3:42 agents.a.maxVisits: expected at least 1'],
    ['a: { type: tool, tool: file_read }', '3:6 path: expected a text'],
    ['a: { type: tool, tool: file_read, with: { path: 5 } }', '3:51 path: expected a text'],
    ['a: { type: tool, tool: file_read, with: { path: x, mode: w } }', '3:54 there is no key "mode"'],
    ['a: { type: tool, tool: file_read, with: { path: ../x } }', '3:51 path contains ".." (PATH_TRAVERSAL)'],
    [
      'a: { type: tool, tool: file_write, with: { path: "~/x" } }',
      '3:52 path starts with "~", which is not expanded (PATH_HOME)',
    ],
    ['a: { type: tool, file: body.js }', '3:26 there are no files beside an agent file that is no file itself'],
  ])('names what is wrong with an agent: %s', (agent, problem) => {
    expect(problemsOf(agentFile(`  ${agent}`))).toContain(problem);
  });

  it('takes an absolute path as it is: whether it lies below the root, a run will say', () => {
    expect(problemsOf(agentFile('  a: { type: tool, tool: file_write, with: { path: /srv/x } }'))).toEqual([]);
  });

  it('names unknown agents, and the nearest known one', () => {
    const text = agentFile(`  load: ${code}`, 'bridges: [{ from: laod, to: load }]\n');
    expect(problemsOf(text)).toEqual(['4:8 start names no agent: "a"', '5:11 from names no agent: "laod"']);
    expect(() => parseAgentFile({ text: text.replace('start: a', 'start: load'), file: 'w', isJson: false })).toThrow(
      expect.objectContaining({ hint: 'Did you mean "load"?' }),
    );
  });

  it('refuses agents that nothing leads to', () => {
    const text = agentFile(`  a: ${code}\n  b: ${code}\n  c: ${code}`, 'bridges: [{ from: b, to: c }]\n');
    expect(problemsOf(text)).toEqual([
      '4:3 no bridge leads from a to agent "b"',
      '5:3 no bridge leads from a to agent "c"',
    ]);
  });

  it('refuses a cycle that no maxVisits bounds, naming it, and takes one that is bounded', () => {
    const agents = (more: string) => `  a: ${code}\n  b: { type: tool, code: '1'${more} }\n  c: ${code}\n  d: ${code}`;
    const bridges =
      'bridges:\n  - { from: a, to: b }\n  - { from: b, to: c }\n  - { from: c, to: b }\n  - { from: c, to: d }\n';
    expect(problemsOf(agentFile(agents(''), bridges))).toEqual([
      expect.stringMatching(/^\d+:5 the cycle (?:b → c → b|c → b → c) has no end in sight$/),
    ]);
    expect(problemsOf(agentFile(agents(', maxVisits: 2'), bridges))).toEqual([]);
    expect(problemsOf(agentFile(`  a: ${code}`, 'bridges: [{ from: a, to: a }]\n'))).toEqual([
      '5:11 the cycle a → a has no end in sight',
    ]);
  });
});

describe('an agent file of an enemy', () => {
  it.each([
    ['_unsafe_mode: true', '5:1 an agent file cannot set "_unsafe_mode"'],
    ['context: { _unsafe_mode: true }', '5:1 an agent file cannot set the context'],
    ['"_unsafe_mode": true', '5:1 an agent file cannot set "_unsafe_mode"'],
  ])('cannot touch the context: %s', (line, problem) => {
    expect(problemsOf(agentFile(`  a: ${code}`, line))).toContain(problem);
  });

  it('cannot hide the flag among the arguments of a tool', () => {
    const agent = '  a: { type: tool, tool: file_write, with: { path: x, _unsafe_mode: true } }';
    expect(problemsOf(agentFile(agent))).toEqual(['3:55 an agent file cannot set "_unsafe_mode"']);
  });

  it.each([
    [`__proto__: ${code}`, '3:3 the key "__proto__" is not part of an agent file'],
    [`"__proto__": ${code}`, '3:3 the key "__proto__" is not part of an agent file'],
    [`a b: ${code}`, '3:3 "a b" cannot be the name of an agent'],
    [`"a\\"]; x[\\"": ${code}`, '3:3 "a\\"]; x[\\"" cannot be the name of an agent'],
    [`é: ${code}`, '3:3 "é" cannot be the name of an agent'],
  ])('cannot name an agent %s', (agent, problem) => {
    expect(problemsOf(agentFile(`  ${agent}`))).toContain(problem);
  });

  it('may call an agent constructor: names are no properties of anything', () => {
    expect(problemsOf(`porthole: 1\nagents:\n  constructor: ${code}\nstart: constructor\n`)).toEqual([]);
    expect(problemsOf(`porthole: 1\nagents:\n  a: ${code}\nstart: toString\n`)).toEqual([
      '4:8 start names no agent: "toString"',
    ]);
  });

  it.each([
    ['duplicate keys', `  a: ${code}\n  a: ${code}`, '4:3 the key stands there twice'],
    ['a tag', `  a: !!js/function ${code}`, '3:6 '],
    ['a custom tag', `  a: !run ${code}`, '3:6 '],
    ['a merge key', `  a: &x ${code}\n  b: { <<: *x }`, '4:8 there is no key "<<" in agents.b'],
  ])('is refused for %s', (_what, agents, start) => {
    expect(problemsOf(agentFile(agents)).some((problem) => problem.startsWith(start))).toBe(true);
  });

  it('may use aliases as people do, and no more than 100', () => {
    const aliases = (count: number) =>
      `porthole: 1\nagents:\n  a0: &x ${code}\n${Array.from({ length: count }, (_, index) => `  a${index + 1}: *x`).join('\n')}\n` +
      `bridges:\n${Array.from({ length: count }, (_, index) => `  - { from: a${index}, to: a${index + 1} }`).join('\n')}\nstart: a0\n`;
    expect(problemsOf(aliases(100))).toEqual([]);
    expect(problemsOf(aliases(101))).toEqual(['104:9 it holds more than 100 aliases']);
  });

  it('is refused where a few aliases stand for billions of values', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `b${level + 1}: &b${level + 1} [${Array(9).fill(`*b${level}`)}]`,
    );
    const bomb = `b0: &b0 [x]\n${levels.join('\n')}\n`;
    const startedMs = performance.now();
    expect(problemsOf(bomb)[0]).toMatch(/^2:10 its aliases cannot be followed: excessive alias count/);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it.each([
    ['brackets', '['.repeat(500_000)],
    ['braces', '{a: '.repeat(200_000)],
    ['dashes', '- '.repeat(400_000)],
    ['question marks', '? '.repeat(400_000)],
    ['indentation', Array.from({ length: 1000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
    ['brackets in an agent', agentFile(`  a: { type: tool, tool: edit_file, with: { edits: ${'['.repeat(1000)}`)],
  ])('is refused where it is nested without end: %s', (_what, text) => {
    const startedMs = performance.now();
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^\d+:\d+ it is nested deeper than 64 levels$/)]);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it('is told where it is nested too deep', () => {
    expect(problemsOf(`a: 1\r\nb:\n  - x\nc: ${'['.repeat(100)}`)).toEqual(['4:67 it is nested deeper than 64 levels']);
  });

  it('is refused where it holds a second document, or is written for another version of YAML', () => {
    const usable = agentFile('  a: { type: tool, code: return 1 }');
    expect(problemsOf(`${usable}---\n${usable}`)).toEqual([
      '5:1 a second document begins here, and there can be one only',
    ]);
    expect(problemsOf(`%YAML 1.1\n---\n${usable}`)).toEqual(['1:1 it declares YAML 1.1, and is read as YAML 1.2']);
    expect(problemsOf(`%YAML 1.2\n---\n${usable}`)).toEqual([]);
  });

  it('may hold brackets in its programs, however many', () => {
    const body = `return ${'['.repeat(100)}${']'.repeat(100)}`;
    expect(problemsOf(agentFile(`  a:\n    type: tool\n    code: |\n      ${body}`))).toEqual([]);
  });

  it('is refused where it is huge', () => {
    expect(problemsOf(`# ${'x'.repeat(1024 * 1024)}`)).toEqual(['1:1 it holds more than 1048576 characters']);
  });

  it('may have thousands of agents in a row', { timeout: 60_000 }, () => {
    const names = Array.from({ length: 2000 }, (_, index) => `a${index}`);
    const agents = names.map((name) => `  ${name}: {type: tool, code: '1'}`).join('\n');
    const bridges = names
      .slice(1)
      .map((name, index) => `  - {from: a${index}, to: ${name}}`)
      .join('\n');
    expect(problemsOf(`porthole: 1\nagents:\n${agents}\nbridges:\n${bridges}\nstart: a0\n`)).toEqual([]);
  });
});

describe('loadAgentFile()', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'porthole-agent-file-'));
    mkdirSync(join(folder, 'flow'));
    writeFileSync(join(folder, 'flow/body.ts'), 'return input_data as number;\n');
    writeFileSync(join(folder, 'secret.js'), 'return 1');
    symlinkSync('../secret.js', join(folder, 'flow/link.js'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = (text: string) => {
    const path = join(folder, 'flow/w.yaml');
    writeFileSync(path, text);
    return loadAgentFile(path);
  };
  const problemsOfLoading = (text: string) => {
    try {
      load(text);
      return [];
    } catch (error) {
      return listProblems(error);
    }
  };

  it('reads programs beside the file, in the language of their names', () => {
    const agent = load(agentFile('  a: { type: tool, file: body.ts }')).agents.get('a');
    expect(agent).toMatchObject({
      language: 'ts',
      body: { source: 'return input_data as number;\n', file: 'body.ts' },
    });
  });

  it.each([
    ['../secret.js', 'PATH_TRAVERSAL'],
    ['link.js', 'PATH_OUTSIDE_ROOT'],
    ['/etc/passwd', 'PATH_OUTSIDE_ROOT'],
    ['none.js', 'NOT_FOUND'],
  ])('reads no program from %s', (path, codeOfRefusal) => {
    const problems = problemsOfLoading(agentFile(`  a: { type: tool, file: ${path} }`));
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^3:26 cannot read .*\\(${codeOfRefusal}\\)$`))]);
  });

  it('says why a file cannot be read', () => {
    expect(() => loadAgentFile(join(folder, 'none.yaml'))).toThrow(/none\.yaml: there is no such file$/);
    expect(() => loadAgentFile(folder)).toThrow(/it is a directory$/);
    writeFileSync(join(folder, 'bytes.yaml'), Buffer.from([0xff, 0xfe]));
    expect(() => loadAgentFile(join(folder, 'bytes.yaml'))).toThrow(/it is not UTF-8$/);
    writeFileSync(join(folder, 'big.yaml'), Buffer.alloc(4 * 1024 * 1024 + 1, 0x20));
    expect(() => loadAgentFile(join(folder, 'big.yaml'))).toThrow(/it holds more than 4194304 bytes/);
  });
});
