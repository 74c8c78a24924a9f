import { describe, expect, it } from 'vitest';
import { judgeRun } from './judged-run.ts';
import { createCallWorld, type WorldOptions } from './testing/call-world.ts';
import { createPlainContext } from './testing/plain-context.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const program = {
  digest: () => digest,
  shown: () => '{"file":"a.js","source":"return 1"}',
  mode: 'unsafe',
  limits: { timeMs: 5 },
  root: '/root',
  policyDigest: 'sha256:p',
} as const;

const judged = async (options: WorldOptions, mode: 'safe' | 'unsafe' = 'unsafe') => {
  const world = createCallWorld({ mode, ...options });
  const result = await Promise.resolve()
    .then(() => judgeRun(world.context, { ...program, mode }))
    .then(
      () => 'runs',
      (error: { code: string }) => error.code,
    );
  return { ...world, result };
};

describe('judgeRun()', () => {
  it('records the start and lets a safe run start unasked', async () => {
    const { result, details, questions } = await judged({}, 'safe');
    expect(result).toBe('runs');
    expect(questions).toEqual([]);
    expect(details).toMatchObject([
      { kind: 'run.start', details: { mode: 'safe', program: digest, policy: 'sha256:p' } },
    ]);
  });

  it('asks for an unsafe run by the digest of its program', async () => {
    const { result, questions } = await judged({});
    expect(result).toBe('APPROVAL_DENIED');
    expect(questions).toMatchObject([
      {
        action: `run unsafe ${digest}`,
        arguments: program.shown(),
        level: 'moderate',
        scopes: ['once', 'run', 'project', 'always'],
      },
    ]);
    expect((await judged({ rules: [['allow', `run(${digest})`]] })).result).toBe('runs');
    expect((await judged({ rules: [['allow', 'run(sha256:cd*)']] })).result).toBe('APPROVAL_DENIED');
  });

  it('makes no digest where neither log nor rule looks at it', () => {
    const unasked = () => {
      throw new Error('the digest was made');
    };
    const context = createPlainContext({ mode: 'safe' });
    expect(judgeRun(context, { ...program, mode: 'safe', digest: unasked })).toBeUndefined();
  });

  it('refuses what a rule denies, in safe mode as well', async () => {
    expect((await judged({ rules: [['deny', 'run(**)']] }, 'safe')).result).toBe('POLICY_DENIED');
  });

  it('starts nothing that cannot be recorded', () => {
    const world = createCallWorld({ mode: 'safe' });
    world.failing.add('run.start');
    expect(() => judgeRun(world.context, { ...program, mode: 'safe' })).toThrow(
      expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
    );
  });
});
