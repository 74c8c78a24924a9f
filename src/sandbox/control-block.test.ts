import { describe, expect, it } from 'vitest';
import { createControlBlock, HostControl, WorkerControl } from './control-block.ts';
import type { Helper } from './helper.ts';
import type { HelperReply } from './messages.ts';
import { createPool, program } from './testing/run-program.ts';

function pair() {
  const block = createControlBlock();
  const posted: HelperReply[] = [];
  const host = new HostControl(block);
  const worker = new WorkerControl(block);
  const exchange = (reply: HelperReply): HelperReply => {
    host.reply(reply, (message) => void posted.push(message));
    return worker.waitForReply(() => posted.shift() ?? { kind: 'stop' });
  };
  return { host, worker, posted, exchange };
}

const text = (size: number): HelperReply => ({ kind: 'text', utf8: new Uint8Array(size).fill(97) });

describe('the control block', () => {
  it.each([0, 1, 1024, 8192])('carries a text of %i bytes in shared memory', (size) => {
    const { host, worker } = pair();
    host.reply(text(size), () => expect.unreachable());
    expect(worker.waitForReply(() => expect.unreachable())).toEqual(text(size));
  });

  it('sends what does not fit as a message', () => {
    const { exchange } = pair();
    expect(exchange(text(8193))).toEqual(text(8193));
  });

  it('tells the kinds of reply apart', () => {
    const { exchange } = pair();
    const replies: HelperReply[] = [
      { kind: 'value', bytes: Uint8Array.of(1, 2) },
      { kind: 'refused', name: 'ValueError', message: 'm', code: 'C', path: undefined },
      text(3),
      { kind: 'stop' },
    ];
    expect(replies.map(exchange)).toEqual(replies);
  });

  it('hands over bytes that the next reply does not change', () => {
    const { exchange } = pair();
    const first = exchange(text(4));
    exchange({ kind: 'value', bytes: Uint8Array.of(9, 9, 9, 9) });
    expect(first).toEqual(text(4));
  });

  it('survives ten thousand calls of one program, whose wake-ups overtake each other', async () => {
    const pool = await createPool();
    const source = 'let n = 0; for (let i = 0; i < 10000; i++) n += read_file("x").length; return n';
    const limits = { timeMs: 60_000 };
    const read_file: Helper = () => ({ kind: 'text', utf8: Uint8Array.of(97) });
    const { end } = await pool.run(program(source, { limits, helpers: { read_file } }));
    await pool.close();
    expect(end).toEqual({ status: 'completed', value: 10_000 });
  });

  it('says how much time does not count until the next program starts', () => {
    const { host, worker } = pair();
    host.setPaused(12.5);
    expect(worker.pausedMs()).toBe(12.5);
    host.begin();
    expect(worker.pausedMs()).toBe(0);
  });

  it('says that a stop was asked for until the next program starts', () => {
    const { host, worker } = pair();
    host.askToStop();
    expect(worker.isAskedToStop()).toBe(true);
    host.begin();
    expect(worker.isAskedToStop()).toBe(false);
  });
});
