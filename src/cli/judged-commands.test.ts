import { mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createFakeWorld, type FakeWorld } from './testing/fake-world.ts';
import { enterDirectory } from './testing/run-in.ts';

let leave: () => void;

beforeEach(() => {
  ({ leave } = enterDirectory());
  mkdirSync('src');
  writeFileSync('src/a.ts', 'one\ntwo\n');
});

afterEach(() => leave());

const policy = (text: string) => writeFileSync('porthole.policy.yaml', `porthole: 1\nmode: unsafe\n${text}`);
const asking = 'permissions: { allow: ["run(**)"], ask: ["edit_file(src/**)"] }\n';
const edit = (content: string) => JSON.stringify({ path: 'src/a.ts', mode: 'replace', line: 2, content });
const editing = (content: string, ...more: readonly string[]) => [
  ...['tool', 'edit_file', '--args', edit(content), '--unsafe', '--allow-write'],
  ...more,
];

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

async function porthole(args: readonly string[]): Promise<Ran> {
  const world = createFakeWorld(args);
  return ranOf(world, await runCommandLine(world));
}

// Sits at the terminal and types one line at each prompt, after what `before` does.
async function portholeAsked(
  args: readonly string[],
  line: string,
  before: () => void = () => undefined,
): Promise<Ran> {
  const terminal = new PassThrough();
  const world = createFakeWorld(args, { terminal });
  let prompts = 0;
  const watching = setInterval(() => {
    const count = world.written.err().split('Allow? ').length - 1;
    if (count === prompts) return;
    prompts = count;
    before();
    terminal.write(`${line}\n`);
  }, 5);
  try {
    return ranOf(world, await runCommandLine(world));
  } finally {
    clearInterval(watching);
  }
}

function ranOf(world: FakeWorld, exit: number): Ran {
  return { exit, out: world.written.out(), err: world.written.err() };
}

describe('an edit that a policy asks about', () => {
  it('is shown, answered for the project, not asked again, revoked, and asked again', async () => {
    policy(asking);
    const first = await portholeAsked(editing('TWO'), 'p');
    expect(first).toMatchObject({ exit: 0, out: expect.stringContaining('replaced at line 2 of src/a.ts') });
    expect(first.err).toContain('porthole asks: edit_file replace src/a.ts\n');
    expect(first.err).toContain('rule ask edit_file(src/**)');
    expect(first.err).toContain('-two\n+TWO\n');
    expect(await porthole(editing('three'))).toMatchObject({ exit: 0, err: '' });
    const [grant] = JSON.parse((await porthole(['approvals', 'list', '--json'])).out);
    expect(grant).toMatchObject({ pattern: 'edit_file *', level: 'moderate', scope: 'project' });
    expect(await porthole(['approvals', 'revoke', grant.id])).toMatchObject({ exit: 0 });
    expect(await porthole(editing('four'))).toMatchObject({
      exit: 4,
      out: 'error: edit not approved: it needs approval and there is no terminal to ask on\n',
    });
    expect((await portholeAsked(editing('four'), 'n')).out).toBe('error: edit not approved: the answer was no\n');
    expect(readFileSync('src/a.ts', 'utf8')).toBe('one\nthree\n');
  });

  it('is answered by --yes, and not by --no-input', async () => {
    policy(asking);
    expect(await porthole(editing('TWO', '--no-input'))).toMatchObject({ exit: 4 });
    expect(await porthole(editing('TWO', '--yes'))).toMatchObject({ exit: 0, err: '' });
    expect(readFileSync('src/a.ts', 'utf8')).toBe('one\nTWO\n');
  });

  it('is refused with exit code 5 when the file changed meanwhile', async () => {
    policy(asking);
    const ran = await portholeAsked(editing('TWO'), 'y', () => writeFileSync('src/a.ts', 'changed\n'));
    expect(ran).toMatchObject({ exit: 5, out: expect.stringContaining('it is not what was shown and approved') });
    expect(readFileSync('src/a.ts', 'utf8')).toBe('changed\n');
  });

  it('is given up on Ctrl-C within 100 ms', async () => {
    policy(asking);
    const world = createFakeWorld(editing('TWO'), { terminal: new PassThrough() });
    const running = runCommandLine(world);
    while (!world.written.err().includes('Allow? ')) await new Promise((resolve) => setTimeout(resolve, 5));
    const pressedAt = performance.now();
    world.interrupt();
    expect(await running).toBe(130);
    expect(performance.now() - pressedAt).toBeLessThan(100);
    expect(readFileSync('src/a.ts', 'utf8')).toBe('one\ntwo\n');
  });
});

describe('what is dangerous', () => {
  it('is never remembered, and --yes does not answer it', async () => {
    writeFileSync('.env', 'KEY=1\n');
    const reading = ['tool', 'file_read', '--args', '{"path": ".env"}'];
    expect((await portholeAsked(reading, 'y')).out).toContain('KEY=1');
    expect(await porthole([...reading, '--yes'])).toMatchObject({ exit: 4 });
    expect(JSON.parse((await porthole(['approvals', 'list', '--json'])).out)).toEqual([]);
  });
});

