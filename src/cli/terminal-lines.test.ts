import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminalLines } from './terminal-lines.ts';

const never = new AbortController().signal;

describe('createTerminalLines()', () => {
  it('gives the line that comes after those thrown away', async () => {
    const stream = new PassThrough();
    const lines = createTerminalLines(stream);
    stream.write('typed before the question\n');
    await lines.discardPending(never);
    stream.write('yes\nmore');
    expect(await lines.nextLine(never)).toBe('yes');
  });

  it('an input that ends is no answer', async () => {
    const stream = new PassThrough();
    const line = createTerminalLines(stream).nextLine(never);
    stream.end('y');
    expect(await line).toBeUndefined();
  });

  it('an input that ended before the question is not waited for', async () => {
    const stream = new PassThrough();
    const lines = createTerminalLines(stream);
    stream.end();
    expect(await lines.nextLine(never)).toBeUndefined();
    await lines.discardPending(never);
    expect(await lines.nextLine(never)).toBeUndefined();
  });

  it('an input that was closed is not waited for', async () => {
    const stream = new PassThrough();
    stream.destroy();
    expect(await createTerminalLines(stream).nextLine(never)).toBeUndefined();
  });

  it('a signal ends the waiting', async () => {
    const giveUp = new AbortController();
    const line = createTerminalLines(new PassThrough()).nextLine(giveUp.signal);
    giveUp.abort();
    expect(await line).toBeUndefined();
  });
});
