import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../text/canonical-json.ts';
import { chainStart, type EventDraft, parseEventLine, sealEvent } from './event.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

const draft: EventDraft = {
  v: 1,
  seq: 1,
  id: 'e1',
  time: '2026-01-02T03:04:05.006Z',
  run: 'r1',
  call: 'c1',
  kind: 'file.read',
  details: { path: 'docs/ä\n"x".md', bytes: 3 },
  prev: chainStart,
};

describe('sealEvent()', () => {
  it('hashes prev and the canonical event, and writes one canonical line', () => {
    const { line, hash } = sealEvent(draft, sha256Hex);
    expect(hash).toBe(sha256Hex(chainStart + canonicalJson(draft)));
    expect(line).toBe(`${canonicalJson({ ...draft, hash })}\n`);
    expect(line.indexOf('\n')).toBe(line.length - 1);
  });

  it('does so for any details, with and without a call', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), (details, hasCall) => {
        const { call, ...rest } = draft;
        const given = { ...(hasCall ? { ...rest, call } : rest), details } as EventDraft; // JSON data, just made
        const { line, hash } = sealEvent(given, sha256Hex);
        expect(line).toBe(`${canonicalJson({ ...given, hash })}\n`);
        expect(parseEventLine(line.slice(0, -1), sha256Hex).event?.hash).toBe(hash);
      }),
    );
  });
});

describe('parseEventLine()', () => {
  const line = sealEvent(draft, sha256Hex).line.slice(0, -1);

  it('gives the event of an intact line', () => {
    expect(parseEventLine(line, sha256Hex).event).toMatchObject({ seq: 1, kind: 'file.read', details: draft.details });
  });

  it('keeps kinds and fields of later versions', () => {
    const later = { ...draft, v: 2, kind: 'moon.landed', extra: { x: 1 } };
    const hash = sha256Hex(chainStart + canonicalJson(later));
    expect(parseEventLine(canonicalJson({ ...later, hash }), sha256Hex).event?.kind).toBe('moon.landed');
  });

  it('finds every change of a single byte', () => {
    for (let index = 0; index < line.length; index++) {
      const changed = `${line.slice(0, index)}${line[index] === '1' ? '2' : '1'}${line.slice(index + 1)}`;
      expect([index, parseEventLine(changed, sha256Hex).event]).toEqual([index, undefined]);
    }
  });

  it.each([
    ['a blank', line.replace('{', '{ ')],
    ['a doubled name', line.replace('"seq":1', '"seq":1,"seq":1')],
    ['another order', line.replace('"run":"r1","seq":1', '"seq":1,"run":"r1"')],
    ['an escape for a character', line.replace('r1', '\\u00721')],
    ['an escaped lone surrogate', line.replace('r1', '\\ud800')],
  ])('finds %s that leaves the value the same or unhashable', (_what, changed) => {
    expect(parseEventLine(changed, sha256Hex)).toMatchObject({ problem: 'altered', seq: 1 });
  });

  it.each([
    ['', 'not JSON'],
    ['{', 'not JSON'],
    ['null', 'not an event'],
    ['[]', 'not an event'],
    ['{"v":1}', 'not an event'],
    [line.replace('"seq":1', '"seq":"1"'), 'not an event'],
    [line.replace('"call":"c1"', '"call":1'), 'not an event'],
    [line.replace('"details":{', '"details":null,"x":{'), 'not an event'],
  ])('calls %j %s', (text, problem) => {
    expect(parseEventLine(text, sha256Hex)).toMatchObject({ problem });
  });
});
