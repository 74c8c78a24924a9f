import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ModelServer, startModelServer } from '../../robot/support/model-server.ts';
import { runCommandLine } from './command-line.ts';
import { createFakeWorld, type FakeWorldOptions } from './testing/fake-world.ts';
import { enterDirectory } from './testing/run-in.ts';

let leave: () => void;
const servers: ModelServer[] = [];

beforeEach(() => {
  ({ leave } = enterDirectory());
  mkdirSync('deploy');
  writeFileSync('deploy/a.yaml', 'tag: 1.2.3 # pinned\n');
  writeFileSync('release.txt', 'Release 1.2.4.\n');
  writeFileSync('p.json', JSON.stringify(verdict));
  vi.stubEnv('DESK_KEY', 'a-key-nobody-sees');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  vi.unstubAllEnvs();
  leave();
});

const edit = { path: 'deploy/a.yaml', key: '/tag', from: '1.2.3', to: '1.2.4', rationale: '' };
const verdict = {
  classification: 'mechanical',
  summary: 'one\u001b[2J pin',
  reasoning: 'r',
  edits: [edit],
  escalationReason: '',
};

async function run(args: readonly string[], options: FakeWorldOptions = {}) {
  const world = createFakeWorld(args, options);
  const exit = await runCommandLine(world);
  return { exit, out: world.written.out(), err: world.written.err() };
}

const apply = ['apply', 'p.json', '--allow', 'deploy/**', '--evidence', 'release.txt'];
const textOf = (name: string) => readFileSync(name, 'utf8');

