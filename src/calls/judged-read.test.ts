import { describe, expect, it } from 'vitest';
import { errorCodes } from '../contract/errors.ts';
import type { Answer } from '../policy/approver.ts';
import { judgeRead } from './judged-read.ts';
import type { Admit } from './planned-call.ts';
import { callOn, createCallWorld } from './testing/call-world.ts';

const yes: Answer = { decision: 'yes', scope: 'once', by: 'test' };
const call = (path: string) => callOn(path, { tool: 'read_file', name: 'file_read' });

function reader(path: string, contents: string[] = []) {
  return (admit: Admit) => {
    admit({ name: 'file_read', path });
    contents.push('looked');
    return { result: 'text', bytes: 4, digest: () => 'sha256:d' };
  };
}

describe('judgeRead()', () => {
  it('answers first and records after', async () => {
    const { context, happened, details } = createCallWorld();
    const { result, settle } = await judgeRead(context, call('a'), reader('a'));
    expect(result).toBe('text');
    expect(happened).toEqual([]);
    settle();
    expect(details).toMatchObject([
      { kind: 'file.read', call: 'c1', details: { path: 'a', bytes: 4, digest: 'sha256:d' } },
    ]);
  });

  it('asks for a credential before its content is looked at, and reads it after a yes', async () => {
    const looked: string[] = [];
    const { context, questions } = createCallWorld({
      answer: () => {
        expect(looked).toEqual([]);
        return yes;
      },
    });
    const { result } = await judgeRead(context, call('.env'), reader('.env', looked));
    expect(result).toBe('text');
    expect(questions).toMatchObject([{ action: 'file_read .env', level: 'dangerous', files: [] }]);
  });

  it('looks at nothing on a no', async () => {
    const looked: string[] = [];
    const { context, happened } = createCallWorld({ answer: () => ({ decision: 'no' }) });
    await expect(judgeRead(context, call('.env'), reader('.env', looked))).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
    });
    expect(looked).toEqual([]);
    expect(happened.at(-1)).toBe('file.refused');
  });

  it('asks anew when the path leads elsewhere after the answer', async () => {
    let place = '.env';
    const { context, questions } = createCallWorld({
      answer: () => {
        place = 'id_rsa';
        return yes;
      },
    });
    const moving = (admit: Admit) => reader(place)(admit);
    await judgeRead(context, call('link'), moving);
    expect(questions.map(({ action }) => action)).toEqual(['file_read .env', 'file_read id_rsa']);
  });

  it('refuses what a rule denies, in safe mode as well; its neighbour is read', async () => {
    const { context } = createCallWorld({ mode: 'safe', rules: [['deny', 'read(secret/**)']] });
    expect(() => judgeRead(context, call('secret/a'), reader('secret/a'))).toThrow(
      expect.objectContaining({ code: 'POLICY_DENIED' }),
    );
    expect((await judgeRead(context, call('open/a'), reader('open/a'))).result).toBe('text');
  });

  it('answers at once where nobody has to be asked', async () => {
    const { context } = createCallWorld({ answer: () => yes });
    expect(judgeRead(context, call('a'), reader('a'))).not.toBeInstanceOf(Promise);
    const asked = judgeRead(context, call('.env'), reader('.env'));
    expect(asked).toBeInstanceOf(Promise);
    expect((await asked).result).toBe('text');
  });

  it('counts a read that could not be recorded, and gives it all the same', async () => {
    const { context, failing } = createCallWorld();
    failing.add('file.read');
    (await judgeRead(context, call('a'), reader('a'))).settle();
    expect(context.log.lost()).toBe(1);
  });

  it('records what the core refuses', () => {
    const { context, details } = createCallWorld();
    const missing = () =>
      judgeRead(context, call('a'), () => {
        throw new Error('gone');
      });
    expect(missing).toThrow('gone');
    expect(details).toMatchObject([
      { kind: 'file.refused', details: { action: 'file_read', reason: errorCodes.IO_FAILED.meaning } },
    ]);
  });

  it('records a read without a digest where there is none', async () => {
    const { context, details } = createCallWorld();
    const read = (admit: Admit) => {
      admit({ name: 'file_read', path: 'a' });
      return { result: 1, bytes: 2 };
    };
    (await judgeRead(context, call('a'), read)).settle();
    expect(details[0]?.details).toEqual({ path: 'a', bytes: 2 });
  });
});
