import { describe, expect, it } from 'vitest';
import type { GrantScope } from '../contract/action.ts';
import type { RecordEvent } from '../contract/audit-event.ts';
import type { Action } from './action.ts';
import type { Answer, Approver, Question } from './approver.ts';
import { createGate } from './gate.ts';
import type { DescribedFile, GateOptions, GateRequest, GateRun } from './gate-port.ts';
import { createMemoryGrantStore, type GrantStore } from './grants.ts';
import type { Policy } from './policy.ts';
import { parseRule } from './rules.ts';

const policy: Policy = {
  file: 'porthole.policy.yaml',
  digest: 'sha256:policy',
  ceiling: 'unsafe',
  rules: {
    deny: [parseRule('deny', 'write(**/*.lock)', { line: 1, column: 1 })],
    ask: [],
    allow: [parseRule('allow', 'write(docs/**)', { line: 2, column: 1 })],
  },
  threshold: 'moderate',
  protectedPaths: [],
};

const day = 24 * 60 * 60 * 1000;

// A gate whose approver answers from a list, with everything it recorded and was asked.
function createWorld(changes: Partial<GateOptions> & { readonly answers?: readonly Answer[] } = {}) {
  const { answers = [], ...options } = changes;
  const events: { kind: string; details: Record<string, unknown>; call: string | undefined }[] = [];
  const questions: Question[] = [];
  const left = [...answers];
  const time = { now: 0 };
  let ids = 0;
  const approver: Approver = (question) => {
    questions.push(question);
    return Promise.resolve(left.shift() ?? { decision: 'no' });
  };
  const record: RecordEvent = (kind, details, call) => void events.push({ kind, details: { ...details }, call });
  const gate = createGate({
    policy,
    root: '/root',
    approver,
    grants: createMemoryGrantStore(),
    timeoutMs: 1000,
    powers: {
      now: () => time.now,
      newId: () => `id${++ids}`,
      digestText: (text) => `digest of ${text.length}`,
      startTimer: () => () => undefined,
      policyDigestNow: () => 'sha256:policy',
    },
    ...options,
  });
  const openRun = (run: Partial<GateRun> = {}) =>
    gate.openRun({ id: 'run1', mode: 'unsafe', unsafeFlag: true, flags: {}, record, ...run });
  return { events, questions, time, openRun };
}

const edit = (path: string): Action => ({ name: 'edit_file', path, writeMode: 'replace' });
const yes = (scope: GrantScope): Answer => ({ decision: 'yes', scope, by: 'test' });

const described = (path: string): DescribedFile => ({
  file: { path, change: 'modify', executable: false, bytesBefore: 1, bytesAfter: 2, diff: `-a\n+b\n` },
  shown: {
    tool: 'edit_file',
    argumentsDigest: 'args',
    path,
    digestBefore: 'before',
    digestAfter: 'after',
    diffDigest: 'diff',
  },
});

const request = (path: string): GateRequest => ({
  actions: [edit(path)],
  call: 'c1',
  describe: () => [described(path)],
});

// Long enough for everything that waits for nothing but its turn in this process.
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('screen()', () => {
  it('refuses what no answer could allow, and records it', () => {
    const { events, openRun } = createWorld();
    expect(() => openRun().screen(edit('a.lock'), 'c1')).toThrow(expect.objectContaining({ code: 'POLICY_DENIED' }));
    expect(() => openRun({ mode: 'safe' }).screen(edit('a'))).toThrow(expect.objectContaining({ code: 'MODE_SAFE' }));
    expect(events.map(({ kind }) => kind)).toEqual(['policy.decision', 'policy.decision']);
    expect(events[0]).toMatchObject({
      call: 'c1',
      details: {
        action: 'edit_file replace a.lock',
        decision: 'deny',
        line: 4,
        code: 'POLICY_DENIED',
        rule: 'deny write(**/*.lock)',
      },
    });
  });

  it('settles an ordinary read without an event, and leaves a write for the question', () => {
    const { events, openRun } = createWorld();
    expect(openRun().screen({ name: 'file_read', path: 'a' })).toBe(true);
    expect(openRun().screen({ name: 'file_read', path: '.env' })).toBe(false);
    expect(openRun().screen(edit('a'))).toBe(false);
    expect(events).toEqual([]);
  });

  it('settles nothing that a classifier still has to see', () => {
    const run = { name: 'run', path: 'sha256:0' } as const;
    expect(createWorld().openRun({ mode: 'safe' }).screen(run)).toBe(true);
    expect(
      createWorld({ classifier: () => 'dangerous' })
        .openRun({ mode: 'safe' })
        .screen(run),
    ).toBe(false);
  });
});