describe('porthole apply', () => {
  test('makes the edits that --allow covers, and says so', async () => {
    const { exit, out, err } = await run(apply);
    expect({ exit, out }).toEqual({ exit: 0, out: '' });
    expect(err).toContain('applied  deploy/a.yaml /tag: 1.2.3 -> 1.2.4');
    expect(err).toContain('1 edit in 1 file applied; no change was named');
    expect(textOf('deploy/a.yaml')).toBe('tag: 1.2.4 # pinned\n');
    expect((await run(apply)).err).toContain('every value is there already');
  });

  test('a dry run with --diff prints the diff alone on standard output', async () => {
    const { exit, out, err } = await run([...apply, '--dry-run', '--diff']);
    expect(exit).toBe(0);
    expect(out).toMatch(/^diff --git [\s\S]*\+tag: 1\.2\.4 # pinned\n$/);
    expect(err).toContain('would be applied; nothing was written');
    expect(textOf('deploy/a.yaml')).toBe('tag: 1.2.3 # pinned\n');
  });

  test('a refused set ends with 1, every refusal and its way out', async () => {
    const { exit, err } = await run(['apply', 'p.json', '--allow', '**']);
    expect(exit).toBe(1);
    expect(err).toContain('refusing an invented version');
    expect(err).toContain('1 of 1 edit was refused, so no file changed');
  });

  test('--json prints one value, refused or not', async () => {
    const refused = await run(['apply', 'p.json', '--allow', '**', '--json']);
    expect(JSON.parse(refused.out)).toMatchObject({
      ok: false,
      error: { code: 'PROPOSAL_REJECTED' },
      outcome: 'rejected',
    });
    const done = await run([...apply, '--json']);
    expect(JSON.parse(done.out)).toMatchObject({
      ok: true,
      outcome: 'applied',
      receipt: { files: [{ path: 'deploy/a.yaml' }] },
    });
  });

  test('takes a verdict from standard input', async () => {
    const { exit } = await run(['apply', '-', ...apply.slice(2), '--quiet'], {
      standardInput: JSON.stringify(verdict),
    });
    expect(exit).toBe(0);
  });

  test.each([
    ['escalate', 1, 'a person has to decide'],
    ['no_action', 0, 'there is nothing to do'],
  ])('%s ends with %i', async (classification, exit, words) => {
    writeFileSync('p.json', JSON.stringify({ ...verdict, classification, edits: [] }));
    const ran = await run(apply);
    expect(ran.exit).toBe(exit);
    expect(ran.err).toContain(words);
    expect(ran.err).not.toContain('\u001b[2J');
  });

  test('a scope is a list of paths, one a line', async () => {
    writeFileSync('scope.txt', 'deploy/b.yaml\n\n');
    expect((await run([...apply, '--scope', 'scope.txt'])).err).toContain('path is outside this change');
  });

  test('attempts run out with 1', async () => {
    for (let round = 0; round < 2; round++) {
      writeFileSync('deploy/a.yaml', 'tag: 1.2.3\n');
      expect((await run([...apply, '--change', 'pr', '--max-attempts', '1'])).exit).toBe(round === 0 ? 0 : 1);
    }
  });

  test.each([
    [['apply', 'p.json'], '--allow is missing'],
    [['apply', '--allow', '**'], 'which proposal?'],
    [['apply', 'p.json', 'q.json', '--allow', '**'], 'one proposal'],
    [['apply', 'none.json', '--allow', '**'], 'cannot read "none.json"'],
    [['apply', 'release.txt', '--allow', '**'], 'is not JSON'],
    [[...apply, '--max-attempts', '2'], '--max-attempts has no effect without --change'],
    [[...apply, '--change', 'x', '--max-attempts', '0'], 'whole number from 1'],
    [['apply', 'p.json', '--allow', '[z-a'], ''],
  ])('%j is a usage error', async (args, words) => {
    const { exit, err } = await run(args);
    expect(exit).toBe(2);
    expect(err).toContain(words);
  });

  test('under a policy it runs as wide as the policy lets it', async () => {
    writeFileSync('porthole.policy.yaml', 'porthole: 1\n');
    expect((await run(apply)).exit).toBe(3);
    writeFileSync('porthole.policy.yaml', 'porthole: 1\nmode: unsafe\n');
    expect((await run(apply)).exit).toBe(4);
    expect((await run([...apply, '--yes'])).exit).toBe(0);
  });
});

describe('porthole propose', () => {
  async function withDesk(...steps: object[]) {
    const server = await startModelServer({ steps, key: 'a-key-nobody-sees' });
    servers.push(server);
    const desk = `{kind: anthropic, baseUrl: "${server.url}", model: m1, apiKeyEnv: DESK_KEY, maxRetries: 1}`;
    writeFileSync('porthole.policy.yaml', `porthole: 1\nmode: unsafe\nproviders:\n  desk: ${desk}\n`);
    return server;
  }

  const propose = [
    'propose',
    '--goal',
    'move',
    '--evidence',
    'release.txt',
    '--allow',
    'deploy/**',
    '--provider',
    'desk',
  ];

  test('prints the proposal on standard output and the rest on standard error', async () => {
    await withDesk({ answer: verdict });
    const { exit, out, err } = await run(propose);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual(verdict);
    expect(err).toContain('would do  deploy/a.yaml /tag: 1.2.3 -> 1.2.4');
    expect(err).toContain('desk (m1): 120 tokens in, 30 out, 1 request');
    expect(err).not.toContain('\u001b');
  });

  test('-o writes it, and what apply makes of that is what was shown', async () => {
    await withDesk({ answer: verdict });
    const { out } = await run([...propose, '-o', 'out.json']);
    expect(out).toBe('');
    expect((await run(['apply', 'out.json', ...apply.slice(2), '--yes'])).exit).toBe(0);
  });

  test('--json holds verdict, usage and receipt', async () => {
    await withDesk({ answer: verdict });
    const { out, err } = await run([...propose, '--json']);
    expect(err).toBe('');
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      verdict,
      usage: { requests: 1 },
      receipt: { proposal: { provider: 'desk' } },
    });
  });

  test('shows on a terminal what is waited for, and takes it away', async () => {
    await withDesk({ status: 529, headers: { 'retry-after': '1.1' } }, { answer: {} }, { answer: verdict });
    const { err } = await run(propose, { isTerminal: true });
    expect(err).toContain('asking desk (m1) …');
    expect(err).toContain('asking again in 2 s … 1 s');
    expect(err).toContain('request 2 …');
    expect(err).toContain('problems; sending them back');
    expect(err).toContain('\r\u001b[K');
  });

  test('a provider that refuses the key ends with 1, and the key is nowhere', async () => {
    await withDesk({ status: 401, error: 'no a-key-nobody-sees here' });
    const { exit, out, err } = await run([...propose, '--json']);
    expect(exit).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'PROVIDER_AUTH' } });
    expect(out + err).not.toContain('a-key-nobody-sees');
  });

  test('Ctrl-C ends it with 130', async () => {
    await withDesk({ answer: verdict, waitMs: 5000 });
    const world = createFakeWorld(propose);
    setTimeout(world.interrupt, 300);
    expect(await runCommandLine(world)).toBe(130);
  });

  test.each([
    [propose.filter((_, index) => index !== 1 && index !== 2), 'propose needs --goal'],
    [[...propose, 'more'], 'flags only'],
    [[...propose, '-o', 'none/out.json'], 'no such directory'],
    [propose.slice(0, -1).concat('dsk'), 'Did you mean desk?'],
  ])('%j is a usage error, before anybody is paid', async (args, words) => {
    const server = await withDesk({ answer: verdict });
    const { exit, err } = await run(args);
    expect(exit).toBe(2);
    expect(err).toContain(words);
    expect(server.requests).toEqual([]);
  });
});

