import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PortholeError } from '../contract/errors.ts';
import { chainStart, parseEventLine } from './event.ts';
import { createAuditLog } from './log.ts';
import { foldReceipt } from './receipt.ts';
import type { AppendCare, AuditSink } from './sink.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

function createWorld(changes: Partial<AuditSink> = {}) {
  const lines: string[] = [];
  let ids = 0;
  const state = { full: false, rotateAt: Number.POSITIVE_INFINITY, closed: 0 };
  const sink: AuditSink = {
    path: 'log.jsonl',
    chain: () => ({ seq: 0, hash: chainStart, tornBytes: 0 }),
    rotateFor: () => {
      if (lines.length < state.rotateAt) return false;
      state.rotateAt = Number.POSITIVE_INFINITY;
      return true;
    },
    append: (line) => {
      if (state.full) throw new Error('no space left on device');
      lines.push(line);
    },
    close: () => void state.closed++,
    ...changes,
  };
  const powers = { now: () => 0, newId: () => `e${++ids}`, sha256Hex };
  const events = () => lines.map((line) => parseEventLine(line.slice(0, -1), sha256Hex).event);
  return { lines, state, sink, powers, events };
}

const read = { path: 'a', bytes: 1 };

describe('createAuditLog() with a sink', () => {
  it('chains the events of all runs', () => {
    const { sink, powers, events } = createWorld();
    const log = createAuditLog({ sink, powers });
    log.openRun('r1').record('file.read', read, 'c1');
    log.openRun('r2').record('file.read', read);
    const [first, second] = events();
    expect(first).toMatchObject({
      v: 1,
      seq: 1,
      id: 'e1',
      time: '1970-01-01T00:00:00.000Z',
      run: 'r1',
      call: 'c1',
      prev: chainStart,
    });
    expect(second).toMatchObject({ seq: 2, run: 'r2', prev: first?.hash });
    expect(second).not.toHaveProperty('call');
    expect(log.path).toBe('log.jsonl');
  });

  it('goes on where an earlier chain ended', () => {
    const { sink, powers, events } = createWorld({ chain: () => ({ seq: 41, hash: 'f'.repeat(64), tornBytes: 0 }) });
    createAuditLog({ sink, powers }).openRun('r').record('file.read', read);
    expect(events()).toMatchObject([{ seq: 42, prev: 'f'.repeat(64) }]);
  });

  it('tells of a torn line before anything else, once', () => {
    const { sink, powers, events } = createWorld({ chain: () => ({ seq: 3, hash: 'f'.repeat(64), tornBytes: 17 }) });
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.record('file.read', read);
    run.record('file.read', read);
    expect(events().map((event) => event?.kind)).toEqual(['log.recovered', 'file.read', 'file.read']);
    expect(events()[0]).toMatchObject({ seq: 4, details: { tornBytes: 17 } });
  });

  it('opens a rotated file with an event of its own, and the chain goes on', () => {
    const { sink, powers, events, state } = createWorld();
    state.rotateAt = 1;
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.record('file.read', read);
    run.record('file.read', read);
    const all = events();
    expect(all.map((event) => [event?.seq, event?.kind])).toEqual([
      [1, 'file.read'],
      [2, 'log.rotated'],
      [3, 'file.read'],
    ]);
    expect(all[2]?.prev).toBe(all[1]?.hash);
  });

  it('refuses an event it cannot record, and leaves no gap', () => {
    const { sink, powers, events, state } = createWorld();
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.record('file.read', read);
    state.full = true;
    expect(() => run.record('file.read', read)).toThrow(
      expect.objectContaining({
        code: 'AUDIT_UNAVAILABLE',
        message: 'Cannot record file.read in "log.jsonl": no space left on device',
      }),
    );
    state.full = false;
    run.record('file.read', read);
    const [first, second] = events();
    expect(second).toMatchObject({ seq: 2, prev: first?.hash });
    expect(run.receipt().reads).toEqual([{ path: 'a', bytes: 2 }]);
  });

  it('passes an error of the sink on as it is', () => {
    const error = new PortholeError('AUDIT_UNAVAILABLE', 'gone');
    const { sink, powers } = createWorld({
      append: () => {
        throw error;
      },
    });
    expect(() => createAuditLog({ sink, powers }).openRun('r').record('file.read', read)).toThrow(error);
  });

  it('counts what has happened and could not be recorded', () => {
    const { sink, powers, state } = createWorld();
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.recordAfter('file.read', read);
    expect(run.lost()).toBe(0);
    state.full = true;
    run.recordAfter('file.read', read);
    expect(run.lost()).toBe(1);
  });

  it('takes no care for reads, makes sure of everything else, and waits for the disk with intents', () => {
    const cares: AppendCare[] = [];
    const { sink, powers } = createWorld({ append: (_line, care) => void cares.push(care) });
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.record('file.read', read);
    run.record('file.refused', { action: 'file_read', path: 'a', code: 'NOT_FOUND', reason: 'r' });
    run.record('file.write.intent', { path: 'a', mode: 'w', digestBefore: null, digestPlanned: 'd' });
    expect(cares).toEqual(['none', 'present', 'durable']);
  });

  it('gives the receipt that the log gives', () => {
    const { sink, powers, events } = createWorld();
    const run = createAuditLog({ sink, powers }).openRun('r');
    run.record('run.start', { mode: 'safe', limits: { timeMs: 5 } });
    run.record('file.read', read);
    run.record('run.end', { status: 'completed' });
    expect(run.receipt()).toEqual(
      foldReceipt(
        'r',
        events().flatMap((event) => event ?? []),
      ),
    );
  });

  it('closes its sink', () => {
    const { sink, powers, state } = createWorld();
    createAuditLog({ sink, powers }).close();
    expect(state.closed).toBe(1);
  });
});

describe('createAuditLog() without a sink', () => {
  it.each(['memory', 'off'] as const)('gives receipts all the same: %s', (sink) => {
    const log = createAuditLog({ sink, powers: createWorld().powers });
    const run = log.openRun('r');
    run.record('file.read', read);
    expect(run.receipt()).toMatchObject({ run: 'r', reads: [{ path: 'a', bytes: 1 }], auditHead: sink });
    expect(log.path).toBe(sink);
    expect(() => log.close()).not.toThrow();
  });
});