describe('permit()', () => {
  it('allows by rule without a question, and records the decision', async () => {
    const { events, questions, openRun } = createWorld();
    expect((await openRun().permit(request('docs/a.md'))).wasAsked).toBe(false);
    expect(questions).toEqual([]);
    expect(events).toMatchObject([{ kind: 'policy.decision', details: { decision: 'allow', line: 7 } }]);
  });

  it('asks, and records question and answer', async () => {
    const { events, questions, openRun } = createWorld({ answers: [yes('once')] });
    const permission = await openRun().permit({ ...request('src/a.ts'), arguments: () => '{"path":"src/a.ts"}' });
    expect(permission.wasAsked).toBe(true);
    expect(questions).toMatchObject([
      {
        action: 'edit_file replace src/a.ts',
        level: 'moderate',
        root: '/root',
        arguments: '{"path":"src/a.ts"}',
        files: [{ path: 'src/a.ts', diff: '-a\n+b\n' }],
        scopes: ['once', 'run', 'project', 'always'],
      },
    ]);
    expect(events).toMatchObject([
      { kind: 'policy.decision', details: { decision: 'ask', line: 11 } },
      { kind: 'approval.asked', call: 'c1', details: { question: questions[0]?.id, files: 1 } },
      {
        kind: 'approval.answered',
        details: { question: questions[0]?.id, decision: 'yes', scope: 'once', by: 'test' },
      },
    ]);
  });

  it('binds the yes to what was shown, once', async () => {
    const { openRun } = createWorld({ answers: [yes('once')] });
    const permission = await openRun().permit(request('src/a.ts'));
    permission.use(described('src/a.ts').shown);
    expect(() => permission.use(described('src/a.ts').shown)).toThrow(
      expect.objectContaining({ code: 'APPROVAL_DENIED' }),
    );
  });

  it('refuses a yes once the policy file is another one', async () => {
    let digest = 'sha256:policy';
    const powers = { ...createPowers(), policyDigestNow: () => digest };
    const { openRun } = createWorld({ answers: [yes('once'), yes('once')], powers });
    const permission = await openRun().permit(request('src/a.ts'));
    permission.use(described('src/a.ts').shown);
    const other = await openRun().permit(request('src/b.ts'));
    digest = 'sha256:other';
    expect(() => other.use(described('src/b.ts').shown)).toThrow(
      expect.objectContaining({ code: 'CHANGED_SINCE_READ' }),
    );
  });

  it('refuses on a no', async () => {
    const { openRun, events } = createWorld({ answers: [{ decision: 'no', reason: 'timed out' }] });
    await expect(openRun().permit(request('src/a.ts'))).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
      message: 'Cannot write "src/a.ts": not approved (timed out)',
    });
    expect(events.at(-1)).toMatchObject({
      kind: 'approval.answered',
      details: { decision: 'no', reason: 'timed out' },
    });
  });

  it('refuses when there is nobody to ask', async () => {
    const { openRun, events } = createWorld({ approver: undefined });
    await expect(openRun().permit(request('src/a.ts'))).rejects.toMatchObject({ code: 'APPROVAL_NEEDED' });
    expect(events.at(-1)).toMatchObject({ kind: 'approval.answered', details: { decision: 'unavailable' } });
  });

  it('does not ask when the question cannot be recorded', async () => {
    const record: RecordEvent = (kind) => {
      if (kind === 'approval.asked') throw new Error('disk full');
    };
    const { openRun, questions } = createWorld({ answers: [yes('once')] });
    await expect(openRun({ record }).permit(request('src/a.ts'))).rejects.toThrow('disk full');
    expect(questions).toEqual([]);
  });
});

