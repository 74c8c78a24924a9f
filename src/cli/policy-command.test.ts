import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enterDirectory, runHere } from './testing/run-in.ts';

let leave: () => void;

beforeEach(() => {
  ({ leave } = enterDirectory());
});

afterEach(() => leave());

const policy = `porthole: 1
mode: unsafe
permissions:
  deny: ["write(**/*.lock)"]
  ask: ["edit_file(src/**)"]
  allow: ["edit_file(docs/**)"]
`;

const put = (text: string, file = 'porthole.policy.yaml') => writeFileSync(file, text);

describe('porthole policy', () => {
  it('names its parts', async () => {
    expect(await runHere('policy')).toMatchObject({ exit: 2, err: expect.stringContaining('check, explain, test') });
    expect(await runHere('policy', 'chekc')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('Did you mean check?'),
    });
    expect((await runHere('policy', '--help')).out).toContain('porthole policy check [FILE]');
  });
});

describe('porthole policy check', () => {
  it('says that a policy can be used, the found one by default', async () => {
    put(policy);
    const { exit, out } = await runHere('policy', 'check');
    expect(exit).toBe(0);
    expect(out).toContain('porthole.policy.yaml: usable, rules: 1 deny, 1 ask, 1 allow');
    expect((await runHere('policy', 'check', 'porthole.policy.yaml', '--json')).json()).toEqual({
      ok: true,
      file: 'porthole.policy.yaml',
    });
  });

  it('names everything that is wrong, as compilers do', async () => {
    put('porthole: 1\npermissions:\n  deny: ["wirte(**)", "read(../x)"]\n', 'bad.yaml');
    expect(await runHere('policy', 'check', 'bad.yaml')).toMatchObject({
      exit: 2,
      out: '',
      err: [
        'bad.yaml:3:10: cannot use rule "wirte(**)": there is no action "wirte"',
        '  Did you mean "write"?',
        'bad.yaml:3:23: cannot use rule "read(../x)": its pattern can never match: it leads above the root',
        '  Name files from the root downwards.',
        '',
      ].join('\n'),
    });
    const ran = await runHere('policy', 'check', 'bad.yaml', '--json');
    expect(ran.json()).toMatchObject({
      ok: false,
      error: { code: 'POLICY_INVALID' },
      problems: [
        { line: 3, column: 10 },
        { line: 3, column: 23 },
      ],
    });
    expect(ran.err).toBe('');
  });

  it('fails where there is none, one that cannot be read, or more than one', async () => {
    expect(await runHere('policy', 'check')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('there is no policy file here'),
    });
    const missing = await runHere('policy', 'check', 'none.yaml', '--json');
    expect(missing.exit).toBe(2);
    expect(missing.json()).toMatchObject({ ok: false, error: { code: 'POLICY_INVALID' } });
    expect(await runHere('policy', 'check', 'a', 'b')).toMatchObject({ exit: 2 });
  });
});

describe('porthole policy explain', () => {
  it('prints decision, rule with its line, and what was considered', async () => {
    put(policy);
    const { exit, out } = await runHere('policy', 'explain', 'edit_file', './src/a.ts');
    expect(exit).toBe(0);
    expect(out).toContain('ask: edit_file src/a.ts in mode unsafe, level moderate: it changes a file\n');
    expect(out).toMatch(/rule: ask edit_file\(src\/\*\*\) {2}.*porthole\.policy\.yaml:5:9/);
  });

  it('prints the same as JSON', async () => {
    put(policy);
    expect((await runHere('policy', 'explain', 'write_file', 'a.lock', '--json')).json()).toMatchObject({
      kind: 'deny',
      code: 'POLICY_DENIED',
      line: 4,
      level: 'moderate',
      levelReason: 'it changes a file',
      mode: 'unsafe',
      rule: { effect: 'deny', text: 'write(**/*.lock)', line: 4, column: 10 },
      considered: [{ text: 'write(**/*.lock)', result: 'matches' }],
      notReached: 2,
    });
    expect((await runHere('policy', 'explain', 'file_read', 'a', '--json')).json()).toMatchObject({
      kind: 'allow',
      line: 8,
    });
  });

  it('explains for another mode, and without a policy', async () => {
    const mode = (name: string) => runHere('policy', 'explain', 'edit_file', 'a', '--mode', name);
    expect((await runHere('policy', 'explain', 'edit_file', 'a')).out).toContain('deny MODE_SAFE');
    expect((await mode('unsafe')).out).toContain('decided by line 11 of 11');
    put(policy);
    expect((await mode('safe')).out).toContain('deny MODE_SAFE');
    expect(await mode('root')).toMatchObject({ exit: 2 });
  });

  it('protects the places that belong to Porthole, below the root in force', async () => {
    put(`${policy}audit: { path: work/log.jsonl }\n`);
    mkdirSync('work');
    const decided = async (path: string, ...flags: string[]) =>
      (await runHere('policy', 'explain', 'edit_file', path, ...flags)).out.split(':')[0];
    expect(await decided('porthole.policy.yaml')).toBe('deny PATH_PROTECTED');
    expect(await decided('work/log.jsonl.2')).toBe('deny PATH_PROTECTED');
    expect(await decided('.state/porthole/grants.json')).toBe('deny PATH_PROTECTED');
    expect(await decided('log.jsonl', '--root', 'work')).toBe('deny PATH_PROTECTED');
    expect(await decided('porthole.policy.yaml', '--root', 'work')).toBe('ask');
  });

  it('refuses an unknown action with the nearest, and missing arguments', async () => {
    expect(await runHere('policy', 'explain', 'edit_flie', 'a')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('Did you mean edit_file?'),
    });
    expect((await runHere('policy', 'explain', 'zzz', 'a')).err).toContain('The actions are');
    expect(await runHere('policy', 'explain', 'edit_file')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('As in porthole policy explain edit_file src/app.ts.'),
    });
    expect((await runHere('policy', 'explain', 'run')).err).toContain('As in porthole policy explain run sha256:0a1b,');
    expect(await runHere('policy', 'explain', 'edit_file', 'a/../b')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no action has the path a/../b: it contains ".."'),
    });
  });
});

