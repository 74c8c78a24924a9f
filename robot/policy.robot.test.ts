import { describe, expect, it } from 'vitest';
import { porthole } from './support/command.ts';
import { createFolder, type TempFolder } from './support/temp-folder.ts';

// In the folder, where a policy file is found; its root is the folder's.
const inside = ({ path }: TempFolder, ...args: string[]) => porthole(args, { cwd: path });

const policy = [
  'porthole: 1',
  'mode: unsafe',
  'root: ./root',
  'permissions:',
  '  deny:  ["write(**/*.lock)"]',
  '  ask:   ["edit_file(src/**)"]',
  '  allow: ["read(**)", "edit_file(docs/**)"]',
  '',
].join('\n');

function createPolicyFolder(): TempFolder {
  const folder = createFolder();
  folder.write('porthole.policy.yaml', policy);
  return folder;
}

describe('porthole policy check', () => {
  it('says that a file can be used', async () => {
    const folder = createPolicyFolder();
    expect(await inside(folder, 'policy', 'check', 'porthole.policy.yaml')).toMatchObject({
      exitCode: 0,
      stdout: 'porthole.policy.yaml: usable, rules: 1 deny, 1 ask, 2 allow\n',
      stderr: '',
    });
    expect((await inside(folder, 'policy', 'check')).exitCode).toBe(0);
    expect(JSON.parse((await inside(folder, 'policy', 'check', '--json')).stdout).ok).toBe(true);
  });

  it.each([
    ['an unknown key', 'porthole: 1\nmods: safe\n', '2:1', 'Did you mean "mode"?'],
    ['a duplicate key', 'porthole: 1\nmode: safe\nmode: unsafe\n', '3:1', 'twice'],
    ['another version', 'porthole: 2\n', '1:11', 'porthole'],
    ['a mode there is not', 'porthole: 1\nmode: wild\n', '2:7', '"safe", "staged", "unsafe"'],
    ['a limit of 0', 'porthole: 1\nlimits: { timeMs: 0 }\n', '2:19', 'limits.timeMs'],
    [
      'an unknown action',
      'porthole: 1\npermissions:\n  allow: ["edit_fle(**)"]\n',
      '3:11',
      'Did you mean "edit_file"?',
    ],
    ['a helper', 'porthole: 1\npermissions:\n  allow: ["write_file(**)"]\n', '3:11', 'Write "file_write".'],
    ['no rule at all', 'porthole: 1\npermissions:\n  ask: ["docs/**"]\n', '3:9', 'name(glob)'],
    ['a pattern above the root', 'porthole: 1\npermissions:\n  deny: ["read(../**)"]\n', '3:10', 'above the root'],
    ['an unclosed bracket', 'porthole: 1\npermissions:\n  deny: ["read([a)"]\n', '3:10', 'never match'],
    ['an alias', 'porthole: 1\nmode: &m safe\nroot: *m\n', '3:7', 'aliases'],
    ['a writable path that is not there', 'porthole: 1\nwritablePaths: [none]\n', '2:17', 'none'],
  ])('names file, line and column of %s', async (_, text, position, says) => {
    const folder = createFolder();
    folder.write('p.yaml', text);
    const ended = await inside(folder, 'policy', 'check', 'p.yaml');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(`p.yaml:${position}: `);
    expect(ended.stderr).toContain(says);
  });

  it('names every problem, and as JSON with its position', async () => {
    const folder = createFolder();
    folder.write('p.yaml', 'porthole: 1\npermissions:\n  deny: ["nothing(**)"]\n  allow: ["write(../x)"]\n');
    const ended = await inside(folder, 'policy', 'check', 'p.yaml', '--json');
    expect(ended).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ok: false,
      error: { code: 'POLICY_INVALID' },
      problems: [
        { line: 3, column: 10 },
        { line: 4, column: 11 },
      ],
    });
  });

  it('stops a run and a tool as well: nothing starts', async () => {
    const folder = createFolder();
    folder.write('porthole.policy.yaml', 'porthole: 1\nmods: safe\n');
    folder.write('root/a.txt', 'text');
    for (const args of [
      ['run', '-e', 'console.log("ran")'],
      ['tool', 'file_read', '--args', '{"path":"root/a.txt"}'],
    ]) {
      const ended = await inside(folder, ...args);
      expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ended.stderr).toContain('porthole.policy.yaml:2:1');
    }
  });
});

