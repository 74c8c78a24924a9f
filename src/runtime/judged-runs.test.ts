import {
  existsSync,
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
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { GrantScope } from '../contract/action.ts';
import type { RunOutcome } from '../contract/outcome.ts';
import type { Question } from '../policy/approver.ts';
import { createRuntime } from './create-runtime.ts';
import type { Runtime } from './runtime.ts';
import type { RuntimeOptions } from './runtime-options.ts';

type Said = boolean | GrantScope;

const context = { _unsafe_mode: true };

let root: string;
let questions: Question[];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'porthole-judged-')));
  for (const name of ['docs', 'src', '.git']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'docs/a.md'), 'one\ntwo\n');
  writeFileSync(join(root, 'src/a.ts'), 'one\ntwo\n');
  writeFileSync(join(root, '.env'), 'KEY=1\n');
  questions = [];
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const textOf = (name: string) => readFileSync(join(root, name), 'utf8');

interface Choices extends Omit<RuntimeOptions, 'root' | 'approve'> {
  /** What the person says; who is not given is not there. */
  readonly says?: Said | ((question: Question) => Said | Promise<Said>);
}

async function open({ says, ...options }: Choices = {}): Promise<Runtime> {
  const approve = async (question: Question): Promise<Said> => {
    questions.push(question);
    return typeof says === 'function' ? await says(question) : (says ?? false);
  };
  const asking = says === undefined ? {} : { approve };
  const runtime = await createRuntime({ root, mode: 'unsafe', workers: 1, ...options, ...asking });
  onTestFinished(runtime.close);
  return runtime;
}

const write = (path: string) => `try { return write_file('${path}', 'new') } catch (error) { return error.code }`;
const read = (path: string) => `try { return read_file('${path}') } catch (error) { return error.code }`;

async function valueIn(runtime: Runtime, source: string, given: object = context): Promise<unknown> {
  const outcome = await runtime.run({ source, context: given as Readonly<Record<string, unknown>> });
  return outcome.status === 'completed' ? outcome.value : 'code' in outcome ? outcome.code : outcome.status;
}

async function codeOf(runtime: Runtime, name: string, args: object, given: object = context): Promise<string> {
  const answer = await runtime.callTool(name, args, { context: given as Readonly<Record<string, unknown>> });
  return answer.ok ? 'done' : answer.error.code;
}

const edit = (path: string) => ({ path, mode: 'replace', line: 2, content: 'TWO' });
const allowing = { porthole: 1, mode: 'unsafe', permissions: { allow: ['run(**)', 'read(**)', 'write(**)'] } } as const;
const asking = { porthole: 1, mode: 'unsafe', permissions: { allow: ['run(**)'] } } as const;

