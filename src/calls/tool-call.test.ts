import { describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import { createCallWorld } from './testing/call-world.ts';
import { recordToolCall } from './tool-call.ts';

const call = { id: 'c1', tool: 'file_write', arguments: { path: 'a', content: 'secret' } };

describe('recordToolCall()', () => {
  it('tells the call before and the result after, without the arguments', async () => {
    const { context, details, happened } = createCallWorld();
    const act = () => {
      expect(happened).toEqual(['tool.call']);
      return Promise.resolve(7);
    };
    expect(await recordToolCall(context, call, act)).toBe(7);
    expect(happened).toEqual(['tool.call', 'tool.result']);
    expect(JSON.stringify(details)).not.toContain('secret');
    expect(context.log.receipt().tools).toEqual([
      { name: 'file_write', argumentsDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), ms: 0 },
    ]);
  });

  it('tells the code of what went wrong', async () => {
    const { context } = createCallWorld();
    const refused = () => Promise.reject(new PortholeError('MODE_SAFE', 'no'));
    await expect(recordToolCall(context, call, refused)).rejects.toMatchObject({ code: 'MODE_SAFE' });
    await expect(recordToolCall(context, { ...call, id: 'c2' }, () => Promise.reject(new Error('x')))).rejects.toThrow(
      'x',
    );
    expect(context.log.receipt().tools.map(({ error }) => error)).toEqual(['MODE_SAFE', 'IO_FAILED']);
  });

  it('keeps the arguments only where asked to', async () => {
    const { context, details } = createCallWorld({ content: true });
    await recordToolCall(context, { ...call, arguments: { content: 'a\ud800' } }, () => Promise.resolve());
    expect(details[0]?.details['content']).toBe('{"content":"a\\ud800"}');
  });

  it('does not act when the call cannot be recorded', async () => {
    const { context, failing } = createCallWorld();
    failing.add('tool.call');
    let acted = 0;
    const act = () => Promise.resolve(acted++);
    await expect(recordToolCall(context, call, act)).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE' });
    expect(acted).toBe(0);
  });
});