describe('porthole run with a policy', () => {
  const write = "return write_file('src/a.ts', 'new')";
  const running = (...more: readonly string[]) => ['run', '-e', write, '--unsafe', '--allow-write', ...more];

  it('asks on the terminal whether a program may run, and what it may write', async () => {
    policy('');
    const ran = await portholeAsked(running(), 'y');
    expect(ran).toMatchObject({ exit: 0, out: '3\n' });
    expect(ran.err).toMatch(/porthole asks: run unsafe sha256:[0-9a-f]{64}\n/);
    expect(ran.err).toContain(`  arguments {"file":"program.js"}\n\nprogram\n| ${write}\nAllow? `);
    expect(ran.err).toContain('porthole asks: file_write w src/a.ts\n');
    expect(await porthole(running())).toMatchObject({
      exit: 4,
      err: expect.stringContaining('denied: APPROVAL_NEEDED: '),
    });
    expect(await porthole(running('--yes'))).toMatchObject({ exit: 0, out: '3\n' });
  });

  it('is denied by a rule with exit code 3, before anything of it ran', async () => {
    policy('permissions: { deny: ["run(**)"] }\n');
    const { exit, out, err } = await porthole(running('--json'));
    expect({ exit, err }).toEqual({ exit: 3, err: '' });
    expect(JSON.parse(out)).toMatchObject({ status: 'denied', code: 'POLICY_DENIED', receipt: { outcome: 'denied' } });
  });

  it('refuses flags that would widen it, naming both', async () => {
    writeFileSync('team.yaml', 'porthole: 1\nmode: safe\nlimits: { timeMs: 500 }\naudit: { path: ./log.jsonl }\n');
    for (const [flags, says] of [
      [['--unsafe'], 'Cannot use mode unsafe: the policy team.yaml says mode: safe'],
      [['--timeout', '1s'], 'Cannot use limit timeMs=1000: the policy team.yaml says limits.timeMs: 500'],
      [['--audit', 'other.jsonl'], 'the policy team.yaml says audit.path: ./log.jsonl'],
    ] as const) {
      const ran = await porthole(['run', '-e', '1', '--policy', 'team.yaml', ...flags]);
      expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(says) });
    }
    expect(await porthole(['run', '-e', 'return 1', '--policy', 'team.yaml'])).toMatchObject({ exit: 0, out: '1\n' });
  });

  it('does not start under one that cannot be used', async () => {
    policy('moed: safe\n');
    expect(await porthole(['run', '-e', '1'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('porthole.policy.yaml:3:1: there is no key "moed"'),
    });
  });
});

describe('porthole tool with a policy', () => {
  it('lists and knows the tools in force', async () => {
    policy('tools: [file_read, edit_file]\n');
    const listed = JSON.parse((await porthole(['tool', '--list', '--json'])).out);
    expect(listed).toMatchObject([{ name: 'file_read' }, { name: 'edit_file' }]);
    const write = ['tool', 'file_write', '--args', '{}', '--unsafe', '--allow-write'];
    expect(await porthole(write)).toMatchObject({ exit: 2, err: expect.stringContaining('there is no such tool') });
  });
});

describe('the log of commands', () => {
  it('is found by audit show, verify and receipt, in the state directory', async () => {
    const ran = await porthole(['run', '-e', "write_file('b', 'x')", '--unsafe', '--allow-write', '--json']);
    const { runId, receipt } = JSON.parse(ran.out);
    expect(JSON.parse((await porthole(['audit', 'receipt', runId, '--json'])).out)).toEqual(receipt);
    const shown = await porthole(['audit', 'show', '--kind', 'file.write']);
    expect(shown.out).toContain('file.write bytesAfter=1 bytesBefore=0 created=true');
    const verified = await porthole(['audit', 'verify', '--expect-head', receipt.auditHead]);
    expect(verified).toMatchObject({ exit: 0, out: expect.stringContaining(': intact, ') });
  });

  it('is where flag or policy say, and found there', async () => {
    await porthole(['run', '-e', '1', '--audit', 'flag.jsonl']);
    expect((await porthole(['audit', 'show', '--audit', 'flag.jsonl'])).out.split('\n')).toHaveLength(3);
    policy('audit: { path: ./policy.jsonl }\n');
    await porthole(['run', '-e', '1']);
    expect((await porthole(['audit', 'verify'])).out).toContain('policy.jsonl: intact, 2 events');
  });

  it('that cannot be opened stops a command with exit code 1', async () => {
    const ran = await porthole(['run', '-e', 'return 1', '--audit', 'src']);
    expect(ran).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('Cannot write') });
    rmSync('.state', { recursive: true, force: true });
    writeFileSync('.state', 'a file where the state directory should be');
    expect(await porthole(['run', '-e', 'return 1'])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('Cannot make the directory of the audit log'),
    });
    unlinkSync('.state');
  });
});