describe('porthole migrate', () => {
  const migrate = ['migrate', 't.yaml', '--schema', 's.yaml'];

  beforeEach(() => {
    writeFileSync('t.yaml', 'kind: T\n# high\nheight: 3\nold: x\n');
    writeFileSync('s.yaml', 'type: object\nadditionalProperties: false\nproperties: {kind: {}, level: {}}\n');
    writeFileSync('new.yaml', 'kind: T\nlevel: 3\n');
  });

  test('writes what differs, and lists what is lost', async () => {
    const { exit, err } = await run([...migrate, '--answer', 'new.yaml']);
    expect(exit).toBe(0);
    expect(err).toContain('rename    t.yaml /height -> /level');
    expect(err).toContain('lost      t.yaml /old');
    expect(textOf('t.yaml')).toBe('kind: T\n# high\nlevel: 3\n');
    expect((await run([...migrate, '--answer', 'new.yaml'])).err).toContain('nothing was written');
  });

  test("takes a model's whole answer from a file, shows a diff and writes nothing in a dry run", async () => {
    writeFileSync('answer.json', JSON.stringify({ document: 'kind: T\nlevel: 3\n', notes: 'n' }));
    const { exit, out } = await run([...migrate, '--answer', 'answer.json', '--dry-run', '--diff']);
    expect(exit).toBe(0);
    expect(out).toContain('+level: 3');
    writeFileSync('data.json', '{"kind": "T", "level": 3}');
    expect(JSON.parse((await run([...migrate, '--answer', 'data.json', '--dry-run', '--json'])).out)).toMatchObject({
      ok: true,
      outcome: 'planned',
    });
  });

  test('a refused document ends with 1', async () => {
    writeFileSync('new.yaml', 'kind: T\nlevel: 4\n');
    const { exit, err } = await run([...migrate, '--answer', 'new.yaml']);
    expect(exit).toBe(1);
    expect(err).toContain('which is not in the original');
    const { out } = await run([...migrate, '--answer', 'new.yaml', '--json']);
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'PROPOSAL_REJECTED' } });
  });

  test('asks a provider', async () => {
    const answer = { document: 'kind: T\nlevel: 3\n', notes: 'height is level now' };
    const server = await startModelServer({ steps: [{ answer }] });
    servers.push(server);
    const desk = `{kind: openai, baseUrl: "${server.url}", model: m1}`;
    writeFileSync('porthole.policy.yaml', `porthole: 1\nmode: unsafe\nproviders:\n  desk: ${desk}\n`);
    const { exit, err } = await run([...migrate, '--provider', 'desk', '--yes', '--identity', '/kind']);
    expect(exit).toBe(0);
    expect(err).toContain('note      height is level now');
  });

  test.each([
    [['migrate', '--schema', 's.yaml', '--answer', 'new.yaml'], 'which document?'],
    [['migrate', 't.yaml', 'u.yaml', '--schema', 's.yaml', '--answer', 'new.yaml'], 'one document'],
    [['migrate', 't.yaml', '--answer', 'new.yaml'], '--schema'],
    [migrate, '--provider or --answer'],
    [[...migrate, '--answer', 'new.yaml', '--diff=json'], 'Take --json'],
    [[...apply, '--diff=json'], 'Take --json'],
    [['migrate', 't.yaml', '--schema', 'bad.yaml', '--answer', 'new.yaml'], 'neither JSON nor YAML'],
  ])('%j is a usage error', async (args, words) => {
    writeFileSync('bad.yaml', '{');
    const { exit, err } = await run(args);
    expect(exit).toBe(2);
    expect(err).toContain(words);
    expect(existsSync('t.yaml')).toBe(true);
  });
});