describe('permit(), scope by scope', () => {
  it('once: the next question is asked again', async () => {
    const { questions, openRun } = createWorld({ answers: [yes('once'), yes('once')] });
    const run = openRun();
    await run.permit(request('a'));
    await run.permit(request('a'));
    expect(questions).toHaveLength(2);
  });

  it('run: later questions of the run are answered, those of another run are not', async () => {
    const { questions, openRun, events } = createWorld({ answers: [yes('run')] });
    const run = openRun();
    await run.permit(request('a'));
    expect((await run.permit(request('b'))).wasAsked).toBe(false);
    expect(events.at(-1)).toMatchObject({ kind: 'policy.decision', details: { line: 9, grant: expect.any(String) } });
    await expect(openRun({ id: 'run2' }).permit(request('a'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(questions).toHaveLength(2);
  });

  it('run: covers its tool only', async () => {
    const { openRun } = createWorld({ answers: [yes('run')] });
    const run = openRun();
    await run.permit(request('a'));
    const write = { name: 'file_write', path: 'a', writeMode: 'w' } as const;
    await expect(run.permit({ actions: [write] })).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
  });

  it('project: answers in other runs on this root for 30 days', async () => {
    const grants = createMemoryGrantStore();
    const first = createWorld({ answers: [yes('project')], grants });
    await first.openRun().permit(request('a'));
    const again = createWorld({ grants });
    again.time.now = 30 * day - 1;
    expect((await again.openRun({ id: 'run2' }).permit(request('b'))).wasAsked).toBe(false);
    again.time.now = 30 * day;
    await expect(again.openRun({ id: 'run3' }).permit(request('b'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    const elsewhere = createWorld({ grants, root: '/other' });
    await expect(elsewhere.openRun().permit(request('b'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
  });

  it('always: answers on another root as well', async () => {
    const grants = createMemoryGrantStore();
    await createWorld({ answers: [yes('always')], grants })
      .openRun()
      .permit(request('a'));
    const elsewhere = createWorld({ grants, root: '/other' });
    expect((await elsewhere.openRun().permit(request('b'))).wasAsked).toBe(false);
  });

  it('a revoked grant no longer answers, in the run that got it as well', async () => {
    const grants = createMemoryGrantStore();
    const { openRun, questions } = createWorld({ answers: [yes('always')], grants });
    const run = openRun();
    await run.permit(request('a'));
    await run.permit(request('a'));
    expect(questions).toHaveLength(1);
    await grants.remove('all');
    await expect(run.permit(request('a'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
  });

  it('a dangerous yes answers in its run and does not survive it', async () => {
    const grants = createMemoryGrantStore();
    const { openRun, events, questions } = createWorld({ answers: [yes('always')], grants });
    const run = openRun();
    const hook = request('.git/hooks/pre-commit');
    await run.permit(hook);
    expect(questions[0]).toMatchObject({
      reason: 'git runs what its directory says at the next git command: only a person answers it',
      scopes: ['once', 'run'],
    });
    expect(events.at(-1)).toMatchObject({ details: { scope: 'run', downgradedFrom: 'always' } });
    expect((await run.permit(hook)).wasAsked).toBe(false);
    expect(await grants.load()).toEqual([]);
    await expect(openRun({ id: 'run2' }).permit(hook)).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
  });

  it('a yes for the run is not offered where the run is one tool call', async () => {
    const { openRun, questions } = createWorld();
    for (const path of ['a', '.env']) {
      await expect(openRun({ asksOnce: true }).permit(request(path))).rejects.toThrow();
    }
    expect(questions.map(({ scopes }) => scopes)).toEqual([['once', 'project', 'always'], ['once']]);
  });

  it('a moderate grant does not answer what is dangerous', async () => {
    const { openRun, questions } = createWorld({ answers: [yes('run')] });
    const run = openRun();
    await run.permit(request('a'));
    await expect(run.permit(request('.git/config'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(questions).toHaveLength(2);
  });

  it('a grant that cannot be kept counts for the run, and the log says so', async () => {
    const broken: GrantStore = {
      ...createMemoryGrantStore(),
      load: () => Promise.reject(new Error('unreadable')),
      add: () => Promise.reject(new Error('disk full')),
    };
    const { openRun, events } = createWorld({ answers: [yes('project')], grants: broken });
    const run = openRun();
    await run.permit(request('a'));
    expect(events.at(-1)).toMatchObject({ details: { scope: 'project', notKept: 'disk full' } });
    expect((await run.permit(request('a'))).wasAsked).toBe(false);
  });
});

describe('permit(), sets and turns', () => {
  const set = (...paths: [string, ...string[]]): GateRequest => {
    const [first, ...others] = paths;
    const action = (path: string): Action => ({ name: 'writeback', path });
    return { actions: [action(first), ...others.map(action)], describe: () => paths.map(described) };
  };

  it('asks once for a set, at the level of its most dangerous file', async () => {
    const { openRun, questions } = createWorld({ answers: [yes('once')] });
    const permission = await openRun({ mode: 'staged' }).permit(set('a', '.git/config', 'docs/b'));
    expect(questions).toMatchObject([{ action: 'writeback of 3 files', level: 'dangerous' }]);
    for (const path of ['a', '.git/config', 'docs/b']) permission.use(described(path).shown);
  });

  it('refuses a set with one denied file, and asks for none', async () => {
    const { openRun, questions } = createWorld({ answers: [yes('once')] });
    await expect(openRun({ mode: 'staged' }).permit(set('a', 'b.lock'))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(questions).toEqual([]);
  });

  it('allows a set whose files are all allowed', async () => {
    const { openRun } = createWorld();
    expect((await openRun({ mode: 'staged' }).permit(set('docs/a', 'docs/b'))).wasAsked).toBe(false);
    await expect(openRun({ mode: 'staged' }).permit(set('docs/a', 'b'))).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
    });
  });

  it('asks one question at a time, and a yes for the run answers the one that waited', async () => {
    let open = 0;
    let most = 0;
    const asked: string[] = [];
    const approver: Approver = async (question) => {
      asked.push(question.action);
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return yes('run');
    };
    const { openRun } = createWorld({ approver });
    const run = openRun();
    const results = await Promise.all([
      run.permit(request('a')),
      run.permit(request('b')),
      openRun({ id: 'x' }).permit(request('c')),
    ]);
    expect(most).toBe(1);
    expect(results.map(({ wasAsked }) => wasAsked)).toEqual([true, false, true]);
    expect(asked).toHaveLength(2);
  });

  it('gives up waiting for its turn, or for the classifier, when the run is aborted; the others keep their order', async () => {
    const open: ((answer: Answer) => void)[] = [];
    const approver = (): Promise<Answer> => new Promise((resolve) => open.push(resolve));
    const { events, openRun } = createWorld({ approver });
    const controller = new AbortController();
    const first = openRun().permit(request('src/1'));
    const second = openRun({ id: 'run2', signal: () => controller.signal }).permit(request('src/2'));
    const third = openRun({ id: 'run3' }).permit(request('src/3'));
    await settle();
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'APPROVAL_DENIED', details: { answer: 'the run was aborted' } });
    expect(open).toHaveLength(1);
    open[0]?.(yes('once'));
    await first;
    await settle();
    expect(open).toHaveLength(2);
    open[1]?.(yes('once'));
    expect((await third).wasAsked).toBe(true);
    expect(events.filter(({ kind }) => kind === 'approval.asked')).toHaveLength(2);
    const classifier = () => new Promise<never>(() => undefined);
    const aborted = createWorld({ classifier }).openRun({ signal: () => AbortSignal.abort() });
    await expect(aborted.permit(request('src/1'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
  });

  it('stops the clock of a run from the wait for its turn to the answer', async () => {
    const told: string[] = [];
    const pauseClock = () => {
      told.push('stops');
      return () => void told.push('goes on');
    };
    const approver = () => {
      told.push('asked');
      return Promise.resolve(yes('once'));
    };
    const { openRun } = createWorld({ approver });
    await openRun({ pauseClock }).permit(request('src/a.ts'));
    expect(told).toEqual(['stops', 'asked', 'goes on']);
    await openRun({ pauseClock }).permit({ actions: [{ name: 'file_read', path: 'a' }] });
    expect(told).toHaveLength(3);
  });

  it('goes on asking after a question failed', async () => {
    const { openRun } = createWorld({ answers: [{ decision: 'no' }, yes('once')] });
    const results = await Promise.allSettled([openRun().permit(request('a')), openRun().permit(request('b'))]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('asks at the level the classifier raised to', async () => {
    const { openRun, questions } = createWorld({ classifier: () => 'dangerous' });
    await expect(openRun().permit(request('docs/a.md'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    const reason = 'the classifier raised it: only a person answers it';
    expect(questions).toMatchObject([{ level: 'dangerous', reason }]);
  });

  it('judges runs and reads as well', async () => {
    const { openRun, questions } = createWorld({ answers: [yes('once'), { decision: 'no' }] });
    await openRun().permit({ actions: [{ name: 'run', path: 'sha256:0' }] });
    await expect(openRun().permit({ actions: [{ name: 'file_read', path: '.env' }] })).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
      message: 'Cannot read ".env": not approved (the answer was no)',
    });
    expect(questions.map(({ action }) => action)).toEqual(['run unsafe sha256:0', 'file_read .env']);
  });
});

function createPowers(): GateOptions['powers'] {
  return {
    now: () => 0,
    newId: () => 'id',
    digestText: (text) => `digest of ${text.length}`,
    startTimer: () => () => undefined,
    policyDigestNow: () => 'sha256:policy',
  };
}
