import { describe, expect, it } from 'vitest';
import { foldReceipt, type ReceiptEvent } from './receipt.ts';

let hashes = 0;
const event = (kind: string, details: object, call?: string): ReceiptEvent => ({
  run: 'r',
  kind,
  details,
  hash: `h${++hashes}`,
  ...(call === undefined ? {} : { call }),
});

const write = (path: string, more: object = {}) =>
  event('file.write', { path, mode: 'w', created: false, bytesBefore: 1, bytesAfter: 2, digestAfter: 'd', ...more });

describe('foldReceipt()', () => {
  it('tells what a run did', () => {
    const events = [
      event('run.start', { mode: 'unsafe', limits: { timeMs: 5 } }),
      event('tool.call', { name: 'file_write', arguments: 'sha256:a' }, 'c1'),
      event('approval.answered', { action: 'file_write w a', level: 'moderate', decision: 'yes', scope: 'run' }, 'c1'),
      event('file.write.intent', { path: 'a', mode: 'w', digestBefore: null, digestPlanned: 'd' }, 'c1'),
      write('a', { created: true }),
      event('tool.result', { name: 'file_write', ms: 3 }, 'c1'),
      event('tool.call', { name: 'file_read', arguments: 'sha256:b' }, 'c2'),
      event('file.refused', { action: 'file_read', path: '../x', code: 'PATH_TRAVERSAL', reason: 'no' }, 'c2'),
      event('tool.result', { name: 'file_read', ms: 1, error: 'PATH_TRAVERSAL' }, 'c2'),
      event('file.read', { path: 'b', bytes: 4 }),
      event('file.read', { path: 'b', bytes: 6 }),
      event('run.end', { status: 'completed' }),
    ];
    expect(foldReceipt('r', events)).toEqual({
      run: 'r',
      mode: 'unsafe',
      outcome: 'completed',
      tools: [
        { name: 'file_write', argumentsDigest: 'sha256:a', ms: 3 },
        { name: 'file_read', argumentsDigest: 'sha256:b', error: 'PATH_TRAVERSAL' },
      ],
      files: [{ path: 'a', mode: 'w', created: true, bytes: 2, digestAfter: 'd' }],
      reads: [{ path: 'b', bytes: 10 }],
      refusals: [{ action: 'file_read ../x', code: 'PATH_TRAVERSAL', reason: 'no' }],
      approvals: [{ action: 'file_write w a', level: 'moderate', decision: 'yes', scope: 'run' }],
      limits: { timeMs: 5 },
      more: { tools: 0, files: 0, reads: 0, refusals: 0, approvals: 0 },
      auditHead: events.at(-1)?.hash,
    });
  });

  it('does not list a file for an intent alone', () => {
    const intent = event('file.write.intent', { path: 'a', mode: 'w', digestBefore: null, digestPlanned: 'd' });
    expect(foldReceipt('r', [intent])).toMatchObject({ files: [], outcome: 'unfinished' });
  });

  it('shows a file as it was left, and keeps that it is new', () => {
    const events = [write('a', { created: true }), write('a', { mode: 'a', bytesAfter: 9, digestAfter: 'e' })];
    expect(foldReceipt('r', events).files).toEqual([
      { path: 'a', mode: 'a', created: true, bytes: 9, digestAfter: 'e' },
    ]);
  });

  it('has no limits where none were in force', () => {
    expect(foldReceipt('r', [event('run.start', { mode: 'unsafe' })])).not.toHaveProperty('limits');
  });

  it('counts a written-back file as a file', () => {
    expect(foldReceipt('r', [{ ...write('a'), kind: 'writeback.file' }]).files).toHaveLength(1);
  });

  it('tells a run that was denied as a refusal', () => {
    const end = event('run.end', { status: 'denied', code: 'POLICY_DENIED', reason: 'rule deny run(**)' });
    expect(foldReceipt('r', [end])).toMatchObject({
      outcome: 'denied',
      refusals: [{ action: 'run', code: 'POLICY_DENIED', reason: 'rule deny run(**)' }],
    });
  });

  it('caps each list at 64 and counts the rest: files by name, not by write', () => {
    const events = Array.from({ length: 100 }, (_, index) => [
      write(`f${index}`),
      write(`f${index}`),
      event('file.read', { path: `f${index}`, bytes: 1 }),
      event('file.refused', { action: 'file_read', path: 'x', code: 'NOT_FOUND', reason: 'r' }),
      event('approval.answered', { action: 'a', level: 'moderate', decision: 'no' }),
      event('tool.call', { name: 't', arguments: 'd' }, `c${index}`),
    ]).flat();
    const receipt = foldReceipt('r', events);
    expect(receipt.more).toEqual({ tools: 36, files: 36, reads: 36, refusals: 36, approvals: 36 });
    for (const list of ['tools', 'files', 'reads', 'refusals', 'approvals'] as const)
      expect(receipt[list]).toHaveLength(64);
  });

  it('passes over other runs and unknown kinds, and takes details of any shape', () => {
    const events = [
      { ...write('other'), run: 'r2' },
      event('constructor', {}),
      event('moon.landed', {}),
      event('file.write', { path: 7 }),
      event('run.start', { limits: [1, 'x'] }),
      event('approval.answered', { level: 'cosmic' }),
    ];
    expect(foldReceipt('r', events)).toMatchObject({
      files: [{ path: '', bytes: 0 }],
      approvals: [{ level: 'dangerous' }],
      auditHead: events.at(-1)?.hash,
    });
  });

  it('gives the same for the same events', () => {
    const events = [write('a'), write('b')];
    expect(foldReceipt('r', events)).toEqual(foldReceipt('r', events));
  });
});