describe('the eleven lines, in runs and tools', () => {
  it('1: what is protected is refused, whatever else is allowed; its neighbour is not', async () => {
    const policy = { ...allowing, protectedPaths: ['docs/**'] };
    const runtime = await open({ policy, says: true });
    expect(await valueIn(runtime, write('docs/a.md'))).toBe('PATH_PROTECTED');
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'))).toBe('PATH_PROTECTED');
    expect(await valueIn(runtime, write('src/a.ts'))).toBe(3);
    expect(await codeOf(runtime, 'file_read', { path: 'docs/a.md' })).toBe('done');
  });

  it('1: who protects a path is said: the pattern of the policy, the option, or porthole itself', async () => {
    const guarded = { policy: { ...allowing, protectedPaths: ['docs/**'] }, protectedPaths: [join(root, 'src')] };
    const runtime = await open({ ...guarded, audit: { path: join(root, 'log') } });
    const own = 'it belongs to porthole itself, which edits never change';
    for (const [path, reason] of [
      ['docs/a.md', 'protectedPaths of the policy covers it: docs/**'],
      ['src/a.ts', "protectedPaths of the runtime's options covers it"],
      ['log', own],
      ['log.lock', own],
    ] as const) {
      const source = `try { write_file('${path}', '') } catch (error) { return error.message }`;
      expect(await valueIn(runtime, source)).toBe(`write_file("${path}"): ${reason}`);
      const answer = await runtime.callTool('edit_file', { path, mode: 'write', content: '' }, { context });
      expect(answer.text).toBe(`error: cannot write ${path}: ${reason}`);
      const written = await runtime.callTool('file_write', { path, content: '' }, { context });
      expect(written.text).toBe(`[FILE_WRITE_ERROR] PATH_PROTECTED: Cannot write "${path}": ${reason}`);
    }
  });

  it('2: the mode comes before flag and rules', async () => {
    const runtime = await open({ mode: 'safe', policy: allowing, says: true });
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'), {})).toBe('MODE_SAFE');
    expect(await codeOf(runtime, 'file_write', { path: 'a', content: '' })).toBe('MODE_SAFE');
    expect(await valueIn(runtime, 'return typeof write_file')).toBe('undefined');
    expect(await codeOf(runtime, 'file_read', { path: 'docs/a.md' })).toBe('done');
  });

  it('3: the flag comes before rules, and no rule stands in for it', async () => {
    const runtime = await open({
      policy: { ...allowing, permissions: { ...allowing.permissions, deny: ['write(**)'] } },
    });
    expect(await valueIn(runtime, write('docs/a.md'), {})).toBe('UNSAFE_FLAG_MISSING');
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'), {})).toBe('UNSAFE_FLAG_MISSING');
    expect(await valueIn(runtime, write('docs/a.md'))).toBe('POLICY_DENIED');
  });

  it('4: a deny rule is final, for a helper as for its tool, and for a link that leads there', async () => {
    symlinkSync('src', join(root, 'way'));
    const permissions = { ...allowing.permissions, deny: ['write(src/**)', 'read(.env)'] };
    const runtime = await open({ policy: { ...allowing, permissions }, says: true });
    for (const path of ['src/a.ts', 'way/a.ts']) {
      expect(await valueIn(runtime, write(path))).toBe('POLICY_DENIED');
      expect(await codeOf(runtime, 'edit_file', edit(path))).toBe('POLICY_DENIED');
    }
    expect(await valueIn(runtime, read('.env'))).toBe('POLICY_DENIED');
    expect(await codeOf(runtime, 'file_read', { path: '.env', view: 'lines' })).toBe('POLICY_DENIED');
    expect(questions).toEqual([]);
    expect(textOf('src/a.ts')).toBe('one\ntwo\n');
  });

  it('5: what is dangerous is asked about, whatever rules and flags say', async () => {
    const refused = await open({ policy: allowing });
    expect(await valueIn(refused, read('.env'))).toBe('APPROVAL_NEEDED');
    expect(await valueIn(refused, write('.git/config'))).toBe('APPROVAL_NEEDED');
    const fileless = await open({ says: true });
    expect(await valueIn(fileless, read('.env'))).toBe('KEY=1\n');
    expect(await valueIn(fileless, write('.git/config'))).toBe(3);
    expect(await codeOf(fileless, 'file_read', { path: '.env' })).toBe('done');
    const secret = 'the path is one where credentials are kept: only a person answers it';
    const hook = 'git runs what its directory says at the next git command: only a person answers it';
    expect(questions.map(({ level, reason, scopes }) => [level, reason, scopes])).toEqual([
      ['dangerous', secret, ['once', 'run']],
      ['dangerous', hook, ['once', 'run']],
      ['dangerous', secret, ['once']],
    ]);
  });

  it('6 and 7: an ask rule comes before an allow rule', async () => {
    const permissions = { ...allowing.permissions, ask: ['edit_file(src/**)'] };
    const runtime = await open({ policy: { ...allowing, permissions }, says: true });
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'))).toBe('done');
    expect(questions).toEqual([]);
    expect(await codeOf(runtime, 'edit_file', edit('src/a.ts'))).toBe('done');
    expect(questions).toMatchObject([{ action: 'edit_file replace src/a.ts', reason: 'rule ask edit_file(src/**)' }]);
  });

  it('8: what lies below the threshold needs no question', async () => {
    const policy = { ...asking, approval: { threshold: 'dangerous' } } as const;
    expect(await valueIn(await open({ policy }), write('docs/a.md'))).toBe(3);
    expect(await valueIn(await open({ policy: asking }), write('docs/b.md'))).toBe('APPROVAL_NEEDED');
  });

  it('9: a grant given in this run answers what is like it, and ends with the run', async () => {
    const runtime = await open({ policy: asking, says: 'run' });
    const source = "write_file('docs/1', ''); write_file('docs/2', ''); return write_file('docs/3', '')";
    expect(await valueIn(runtime, source)).toBe(0);
    expect(questions).toHaveLength(1);
    expect(await valueIn(runtime, source)).toBe(0);
    expect(questions).toHaveLength(2);
  });

  it('10: without a policy the flags of the operator are a yes, and nobody is asked', async () => {
    const runtime = await open({ says: false });
    expect(await valueIn(runtime, write('docs/a.md'))).toBe(3);
    expect(await codeOf(runtime, 'edit_file', edit('src/a.ts'))).toBe('done');
    expect(questions).toEqual([]);
  });

  it('10: with a policy they are not', async () => {
    const runtime = await open({ policy: asking, says: false });
    expect(await valueIn(runtime, write('docs/a.md'))).toBe('APPROVAL_DENIED');
    expect(questions).toHaveLength(1);
  });

  it('11: everything else is asked about, the run itself as well', async () => {
    const policy = { porthole: 1, mode: 'unsafe' } as const;
    const outcome = await (await open({ policy, says: false })).run({ source: 'return 1' });
    expect(outcome).toMatchObject({ status: 'denied', code: 'APPROVAL_DENIED' });
    const shown = { arguments: '{"file":"program.js","source":"return 1"}' };
    expect(questions).toMatchObject([{ action: expect.stringMatching(/^run unsafe sha256:[0-9a-f]{64}$/), ...shown }]);
    expect(await (await open({ policy })).run({ source: 'return 1' })).toMatchObject({ code: 'APPROVAL_NEEDED' });
    expect(await valueIn(await open({ policy, says: true }), 'return 1')).toBe(1);
    expect(await valueIn(await open({ policy, mode: 'safe' }), 'return 1')).toBe(1);
  });
});

