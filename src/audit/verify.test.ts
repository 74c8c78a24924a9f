import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../text/canonical-json.ts';
import { chainStart, sealEvent } from './event.ts';
import { type LogLine, verifyLog } from './verify.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

// The lines of a chain of events, without their line feeds.
function createChain(count: number, from = { seq: 0, hash: chainStart }, kinds: Record<number, object> = {}): string[] {
  const lines: string[] = [];
  let prev = from.hash;
  for (let seq = from.seq + 1; seq <= from.seq + count; seq++) {
    const draft = {
      v: 1,
      seq,
      id: `e${seq}`,
      time: 't',
      run: 'r',
      kind: 'file.read',
      details: { seq },
      ...kinds[seq],
    } as const;
    const sealed = sealEvent({ ...draft, prev }, sha256Hex);
    lines.push(sealed.line.slice(0, -1));
    prev = sealed.hash;
  }
  return lines;
}

const toLines = (texts: readonly string[], lastIsWhole = true): LogLine[] =>
  texts.map((text, index) => ({
    file: 'log',
    number: index + 1,
    text,
    bytes: Buffer.byteLength(text),
    isWhole: lastIsWhole || index < texts.length - 1,
  }));

const verify = (texts: readonly string[], expectHead?: string) =>
  verifyLog(toLines(texts), { sha256Hex, ...(expectHead === undefined ? {} : { expectHead }) });

const named = (texts: readonly string[]) => verify(texts).problems.map(({ kind, line }) => `${kind} ${line}`);

const headOf = (line: string | undefined) => String(JSON.parse(line ?? '{}').hash);

// The line changed and sealed anew, as somebody would who knows how the chain is made.
function reseal(line: string, change: object): string {
  const { hash: _hash, ...event } = { ...JSON.parse(line), ...change };
  return canonicalJson({ ...event, hash: sha256Hex(event.prev + canonicalJson(event)) });
}

describe('verifyLog()', () => {
  const chain = createChain(8);

  it('finds nothing in an intact chain', () => {
    expect(verify(chain)).toEqual({ ok: true, events: 8, head: headOf(chain[7]), firstSeq: 1, problems: [], torn: [] });
    expect(verify([])).toMatchObject({ ok: true, events: 0, head: chainStart });
  });

  it('names an altered line', () => {
    expect(named(chain.with(3, (chain[3] ?? '').replace('"seq":4}', '"seq":5}')))).toEqual(['altered 4']);
    expect(named(chain.with(0, (chain[0] ?? '').replace('"r"', '"x"')))).toEqual(['altered 1']);
    expect(named(chain.with(7, (chain[7] ?? '').replace('"r"', '"x"')))).toEqual(['altered 8']);
  });

  it('names a line that was altered together with its hash', () => {
    expect(named(chain.with(3, reseal(chain[3] ?? '', { run: 'x' })))).toEqual(['resealed 4']);
    expect(named(chain.with(0, reseal(chain[0] ?? '', { run: 'x' })))).toEqual(['resealed 1']);
    expect(named(chain.with(3, reseal(chain[3] ?? '', { prev: 'a'.repeat(64) })))).toEqual(['resealed 4']);
  });

  it('names a first line that follows another event', () => {
    const [first = '', ...rest] = chain;
    const changed = reseal(first, { prev: 'a'.repeat(64) });
    expect(verify([changed, ...rest]).problems.map(({ line }) => line)).toContain(1);
  });

  it('names the place of a removed line', () => {
    expect(named(chain.toSpliced(3, 1))).toEqual(['removed 4']);
    expect(named(chain.toSpliced(3, 3))).toEqual(['removed 4']);
    expect(verify(chain.toSpliced(3, 2)).problems[0]?.message).toBe(
      '2 events are missing before this line, between events 3 and 6',
    );
    expect(named(chain.slice(1))).toEqual(['removed 1']);
  });

  it('names a line that stands elsewhere', () => {
    const [a = '', b = '', c = '', d = ''] = chain;
    expect(named([a, c, d, b])).toEqual(['reordered 4']);
    expect(named([d, a, b, c])).toEqual(['reordered 1']);
    expect(named([a, c, b, d])).toHaveLength(1);
    expect(named([a, c, b, d])[0]).toMatch(/^reordered [23]$/);
  });

  it('names a line that stands there twice', () => {
    const [a = '', b = '', c = ''] = chain;
    expect(named([a, b, c, b])).toEqual(['repeated 4']);
  });

  it('names a line that is no event', () => {
    expect(named(chain.toSpliced(2, 0, 'hello'))).toEqual(['unreadable 3']);
    expect(named(chain.with(2, '{"v":1}'))).toEqual(['unreadable 3']);
    const notUtf8 = { file: 'log', number: 1, text: undefined, bytes: 3, isWhole: true };
    expect(verifyLog([notUtf8], { sha256Hex }).problems).toMatchObject([{ kind: 'unreadable', line: 1 }]);
  });

  it('reports a torn last line apart', () => {
    const torn = [...chain, (chain[0] ?? '').slice(0, 40)];
    expect(verifyLog(toLines(torn, false), { sha256Hex })).toMatchObject({
      ok: true,
      events: 8,
      torn: [{ file: 'log', line: 9, bytes: 40 }],
    });
    expect(named(torn)).toEqual(['unreadable 9']);
  });

  it('reports a line apart that the next writer found torn and said so', () => {
    const after = createChain(
      2,
      { seq: 8, hash: headOf(chain[7]) },
      { 9: { kind: 'log.recovered', details: { tornBytes: 5 } } },
    );
    expect(verify([...chain, '{"cal', ...after])).toMatchObject({
      ok: true,
      events: 10,
      torn: [{ line: 9, bytes: 5 }],
    });
    expect(named([...chain, '{"call', ...after])).toEqual(['unreadable 9']);
  });

  it('takes a log whose oldest files were rotated away, and no other late beginning', () => {
    const from = { seq: 4, hash: headOf(chain[3]) };
    const rotated = createChain(3, from, { 5: { kind: 'log.rotated', details: {} } });
    expect(verify(rotated)).toMatchObject({ ok: true, firstSeq: 5 });
    expect(named(rotated.slice(1))).toEqual(['removed 1']);
  });

  it('shows a cut tail only by the head', () => {
    const head = headOf(chain[7]);
    expect(verify(chain.slice(0, 6))).toMatchObject({ ok: true });
    expect(verify(chain.slice(0, 6), head).problems).toMatchObject([{ kind: 'head', line: 6 }]);
    expect(verify(chain, head.toUpperCase())).toMatchObject({ ok: true });
    expect(verify([], head).problems).toMatchObject([{ kind: 'head', line: 0 }]);
  });

  it('is not silent about any single removal, swap or change within the chain', () => {
    const long = createChain(12);
    const place = fc.nat({ max: 11 });
    fc.assert(
      fc.property(place, place, fc.constantFrom('remove', 'swap', 'change'), (one, other, how) => {
        fc.pre(one !== other && !(how === 'remove' && one === 11));
        const [a = '', b = ''] = [long[one], long[other]];
        const broken =
          how === 'remove'
            ? long.toSpliced(one, 1)
            : how === 'swap'
              ? long.with(one, b).with(other, a)
              : long.with(one, a.replace('"t"', '"u"'));
        expect(verify(broken).ok).toBe(false);
      }),
    );
  });
});
