import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ModelServer, startModelServer } from '../../robot/support/model-server.ts';
import type { ModelServerOptions } from '../../robot/support/model-steps.ts';
import type { Question } from '../policy/approver.ts';
import type { PolicyInput } from '../policy/policy-schema.ts';
import type { AttemptStore } from '../proposals/attempts.ts';
import type { ScalarEdit, Verdict } from '../proposals/verdict.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

let root: string;
let questions: Question[];
let opened: Runtime[];
let servers: ModelServer[];

const key = 'a-key-for-nobody-to-see';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-proposals-')));
  vi.stubEnv('XDG_STATE_HOME', join(root, '.state'));
  vi.stubEnv('DESK_KEY', key);
  mkdirSync(join(root, 'deploy'));
  writeFileSync(join(root, 'deploy/a.yaml'), a);
  writeFileSync(join(root, 'deploy/b.toml'), b);
  writeFileSync(join(root, 'notes.md'), 'a: 1\n');
  questions = [];
  opened = [];
  servers = [];
});

afterEach(async () => {
  for (const runtime of opened) await runtime.close();
  for (const server of servers) await server.close();
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const a = '# pinned\nimage:\n  tag: 1.2.3 # here\n';
const b = 'tag = "1.2.3"\nport = 8080\n';
const textOf = (name: string) => readFileSync(join(root, name), 'utf8');
const evidence = [{ name: 'release.txt', text: 'Release 1.2.4 is out.' }];
const allow = ['deploy/**'];

const editA: ScalarEdit = { path: 'deploy/a.yaml', key: '/image/tag', from: '1.2.3', to: '1.2.4', rationale: '' };
const editB: ScalarEdit = { path: 'deploy/b.toml', key: '/tag', from: '1.2.3', to: '1.2.4', rationale: '' };

function verdictOf(edits: readonly ScalarEdit[], changes: Partial<Verdict> = {}): Verdict {
  const classification = 'mechanical';
  return { classification, summary: 's', reasoning: 'r', edits: [...edits], escalationReason: '', ...changes };
}

const both = verdictOf([editA, editB]);

async function open(options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await createRuntime({ root, mode: 'unsafe', ...options });
  opened.push(runtime);
  return runtime;
}

const policy: PolicyInput = { porthole: 1, mode: 'unsafe' };

function asking(said: boolean, meanwhile: () => void = () => undefined): RuntimeOptions {
  return {
    policy,
    approve: (question) => {
      questions.push(question);
      meanwhile();
      return Promise.resolve(said);
    },
  };
}

describe('apply()', () => {
  test('makes every edit of a verdict, and its receipt tells of them', async () => {
    const runtime = await open();
    const report = await runtime.apply({ proposal: both, allow, evidence });
    expect(report).toMatchObject({
      outcome: 'applied',
      applied: [{ edit: 1, before: { source: '1.2.3' }, after: { source: '1.2.4' } }, { edit: 2 }],
      attempts: { change: null },
      receipt: {
        outcome: 'completed',
        files: [{ path: 'deploy/a.yaml' }, { path: 'deploy/b.toml' }],
        proposal: {
          classification: 'mechanical',
          edits: 2,
          outcome: 'applied',
          attempts: expect.stringContaining('not counted'),
        },
      },
    });
    expect(textOf('deploy/a.yaml')).toBe(a.replace('1.2.3', '1.2.4'));
    expect(textOf('deploy/b.toml')).toBe(b.replace('1.2.3', '1.2.4'));
  });

  test('one refused edit, and no file changes; every refusal comes at once', async () => {
    const runtime = await open();
    const wrong = [editA, { ...editB, from: '9' }, { ...editA, key: '/image/tga' }];
    const report = await runtime.apply({ proposal: verdictOf(wrong), allow, evidence });
    expect(report).toMatchObject({
      outcome: 'rejected',
      applied: [],
      diffs: [],
      verdict: { classification: 'mechanical' },
    });
    expect(report.rejected.map(({ edit }) => edit)).toEqual([2, 3]);
    expect(report.receipt).toMatchObject({ outcome: 'failed', files: [], proposal: { outcome: 'rejected' } });
    expect([textOf('deploy/a.yaml'), textOf('deploy/b.toml')]).toEqual([a, b]);
  });

  test('a verdict of which every edit was refused escalates', async () => {
    const report = await (await open()).apply({ proposal: both, allow });
    expect(report).toMatchObject({ outcome: 'rejected', verdict: { classification: 'escalate' } });
  });

  test('what is there already is success', async () => {
    const runtime = await open();
    await runtime.apply({ proposal: both, allow, evidence });
    expect(await runtime.apply({ proposal: both, allow, evidence })).toMatchObject({ outcome: 'already', diffs: [] });
  });

  test.each(['escalate', 'no_action'] as const)('%s is passed on, and nothing is looked at', async (classification) => {
    const report = await (await open()).apply({ proposal: verdictOf([], { classification }), allow });
    expect(report).toMatchObject({ outcome: classification, applied: [] });
  });

  test('a dry run shows the diffs, asks nobody and writes nothing', async () => {
    const runtime = await open(asking(false));
    const report = await runtime.apply({ proposal: both, allow, evidence, dryRun: true });
    expect(report.outcome).toBe('planned');
    expect(report.diffs.map(({ path }) => path)).toEqual(['deploy/a.yaml', 'deploy/b.toml']);
    expect(report.diffs[0]?.diff).toContain('+  tag: 1.2.4 # here');
    expect(questions).toEqual([]);
    expect(textOf('deploy/a.yaml')).toBe(a);
  });

  test('under a policy one question is asked for the whole set', async () => {
    const runtime = await open(asking(true));
    expect(await runtime.apply({ proposal: both, allow, evidence })).toMatchObject({ outcome: 'applied' });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toMatchObject({ action: 'apply of 2 files', level: 'moderate' });
    expect(questions[0]?.files.map(({ diff }) => diff).join('')).toContain('+tag = "1.2.4"');
  });

  test('a no leaves every file and takes no attempt', async () => {
    const runtime = await open(asking(false));
    const applying = runtime.apply({ proposal: both, allow, evidence, change: 'pr-1' });
    await expect(applying).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(textOf('deploy/a.yaml')).toBe(a);
    expect(await runtime.apply({ proposal: both, allow, evidence, change: 'pr-1', dryRun: true })).toMatchObject({
      attempts: { used: 0 },
    });
  });

  test('a file that changes while the question is open stops the set before its first file', async () => {
    const runtime = await open(asking(true, () => writeFileSync(join(root, 'deploy/b.toml'), 'tag = "1.2.3"\n')));
    const applying = runtime.apply({ proposal: both, allow, evidence, change: 'pr-1' });
    await expect(applying).rejects.toMatchObject({ code: 'CHANGED_SINCE_READ' });
    expect(textOf('deploy/a.yaml')).toBe(a);
  });

  test('--allow is no yes where a policy decides, and none beyond its ceiling', async () => {
    const nobody = await open({ policy });
    await expect(nobody.apply({ proposal: both, allow, evidence })).rejects.toMatchObject({ code: 'APPROVAL_NEEDED' });
    const low = await open({ mode: 'safe', policy: { porthole: 1 } });
    await expect(low.apply({ proposal: both, allow, evidence })).rejects.toMatchObject({ code: 'MODE_SAFE' });
    const denied = await open({ policy: { ...policy, permissions: { deny: ['apply(deploy/b.toml)'] } } });
    await expect(denied.apply({ proposal: both, allow, evidence })).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(textOf('deploy/a.yaml')).toBe(a);
  });

  test('a refusal does not quote a file whose reading needs a yes', async () => {
    const runtime = await open({ policy: { ...policy, permissions: { ask: ['file_read(deploy/b.toml)'] } } });
    const proposal = verdictOf([
      { ...editB, from: 'a guess' },
      { ...editA, from: 'a guess' },
    ]);
    const report = await runtime.apply({ proposal, allow, evidence });
    expect(report.rejected.map(({ message }) => message)).toEqual([
      'the file does not hold what the edit names',
      expect.stringContaining('holds "1.2.3"'),
    ]);
  });

  test.each([
    ['needs a yes', { ask: ['read(deploy/b.toml)'], allow: ['apply(**)'] }],
    ['is denied', { deny: ['read(deploy/b.toml)'], allow: ['apply(**)'] }],
  ])('no diff shows the lines around a change of a file whose reading %s', async (_name, permissions) => {
    const runtime = await open({ policy: { ...policy, permissions } });
    for (const dryRun of [true, false]) {
      const report = await runtime.apply({ proposal: both, allow, evidence, dryRun });
      expect(report.diffs).toEqual([
        { path: 'deploy/a.yaml', diff: expect.stringContaining('# pinned') },
        { path: 'deploy/b.toml', diff: '' },
      ]);
      expect(JSON.stringify(report)).not.toContain('8080');
    }
  });

  test.each([
    ['a linked file', 'deploy/l.yaml', 'path goes through a link'],
    ['a linked directory', 'other/a.yaml', 'path goes through a link'],
    ['a link that leads nowhere', 'deploy/n.yaml', 'path goes through a link'],
    ['a link that leads out', 'deploy/o.yaml', 'path goes through a link'],
    ['no file', 'deploy/none.yaml', 'file not found'],
    ['no directory', 'deploy/none/a.yaml', 'file not found'],
    ['a directory', 'deploy/d.yaml', 'it is a directory'],
    ['a read-only file', 'deploy/r.yaml', 'read-only'],
    ['a file of the CI', '.github/workflows/ci.yml', 'path is denied (.github/**)'],
    ['a denied file', 'deploy/deny.yaml', 'path is denied (deploy/deny.*)'],
    ['the state directory', '.state/porthole/attempts.json', 'path is denied'],
    ['a way up', '../a.yaml', '".."'],
  ])('%s is refused', async (_name, path, words) => {
    symlinkSync('a.yaml', join(root, 'deploy/l.yaml'));
    symlinkSync('nowhere.yaml', join(root, 'deploy/n.yaml'));
    symlinkSync('/etc/hostname', join(root, 'deploy/o.yaml'));
    symlinkSync('deploy', join(root, 'other'));
    mkdirSync(join(root, 'deploy/d.yaml'));
    writeFileSync(join(root, 'deploy/r.yaml'), a);
    chmodSync(join(root, 'deploy/r.yaml'), 0o444);
    const runtime = await open();
    const report = await runtime.apply({
      proposal: verdictOf([editA, { ...editA, path }]),
      allow: ['**'],
      deny: ['deploy/deny.*'],
      evidence,
    });
    expect(report.outcome).toBe('rejected');
    expect(report.rejected.at(-1)?.message).toContain(words);
    expect(textOf('deploy/a.yaml')).toBe(a);
  });

  test('a scope leaves only its paths', async () => {
    const report = await (await open()).apply({ proposal: both, allow, evidence, scope: ['deploy/a.yaml'] });
    expect(report.rejected).toMatchObject([{ edit: 2, message: 'path is outside this change' }]);
  });

  test('attempts are counted across runtimes, on record before anything is written, and run out', async () => {
    const change = 'pr-7';
    for (const used of [1, 2]) {
      const runtime = await open();
      writeFileSync(join(root, 'deploy/a.yaml'), a);
      const report = await runtime.apply({ proposal: verdictOf([editA]), allow, evidence, change });
      expect(report.attempts).toEqual({ change, used, max: 2, recorded: true });
    }
    writeFileSync(join(root, 'deploy/a.yaml'), a);
    const runtime = await open();
    const spent = runtime.apply({ proposal: verdictOf([editA]), allow, evidence, change });
    await expect(spent).rejects.toMatchObject({ code: 'ATTEMPTS_SPENT' });
    expect(textOf('deploy/a.yaml')).toBe(a);
    const more = await runtime.apply({ proposal: verdictOf([editA]), allow, evidence, change, maxAttempts: 3 });
    expect(more.attempts).toMatchObject({ used: 3, max: 3 });
  });

  test('a refusal at the first look takes no attempt', async () => {
    const runtime = await open();
    const report = await runtime.apply({ proposal: both, allow, change: 'pr-8' });
    expect(report).toMatchObject({ outcome: 'rejected', attempts: { used: 0, recorded: false } });
  });

  test('an attempt that cannot be recorded stops the write', async () => {
    const attempts: AttemptStore = {
      used: () => Promise.resolve(0),
      take: () => Promise.reject(new Error('label gone')),
    };
    const runtime = await open();
    const applying = runtime.apply({ proposal: both, allow, evidence, change: 'pr-9', attempts });
    await expect(applying).rejects.toThrow('label gone');
    expect(textOf('deploy/a.yaml')).toBe(a);
  });

  test('a write that fails half-way is undone', async () => {
    const runtime = await open(asking(true));
    // The last moment somebody can come between: behind the look at every file, before the first write.
    const attempts: AttemptStore = {
      used: () => Promise.resolve(0),
      take: () => {
        writeFileSync(join(root, 'deploy/b.toml'), 'tag = "1.2.3"\n# other\n');
        return Promise.resolve(1);
      },
    };
    const applying = runtime.apply({ proposal: both, allow, evidence, change: 'x', attempts });
    await expect(applying).rejects.toMatchObject({ code: 'CHANGED_SINCE_READ' });
    expect(textOf('deploy/a.yaml')).toBe(a);
    expect(textOf('deploy/b.toml')).toContain('# other');
  });

  test('two sets on the same files take turns', async () => {
    const runtime = await open();
    const back = verdictOf([
      { ...editA, from: '1.2.4', to: '1.2.3' },
      { ...editB, from: '1.2.4', to: '1.2.3' },
    ]);
    const texts = [{ name: 'x', text: '1.2.3 1.2.4' }];
    const ends = await Promise.all([
      runtime.apply({ proposal: both, allow, evidence: texts }),
      runtime.apply({ proposal: both, allow, evidence: texts }),
      runtime.apply({ proposal: back, allow, evidence: texts }),
    ]);
    expect(ends.map(({ outcome }) => outcome)).toContain('applied');
    expect(textOf('deploy/a.yaml').includes('1.2.4')).toBe(textOf('deploy/b.toml').includes('1.2.4'));
  });

  test.each([
    ['no allowlist', { proposal: both, allow: [] }, 'ARGUMENT_INVALID'],
    ['a verdict that is none', { proposal: { edits: [] }, allow }, 'VERDICT_INVALID'],
    ['an unknown option', { proposal: both, allow, alow: [] }, 'ARGUMENT_INVALID'],
    ['a cap without a change', { proposal: both, allow, maxAttempts: 2 }, 'ARGUMENT_INVALID'],
    ['an empty change', { proposal: both, allow, change: ' ' }, 'ARGUMENT_INVALID'],
    ['no attempts at all', { proposal: both, allow, change: 'x', maxAttempts: 0 }, 'ARGUMENT_INVALID'],
    ['evidence that is none', { proposal: both, allow, evidence: ['text'] }, 'ARGUMENT_INVALID'],
    ['a store that is none', { proposal: both, allow, change: 'x', attempts: {} }, 'ARGUMENT_INVALID'],
  ])('%s is refused', async (_name, options, code) => {
    const runtime = await open();
    await expect(runtime.apply(options as never)).rejects.toMatchObject({ code });
  });

  test('needs a root, and a runtime that is open', async () => {
    const rootless = await createRuntime();
    await expect(rootless.apply({ proposal: both, allow })).rejects.toMatchObject({ code: 'ROOT_INVALID' });
    await rootless.close();
    await expect(rootless.apply({ proposal: both, allow })).rejects.toMatchObject({ code: 'RUNTIME_CLOSED' });
    await expect(rootless.propose({ goal: 'x', provider: 'y', allow })).rejects.toMatchObject({
      code: 'RUNTIME_CLOSED',
    });
  });
});

describe('propose()', () => {
  async function openWithProvider(
    kind: 'anthropic' | 'openai',
    steps: ModelServerOptions['steps'],
    more: PolicyInput = policy,
  ) {
    const server = await startModelServer({ steps, key });
    servers.push(server);
    const desk = { kind, baseUrl: server.url, model: 'm1', apiKeyEnv: 'DESK_KEY' };
    const runtime = await open({ policy: { ...more, providers: { desk } } });
    return { runtime, server };
  }

  const asked = { goal: 'Move to the new release.', provider: 'desk', allow, evidence };

  test.each(['anthropic', 'openai'] as const)(
    '%s: gives the verdict, what it would do, and what it took',
    async (kind) => {
      const { runtime, server } = await openWithProvider(kind, [{ answer: both }]);
      const report = await runtime.propose(asked);
      expect(report).toMatchObject({
        verdict: both,
        applied: [{ edit: 1 }, { edit: 2 }],
        rejected: [],
        provider: 'desk',
        model: 'm1',
        usage: { inputTokens: 120, outputTokens: 30, requests: 1 },
        receipt: {
          reads: [{ path: 'deploy/a.yaml' }, { path: 'deploy/b.toml' }],
          files: [],
          proposal: { provider: 'desk', model: 'm1', inputTokens: 120, outputTokens: 30, requests: 1 },
        },
      });
      const sent = JSON.stringify(server.requests[0]?.body);
      expect(sent).toContain('Release 1.2.4 is out.');
      expect(sent).toContain('/image/tag');
      expect(sent).not.toContain(key);
      expect(textOf('deploy/a.yaml')).toBe(a);
      expect(await runtime.apply({ proposal: report.verdict, allow, evidence }).catch(({ code }) => code)).toBe(
        'APPROVAL_NEEDED',
      );
    },
  );

  test('shows a model the files that the allowlist covers and no other', async () => {
    writeFileSync(join(root, 'secret.yaml'), 'password: hunter2\n');
    writeFileSync(join(root, 'deploy/c.yaml'), 'password: hunter3\n');
    mkdirSync(join(root, '.github'));
    writeFileSync(join(root, '.github/ci.yml'), 'password: hunter4\n');
    const permissions = { deny: ['file_read(deploy/c.yaml)'] };
    const { runtime, server } = await openWithProvider('openai', [{ answer: both }], { ...policy, permissions });
    const report = await runtime.propose({ ...asked, allow: ['deploy/**', '.github/**'] });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('hunter');
    expect(report.left).toMatchObject([{ path: 'deploy/c.yaml' }]);
  });

  test('sends refusals back once, and takes what comes then', async () => {
    const invented = verdictOf([{ ...editA, to: '1.9.9' }, editB]);
    const { runtime, server } = await openWithProvider('anthropic', [{ answer: invented }, { answer: both }]);
    expect(await runtime.propose(asked)).toMatchObject({ verdict: both, rejected: [] });
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('refusing an invented version');
    const again = await openWithProvider('anthropic', [{ answer: invented }, { answer: invented }]);
    expect(await again.runtime.propose(asked)).toMatchObject({
      rejected: [{ edit: 1 }],
      verdict: { classification: 'mechanical' },
    });
  });

  test('a verdict of which every edit would be refused escalates', async () => {
    const wrong = { answer: verdictOf([{ ...editA, to: '1.9.9' }]) };
    const { runtime } = await openWithProvider('openai', [wrong, wrong]);
    expect(await runtime.propose(asked)).toMatchObject({ verdict: { classification: 'escalate' } });
  });

  test('goes on after a limit, a cut connection and an invalid verdict', async () => {
    const steps = [
      { status: 429, headers: { 'retry-after': '0' } },
      { answer: both, cut: 'within the body' as const },
      { answer: {} },
      { answer: both },
    ];
    const { runtime } = await openWithProvider('anthropic', steps);
    expect(await runtime.propose(asked)).toMatchObject({ verdict: both, usage: { requests: 4 } });
  });

  test('a change whose attempts are spent costs nothing', async () => {
    const { runtime, server } = await openWithProvider('openai', [{ answer: both }]);
    const attempts: AttemptStore = { used: () => Promise.resolve(2), take: () => Promise.resolve(undefined) };
    const proposing = runtime.propose({ ...asked, change: 'pr', attempts });
    await expect(proposing).rejects.toMatchObject({ code: 'ATTEMPTS_SPENT' });
    expect(server.requests).toEqual([]);
  });

  test('the key appears in no event of the log', async () => {
    const server = await startModelServer({ steps: [{ status: 401, error: `bad key ${key}` }], key });
    servers.push(server);
    const path = join(root, 'log.jsonl');
    const desk = { kind: 'openai' as const, baseUrl: server.url, model: 'm1', apiKeyEnv: 'DESK_KEY' };
    const runtime = await open({
      policy: { ...policy, providers: { desk }, audit: { content: true } },
      audit: { path },
    });
    await expect(runtime.propose(asked)).rejects.toMatchObject({ code: 'PROVIDER_AUTH' });
    await runtime.close();
    expect(readFileSync(path, 'utf8')).not.toContain(key);
  });

  test('ends when it is aborted', async () => {
    const { runtime } = await openWithProvider('openai', [{ answer: both, waitMs: 5000 }]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(runtime.propose({ ...asked, signal: stop.signal })).rejects.toThrow('enough');
  });

  test.each([
    ['no such provider', { provider: 'dsk' }, 'desk?'],
    ['nothing to choose from', { allow: ['none/**'] }, '--allow'],
    ['no goal', { goal: ' ' }, 'arguments'],
  ])('%s is refused before anybody is paid', async (_name, changes, hint) => {
    const { runtime, server } = await openWithProvider('openai', []);
    await expect(runtime.propose({ ...asked, ...changes })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      hint: expect.stringContaining(hint),
    });
    expect(server.requests).toEqual([]);
  });

  test('without providers in the policy it says where they go', async () => {
    const runtime = await open({ policy });
    await expect(runtime.propose(asked)).rejects.toMatchObject({ hint: expect.stringContaining('under providers') });
  });
});