describe('a question', () => {
  it('shows exactly what will land, and the yes lets that land', async () => {
    const runtime = await open({ policy: asking, says: true });
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'))).toBe('done');
    expect(questions).toMatchObject([
      {
        action: 'edit_file replace docs/a.md',
        level: 'moderate',
        root,
        files: [{ path: 'docs/a.md', change: 'modify', bytesBefore: 8, bytesAfter: 8 }],
      },
    ]);
    expect(questions[0]?.files[0]?.diff).toContain('-two\n+TWO\n');
    expect(textOf('docs/a.md')).toBe('one\nTWO\n');
  });

  it.each([
    ['the helper', (runtime: Runtime) => valueIn(runtime, write('docs/a.md'))],
    ['file_write', (runtime: Runtime) => codeOf(runtime, 'file_write', { path: 'docs/a.md', content: 'new' })],
    ['edit_file', (runtime: Runtime) => codeOf(runtime, 'edit_file', edit('docs/a.md'))],
  ])('is no answer any more once the file has changed: %s', async (_, act) => {
    const says = () => {
      writeFileSync(join(root, 'docs/a.md'), 'by somebody else\n');
      return true;
    };
    expect(await act(await open({ policy: asking, says }))).toBe('CHANGED_SINCE_READ');
    expect(textOf('docs/a.md')).toBe('by somebody else\n');
  });

  it('is no answer any more once the policy file has changed', async () => {
    const file = join(root, '..', `${root.split('/').at(-1)}.yaml`);
    onTestFinished(() => rmSync(file));
    writeFileSync(file, 'porthole: 1\nmode: unsafe\n');
    const says = () => {
      writeFileSync(file, 'porthole: 1\nmode: safe\n');
      return true;
    };
    expect(await codeOf(await open({ policy: file, says }), 'edit_file', edit('docs/a.md'))).toBe('CHANGED_SINCE_READ');
  });

  it('refuses where nobody answers in time', async () => {
    const policy = { ...asking, approval: { timeoutMs: 30 } };
    const runtime = await open({ policy, says: () => new Promise(() => undefined) });
    const answer = await runtime.callTool('edit_file', edit('docs/a.md'), { context });
    expect(answer).toMatchObject({ ok: false, text: 'error: edit not approved: timed out' });
  });

  it('is answered with no by a callback that fails', async () => {
    const says = () => Promise.reject(new Error('the chat is down'));
    const runtime = await open({ policy: asking, says });
    expect((await runtime.callTool('edit_file', edit('docs/a.md'), { context })).text).toBe(
      'error: edit not approved: the approver failed: the chat is down',
    );
  });

  it('is not kept for what is dangerous, however wide the yes was', async () => {
    const runtime = await open({ says: 'always' });
    const source = "return read_file('.env') + read_file('.env')";
    expect(await valueIn(runtime, source)).toBe('KEY=1\nKEY=1\n');
    expect(questions).toHaveLength(1);
    expect(await valueIn(runtime, source)).toBe('KEY=1\nKEY=1\n');
    expect(questions).toHaveLength(2);
  });

  it('is kept for a root where that was said, and answers other runtimes', async () => {
    await valueIn(await open({ policy: asking, says: 'project' }), write('docs/a.md'));
    expect(questions).toHaveLength(1);
    expect(await valueIn(await open({ policy: asking }), write('docs/b.md'))).toBe(3);
    expect(await codeOf(await open({ policy: asking }), 'edit_file', edit('src/a.ts'))).toBe('APPROVAL_NEEDED');
  });

  it('does not cost the run its time', async () => {
    const later = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(true), 700));
    const runtime = await open({ policy: asking, says: later });
    const source =
      "write_file('docs/a.md', 'x'); const end = Date.now() + 150; while (Date.now() < end); return 'in time'";
    const outcome = await runtime.run({ source, context, limits: { timeMs: 400 } });
    expect(outcome).toMatchObject({ status: 'completed', value: 'in time' });
    expect(outcome.usage.wallMs).toBeGreaterThan(700);
    const looping = "write_file('docs/a.md', 'x'); for (;;);";
    expect(await runtime.run({ source: looping, context, limits: { timeMs: 400 } })).toMatchObject({ limit: 'time' });
  });

  it('ends within 50 ms of an abort, and nothing lands later', async () => {
    const controller = new AbortController();
    const seen: AbortSignal[] = [];
    const asked = withResolvers();
    const approve = (question: Question, signal: AbortSignal): Promise<boolean> => {
      questions.push(question);
      seen.push(signal);
      asked.resolve(undefined);
      return new Promise((resolve) => setTimeout(() => resolve(true), 300));
    };
    const runtime = await createRuntime({ root, mode: 'unsafe', workers: 1, policy: asking, approve });
    onTestFinished(runtime.close);
    const running = runtime.run({ source: write('docs/a.md'), context, signal: controller.signal });
    await asked.promise;
    const abortedAt = performance.now();
    controller.abort('enough');
    expect(await running).toMatchObject({ status: 'aborted', reason: 'enough' });
    expect(performance.now() - abortedAt).toBeLessThan(50);
    expect(seen[0]?.aborted).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(textOf('docs/a.md')).toBe('one\ntwo\n');
    expect(await valueIn(runtime, 'return 1')).toBe(1);
  });

  it('is not waited for behind another one, once the call was given up', async () => {
    const controller = new AbortController();
    const runtime = await open({ policy: asking, says: () => new Promise<boolean>(() => undefined) });
    const first = runtime.callTool('edit_file', edit('docs/a.md'), { context });
    while (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = runtime.callTool('edit_file', edit('src/a.ts'), { context, signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const abortedAt = performance.now();
    controller.abort();
    expect((await second).text).toBe('error: edit not approved: the run was aborted');
    expect(performance.now() - abortedAt).toBeLessThan(50);
    expect(questions).toHaveLength(1);
    await runtime.close();
    expect(await first).toMatchObject({ ok: false, error: { code: 'APPROVAL_DENIED' } });
  });

  it('about a program ends the run when it is aborted, not denied', async () => {
    const controller = new AbortController();
    const says = () => {
      controller.abort('enough');
      return new Promise<boolean>(() => undefined);
    };
    const runtime = await open({ policy: { porthole: 1, mode: 'unsafe' }, says });
    const outcome = await runtime.run({ source: 'return 1', signal: controller.signal });
    expect(outcome).toMatchObject({ status: 'aborted', reason: 'enough', receipt: { outcome: 'aborted' } });
  });

  it('does not outlive the runtime', async () => {
    const runtime = await open({ policy: asking, says: () => new Promise(() => undefined) });
    const running = runtime.run({ source: write('docs/a.md'), context });
    while (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const calling = runtime.callTool('edit_file', edit('src/a.ts'), { context });
    await runtime.close();
    expect(await running).toMatchObject({ status: 'aborted' });
    expect(await calling).toMatchObject({ ok: false, error: { code: 'APPROVAL_DENIED' } });
  });
});

describe('edit_file and secrets', () => {
  it('shows nothing in a dry run of what reading would be asked about', async () => {
    const runtime = await open({ says: true });
    const call = { path: '.env', mode: 'replace', line: 1, content: 'KEY=2', dry_run: true };
    const answer = await runtime.callTool('edit_file', call, { context });
    expect(answer).toMatchObject({ ok: false, error: { code: 'APPROVAL_NEEDED' } });
    expect(questions).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('KEY=1');
    expect(await codeOf(runtime, 'edit_file', { ...call, path: 'docs/a.md' })).toBe('done');
    expect(textOf('docs/a.md')).toBe('one\ntwo\n');
  });

  it('quotes nothing of it in a refusal', async () => {
    const runtime = await open({ says: true });
    for (const call of [
      { path: '.env', mode: 'replace', line: 1, find: 'x', content: '' },
      { path: '.env', mode: 'replace', find: 'key=1', content: '' },
    ]) {
      const answer = await runtime.callTool('edit_file', call, { context });
      expect(answer).toMatchObject({ ok: false, error: { code: /LINE_MISMATCH|FIND_NOT_FOUND/ } });
      expect(JSON.stringify(answer)).not.toContain('KEY=1');
      const open = await runtime.callTool('edit_file', { ...call, path: 'docs/a.md', find: 'ONE' }, { context });
      expect(open.text).toContain('one');
    }
  });
});

describe('writes at once', () => {
  it('all land, from runs and tools alike', async () => {
    writeFileSync(join(root, 'log'), '');
    const one = await open({ workers: 3, policy: asking, says: true });
    const other = await open({ workers: 1 });
    const append = (runtime: Runtime, text: string) =>
      runtime.run({ source: `write_file('log', '${text}', 'a')`, context });
    await Promise.all([
      append(one, '1'),
      append(one, '2'),
      append(one, '3'),
      append(other, '4'),
      one.callTool('file_write', { path: 'log', content: '5', mode: 'a' }, { context }),
      other.callTool('edit_file', { path: 'log', mode: 'append', content: '6' }, { context }),
    ]);
    expect([...textOf('log')].sort().join('')).toBe('123456');
  });

  it('do not happen after the end of the run that waited for its turn', async () => {
    const controller = new AbortController();
    const answers: ((said: boolean) => void)[] = [];
    const says = () => new Promise<boolean>((resolve) => answers.push(resolve));
    const runtime = await open({ workers: 2, policy: asking, says });
    const first = runtime.run({ source: write('docs/a.md'), context });
    while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = runtime.run({ source: "write_file('docs/a.md', 'late')", context, signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    expect(await second).toMatchObject({ status: 'aborted' });
    answers[0]?.(true);
    expect(await first).toMatchObject({ value: 3 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(answers).toHaveLength(1);
    expect(textOf('docs/a.md')).toBe('new');
  });
});

describe('tools and helpers that a policy leaves out', () => {
  it('do not exist', async () => {
    const runtime = await open({ policy: { ...allowing, tools: ['file_read', 'edit_file'] } });
    await expect(runtime.callTool('file_write', { path: 'a', content: '' }, { context })).rejects.toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Cannot call "file_write": there is no such tool',
    });
    expect(await valueIn(runtime, 'return [typeof read_file, typeof write_file].join()')).toBe('function,undefined');
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'))).toBe('done');
  });
});

describe('the classifier of the operator', () => {
  it('raises a level and never lowers one; a failing one counts as moderate', async () => {
    const levels = new Map<string, 'safe' | 'dangerous'>([['docs/a.md', 'dangerous']]);
    const runtime = await open({ classify: ({ path }) => levels.get(path) ?? 'safe' });
    expect(await codeOf(runtime, 'edit_file', edit('docs/a.md'))).toBe('APPROVAL_NEEDED');
    expect(await codeOf(runtime, 'edit_file', edit('src/a.ts'))).toBe('done');
    expect(await codeOf(runtime, 'file_write', { path: '.env', content: '' })).toBe('APPROVAL_NEEDED');
    const failing = await open({ mode: 'safe', classify: () => Promise.reject(new Error('down')) });
    expect(await valueIn(failing, 'return 1')).toBe('APPROVAL_NEEDED');
  });
});

describe('a run that tries to write the next run’s policy', () => {
  it.each(['porthole.policy.yaml', 'porthole.policy.yml', 'porthole.policy.json'])('is refused %s', async (name) => {
    const before = process.cwd();
    process.chdir(root);
    onTestFinished(() => process.chdir(before));
    const runtime = await open();
    expect(await valueIn(runtime, write(name))).toBe('PATH_PROTECTED');
    expect(await codeOf(runtime, 'edit_file', { path: name, mode: 'write', content: '' })).toBe('PATH_PROTECTED');
    expect(existsSync(join(root, name))).toBe(false);
    expect(await valueIn(runtime, write(`docs/${name}`))).toBe(3);
  });
});

describe('every outcome', () => {
  it.each<readonly [RunOutcome['status'], string, object]>([
    ['completed', "write_file('docs/a.md', ''); read_file('docs/a.md')", {}],
    ['failed', "write_file('docs/a.md', ''); throw 1", {}],
    ['failed', '}{', {}],
    ['limited', "write_file('docs/a.md', ''); for (;;);", { limits: { timeMs: 100 } }],
    ['aborted', '1', { signal: AbortSignal.abort() }],
    ['denied', '2', { context: { denied: true } }],
  ])('carries the receipt of what was done: %s by %s', async (status, source, more) => {
    const policy = { ...allowing, permissions: { ...allowing.permissions, deny: ['run(sha256:d4735e3a*)'] } };
    const runtime = await open({ policy });
    const outcome = await runtime.run({ source, context, ...more });
    expect(outcome).toMatchObject({ status, receipt: { run: outcome.runId, mode: 'unsafe', outcome: status } });
    const wrote = source.includes('write_file') && status !== 'aborted';
    expect(outcome.receipt.files.map(({ path }) => path)).toEqual(wrote ? ['docs/a.md'] : []);
    if (status === 'denied') expect(outcome.receipt.refusals).toMatchObject([{ action: 'run', code: 'POLICY_DENIED' }]);
  });
});

function withResolvers() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
