import { describe, expect, it } from 'vitest';
import type { Answer } from '../policy/approver.ts';
import { judgeWrite, landWrite, permitWrites } from './judged-write.ts';
import { callOn, createCallWorld } from './testing/call-world.ts';

const yes: Answer = { decision: 'yes', scope: 'once', by: 'test' };
const allowed = { rules: [['allow', 'write(**)']] } as const;

describe('judgeWrite()', () => {
  it('records the intent before the write and the outcome after it', async () => {
    const { context, plan, happened, details } = createCallWorld(allowed);
    expect(await judgeWrite(context, callOn('a'), plan('a', 'new'))).toBe('written');
    expect(happened).toEqual(['open a', 'policy.decision', 'file.write.intent', 'write a', 'file.write', 'close a']);
    expect(details[1]).toMatchObject({
      call: 'c1',
      details: { path: 'a', mode: 'w', digestBefore: null, digestPlanned: expect.stringMatching(/^sha256:/) },
    });
    expect(details[2]?.details).toMatchObject({ created: true, bytesBefore: 0, bytesAfter: 3 });
    expect(details[2]?.details['digestAfter']).toBe(details[1]?.details['digestPlanned']);
  });

  it('does not write when the intent cannot be recorded; with room for it, it does', async () => {
    const { context, plan, files, failing } = createCallWorld(allowed);
    failing.add('file.write.intent');
    await expect(judgeWrite(context, callOn('a'), plan('a', 'new'))).rejects.toMatchObject({
      code: 'AUDIT_UNAVAILABLE',
    });
    expect(files.size).toBe(0);
    failing.clear();
    await judgeWrite(context, callOn('a'), plan('a', 'new'));
    expect(files.get('a')).toBe('new');
  });

  it('says what is true when the outcome cannot be recorded: it is written, and the loss is counted', async () => {
    const { context, plan, files, failing } = createCallWorld(allowed);
    failing.add('file.write');
    expect(await judgeWrite(context, callOn('a'), plan('a', 'new'))).toBe('written');
    expect(files.get('a')).toBe('new');
    expect(context.log.lost()).toBe(1);
  });

  it('refuses what a rule denies before it looks at the content, and records that', async () => {
    const { context, plan, files, happened, details } = createCallWorld({ rules: [['deny', 'write(**/*.lock)']] });
    files.set('a.lock', 'old');
    await expect(judgeWrite(context, callOn('a.lock'), plan('a.lock', 'new'))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(files.get('a.lock')).toBe('old');
    expect(happened).toEqual(['open a.lock', 'policy.decision', 'close a.lock', 'file.refused']);
    expect(details.at(-1)?.details).toMatchObject({ action: 'file_write', path: 'a.lock', code: 'POLICY_DENIED' });
    expect(context.log.receipt().refusals).toHaveLength(1);
  });

  it('leaves the refusal as it is when it cannot be recorded', async () => {
    const { context, plan, failing } = createCallWorld({ mode: 'safe' });
    failing.add('file.refused');
    await expect(judgeWrite(context, callOn('a'), plan('a', 'new'))).rejects.toMatchObject({ code: 'MODE_SAFE' });
  });

  it('shows exactly what will land', async () => {
    const { context, plan, files, questions } = createCallWorld({ answer: () => yes });
    files.set('a', 'old');
    await judgeWrite(context, callOn('a'), plan('a', 'new!'));
    expect(questions).toMatchObject([
      {
        arguments: '{"path":"a"}',
        files: [
          { path: 'a', change: 'modify', executable: false, bytesBefore: 3, bytesAfter: 4, diff: '-old\n+new!\n' },
        ],
      },
    ]);
    expect(files.get('a')).toBe('new!');
  });

  it('writes nothing on a no', async () => {
    const { context, plan, files, happened } = createCallWorld({ answer: () => ({ decision: 'no' }) });
    await expect(judgeWrite(context, callOn('a'), plan('a', 'new'))).rejects.toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(files.size).toBe(0);
    expect(happened.at(-1)).toBe('file.refused');
  });

  it('writes nothing when the file changed while the question was open', async () => {
    const { context, plan, files, happened } = createCallWorld({
      answer: (_question, world) => {
        world.files.set('a', 'by somebody else');
        return yes;
      },
    });
    files.set('a', 'old');
    await expect(judgeWrite(context, callOn('a'), plan('a', 'new'))).rejects.toMatchObject({
      code: 'CHANGED_SINCE_READ',
    });
    expect(files.get('a')).toBe('by somebody else');
    expect(happened).not.toContain('file.write.intent');
  });

  it('writes nothing when the arguments changed while the question was open', async () => {
    const given = { path: 'a' };
    const { context, plan, files } = createCallWorld({
      answer: () => {
        given.path = 'b';
        return yes;
      },
    });
    const call = callOn('a', { arguments: given });
    await expect(judgeWrite(context, call, plan('a', 'new'))).rejects.toMatchObject({ code: 'CHANGED_SINCE_READ' });
    expect(files.size).toBe(0);
  });

  it('lets two writes on one file land one after the other, the second on what the first left', async () => {
    const { context, plan, files, happened } = createCallWorld({ answer: () => yes });
    await Promise.all([
      judgeWrite(context, callOn('a'), plan('a', 'one')),
      judgeWrite(context, callOn('a'), plan('a', 'two')),
      judgeWrite(context, callOn('b'), plan('b', 'three')),
    ]);
    expect(files).toEqual(
      new Map([
        ['a', 'two'],
        ['b', 'three'],
      ]),
    );
    expect(happened.filter((what) => what === 'open a')).toHaveLength(3);
    expect(happened.filter((what) => what === 'close a')).toHaveLength(3);
  });

  it('keeps the content only where asked to', async () => {
    const kept = createCallWorld({ ...allowed, content: true });
    await judgeWrite(kept.context, callOn('a'), kept.plan('a', 'secret'));
    expect(kept.details[1]?.details).toMatchObject({ content: 'secret' });
    const usual = createCallWorld(allowed);
    await judgeWrite(usual.context, callOn('a'), usual.plan('a', 'secret'));
    expect(JSON.stringify(usual.details)).not.toContain('secret');
  });

  it('keeps bytes that are no text in base64', async () => {
    const { context, plan, details } = createCallWorld({ ...allowed, content: true });
    const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
    await judgeWrite(context, callOn('a'), (admit) => ({ ...plan('a', 'x')(admit), content: () => bytes }));
    expect(details[1]?.details).toMatchObject({ content: `base64:${Buffer.from(bytes).toString('base64')}` });
  });

  it.each([
    [undefined, '(undefined)'],
    [7, '(number)'],
    ['x\ud800', 'x\ufffd'],
    ['y'.repeat(5000), 'y'.repeat(4096)],
  ])('records a refusal whatever the path is (case %#)', async (path, recorded) => {
    const { context, details } = createCallWorld();
    const failing = judgeWrite(context, callOn(path), () => {
      throw new Error('broken \ud800');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(details.at(-1)).toMatchObject({ kind: 'file.refused', details: { path: recorded, code: 'IO_FAILED' } });
  });

  it('writes on the private copy of a staged run without a question', async () => {
    const { context, plan, questions } = createCallWorld({ mode: 'staged', run: { unsafeFlag: false } });
    await judgeWrite(context, callOn('.git/config'), plan('.git/config', 'new'));
    expect(questions).toEqual([]);
  });
});

describe('permitWrites() and landWrite()', () => {
  it('ask once for a set and let each file of it land once', async () => {
    const { context, plan, files, questions } = createCallWorld({ answer: () => yes });
    const call = callOn(undefined, { tool: 'write-back', arguments: undefined });
    const [a, b] = [plan('a', '1')(() => undefined), plan('b', '2')(() => undefined)];
    const permission = await permitWrites(context, call, [a, b]);
    landWrite(context, call, { plan: a, permission });
    landWrite(context, call, { plan: b, permission });
    expect(questions).toMatchObject([{ action: 'file_write of 2 files', files: [{ path: 'a' }, { path: 'b' }] }]);
    expect(files.size).toBe(2);
    expect(() => landWrite(context, call, { plan: a, permission })).toThrow(
      expect.objectContaining({ code: 'APPROVAL_DENIED' }),
    );
  });

  it('tell a file that was written back as such', async () => {
    const { context, plan, happened } = createCallWorld({ mode: 'staged', answer: () => yes });
    const staged = plan('a', '1')(() => undefined);
    const written = { ...staged, action: { name: 'writeback', path: 'a' } } as const;
    const permission = await permitWrites(context, callOn('a'), [written]);
    landWrite(context, callOn('a'), { plan: written, permission });
    expect(happened.at(-1)).toBe('writeback.file');
  });
});