describe('porthole policy explain', () => {
  it('prints the decision, the rule with its line, and every rule that was considered', async () => {
    const folder = createPolicyFolder();
    const { exitCode, stdout } = await inside(folder, 'policy', 'explain', 'edit_file', 'src/app.ts');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'ask: edit_file src/app.ts in mode unsafe, level moderate: it changes a file\ndecided by line 6 of 11: ',
    );
    expect(stdout).toMatch(/^rule: ask edit_file\(src\/\*\*\) +\S*porthole\.policy\.yaml:6:11$/m);
    expect(stdout).toMatch(/^ +other path +deny write\(\*\*\/\*\.lock\) +\S*porthole\.policy\.yaml:5:11$/m);
    expect(stdout).toContain('not reached: 2 rules\n');
  });

  it.each([
    ['file_read', 'src/app.ts', [], 'allow', 7],
    ['read_file', 'src/app.ts', [], 'allow', 7],
    ['edit_file', 'docs/a.md', [], 'allow', 7],
    ['edit_file', 'docs/a.lock', [], 'deny', 4],
    ['file_write', 'docs/a.md', [], 'ask', 11],
    ['edit_file', 'docs/a.md', ['--mode', 'safe'], 'deny', 2],
    ['edit_file', 'docs/.env', [], 'ask', 5],
    ['file_read', '.ssh/id_rsa', [], 'ask', 5],
    ['edit_file', '.git/config', [], 'ask', 5],
    ['file_read', '.git/config', [], 'allow', 7],
  ])('says of %s %s %j: %s by line %i', async (name, path, flags, ...decided) => {
    const [kind, line] = decided;
    const folder = createFolder();
    folder.write('porthole.policy.yaml', policy);
    const ended = await inside(folder, 'policy', 'explain', name, path, '--json', ...flags);
    expect(ended.exitCode).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ kind, line });
  });

  it('says what the run then does', async () => {
    const folder = createPolicyFolder();
    folder.write('root/docs/a.md', 'old');
    folder.write('root/docs/a.lock', 'old');
    const edit = (path: string) => {
      const args = JSON.stringify({ path, mode: 'write', content: 'new' });
      return inside(folder, 'tool', 'edit_file', '--args', args, '--unsafe', '--allow-write');
    };
    expect((await edit('docs/a.md')).exitCode).toBe(0);
    expect((await edit('docs/a.lock')).exitCode).toBe(3);
    expect((await edit('a.md')).exitCode).toBe(4);
    expect([folder.read('root/docs/a.md'), folder.read('root/docs/a.lock')]).toEqual(['new', 'old']);
  });
});

describe('porthole policy test', () => {
  const passing =
    '- { action: edit_file docs/a.md, expect: allow }\n- { action: edit_file a.lock, expect: POLICY_DENIED }\n';

  it('passes a table that is right', async () => {
    const folder = createPolicyFolder();
    folder.write('table.yaml', `${passing}- { action: write_file x, expect: MODE_SAFE, mode: safe }\n`);
    expect(await inside(folder, 'policy', 'test', 'table.yaml')).toMatchObject({
      exitCode: 0,
      stdout: '3 passed, 0 failed\n',
      stderr: '',
    });
  });

  it('names the row that is wrong, with what came out, and exits with 1', async () => {
    const folder = createPolicyFolder();
    folder.write('table.yaml', `${passing}- { action: edit_file src/a.ts, expect: allow }\n`);
    const ended = await inside(folder, 'policy', 'test', 'table.yaml');
    expect(ended).toMatchObject({ exitCode: 1, stdout: '2 passed, 1 failed\n' });
    expect(ended.stderr).toContain('table.yaml:3:3: edit_file src/a.ts: expected allow, got ask');
    const json = await inside(folder, 'policy', 'test', 'table.yaml', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, passed: 2, failed: 1 });
  });

  it('refuses a table that is none, with the position', async () => {
    const folder = createPolicyFolder();
    folder.write('table.yaml', '- { action: edit_file a.md, expect: maybe }\n');
    const ended = await inside(folder, 'policy', 'test', 'table.yaml');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^table\.yaml:1:\d+: /);
  });
});

describe('with a policy file', () => {
  it.each([
    ['--unsafe', 'porthole: 1\nmode: safe\n', ['--unsafe'], 'mode: safe'],
    ['--root', 'porthole: 1\nroot: ./root\n', ['--root', 'outside'], 'root: ./root'],
    ['--timeout', 'porthole: 1\nlimits: { timeMs: 1000 }\n', ['--timeout', '2s'], '1000'],
    ['--audit', 'porthole: 1\naudit: { path: ./log.jsonl }\n', ['--audit', 'other.jsonl'], 'log.jsonl'],
  ])('%s cannot widen it: a usage error that names both', async (flag, text, flags, says) => {
    const folder = createFolder();
    folder.write('porthole.policy.yaml', text);
    const ended = await inside(folder, 'run', '-e', 'console.log("ran")', ...flags);
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toContain(flag === '--timeout' ? 'timeMs' : flag.slice(2));
  });

  it('a narrower flag is taken', async () => {
    const folder = createFolder();
    folder.write('porthole.policy.yaml', 'porthole: 1\nroot: .\nlimits: { timeMs: 2000 }\n');
    const ended = await inside(folder, 'run', '-e', 'return 1', '--root', 'root', '--timeout', '1s');
    expect(ended).toMatchObject({ exitCode: 0, stdout: '1\n' });
  });

  it('a tool it leaves out is not there', async () => {
    const folder = createFolder();
    folder.write('porthole.policy.yaml', 'porthole: 1\nmode: unsafe\ntools: [file_read]\n');
    expect((await inside(folder, 'tool', '--list')).stdout).not.toContain('edit_file');
    const args = [
      'tool',
      'edit_file',
      '--args',
      '{"path":"a","mode":"write","content":""}',
      '--unsafe',
      '--allow-write',
    ];
    expect((await inside(folder, ...args)).exitCode).toBe(2);
  });
});