describe('porthole policy test', () => {
  const passing = `- { action: edit_file docs/a.md, expect: allow }
- { action: edit_file src/a.ts, expect: ask }
- { action: edit_file a.lock, expect: deny }
- { action: write_file a.lock, expect: POLICY_DENIED }
- { action: edit_file docs/a.md, mode: safe, expect: MODE_SAFE }
`;

  const tested = (table: string, ...flags: string[]) => {
    put(table, 'tests.yaml');
    return runHere('policy', 'test', 'tests.yaml', ...flags);
  };

  it('passes a table the policy agrees with', async () => {
    put(policy);
    expect(await tested(passing)).toMatchObject({ exit: 0, out: '5 passed, 0 failed\n', err: '' });
  });

  it('names each row that differs, with what came out and why', async () => {
    put(policy);
    expect(await tested(`${passing}- action: edit_file src/a.ts\n  expect: allow\n`)).toMatchObject({
      exit: 1,
      out: '5 passed, 1 failed\n',
      err: 'tests.yaml:6:3: edit_file src/a.ts: expected allow, got ask (rule ask edit_file(src/**))\n',
    });
    expect((await tested('- { action: edit_file a.lock, expect: MODE_SAFE }', '--json')).json()).toMatchObject({
      ok: false,
      passed: 0,
      failed: 1,
      results: [{ got: 'deny POLICY_DENIED' }],
    });
  });

  it('takes the policy the table names, and --policy before it', async () => {
    put(policy, 'mine.yaml');
    put('porthole: 1\n', 'other.yaml');
    const table = 'policy: ./mine.yaml\ncases:\n  - { action: edit_file docs/a.md, expect: allow }\n';
    expect(await tested(table)).toMatchObject({ exit: 0 });
    expect(await tested(table, '--policy', 'other.yaml')).toMatchObject({ exit: 1 });
  });

  it('names files as they were given, or as the table gives them', async () => {
    mkdirSync('sub');
    put('porthole: 1\nmode: x\n', 'sub/mine.yaml');
    put('policy: ./mine.yaml\ncases: []\n', 'sub/tests.yaml');
    expect((await runHere('policy', 'test', 'sub/tests.yaml')).err).toMatch(/^sub\/mine\.yaml:2:7: /);
    expect((await runHere('policy', 'test', './sub/../sub/tests.yaml')).err).toMatch(/^sub\/mine\.yaml:2:7: /);
    put('porthole: 1\nmode: x\n');
    expect((await runHere('policy', 'explain', 'file_read', 'a')).err).toMatch(/^porthole\.policy\.yaml:2:7: /);
    expect((await tested('- { action: file_read a, expect: allow }')).err).toMatch(/^porthole\.policy\.yaml:2:7: /);
    put(policy);
    const { out } = await runHere('policy', 'explain', 'edit_file', 'src/a.ts');
    expect(out).toContain('rule: ask edit_file(src/**)  porthole.policy.yaml:5:9\n');
  });

  it.each([
    [
      'an unknown expectation',
      '- { action: edit_file a, expect: maybe }',
      'tests.yaml:1:34: expected allow, ask, deny',
    ],
    ['an action without a path', '- { action: edit_file, expect: ask }', 'tests.yaml:1:13: expected a name and a path'],
    ['an unknown mode', 'cases:\n  - { action: edit_file a, expect: ask, mode: x }', 'tests.yaml:2:'],
    ['a doubled key', '- { action: edit_file a, action: b, expect: ask }', 'tests.yaml:1:'],
  ])('refuses a table with %s', async (_what, table, problem) => {
    put(policy);
    expect(await tested(table)).toMatchObject({ exit: 2, err: expect.stringContaining(problem) });
  });

  it('refuses a table that is not there, an unknown action, and a policy that does not load', async () => {
    put(policy);
    expect(await runHere('policy', 'test', 'none.yaml')).toMatchObject({ exit: 2 });
    expect(await runHere('policy', 'test')).toMatchObject({ exit: 2 });
    expect(await tested('- { action: shell rm, expect: deny }')).toMatchObject({ exit: 2 });
    put('porthole: 2\n');
    expect(await tested(passing)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('porthole.policy.yaml:1:11: porthole: expected 1'),
    });
  });
});
