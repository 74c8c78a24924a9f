import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Receipt } from '../contract/receipt.ts';
import { defaultAuditPath } from '../runtime/audit-place.ts';
import { sha256Hex } from '../runtime/node-judging-powers.ts';
import { openAudit } from '../runtime/open-audit.ts';
import { enterDirectory, runHere } from './testing/run-in.ts';

let directory: string;
let leave: () => void;

beforeEach(() => {
  ({ directory, leave } = enterDirectory());
});

afterEach(() => leave());

// Where the command line of this directory keeps its first, or another, log.
const path = (pid = 1) => defaultAuditPath(join(directory, '.state', 'porthole'), directory, { now: 0, pid });

const powers = { now: Date.now, newId: randomUUID, sha256Hex };
const open = (pid = 1) => openAudit({ to: { path: path(pid), isOwn: true }, content: false, fsync: false, powers });

// Writes a log with one run and gives its receipt.
function writeLog(pid = 1, run = 'run-one-1234'): Receipt {
  const log = open(pid);
  const { record, receipt } = log.openRun(run);
  record('run.start', { mode: 'unsafe', limits: { timeMs: 5 } });
  record('tool.call', { name: 'file_write', arguments: 'sha256:a' }, 'c1');
  const sizes = { created: true, bytesBefore: 0, bytesAfter: 3 };
  record('file.write', { path: 'docs/a\u001b.md', mode: 'w', ...sizes, digestAfter: 'd' }, 'c1');
  record('tool.result', { name: 'file_write', ms: 2 }, 'c1');
  record('file.read', { path: 'b c', bytes: 4 });
  record('file.refused', { action: 'file_read', path: '../x', code: 'PATH_TRAVERSAL', reason: 'no' });
  record('approval.answered', { question: 'q', action: 'run', level: 'moderate', decision: 'yes', scope: 'once' });
  record('run.end', { status: 'completed' });
  log.close();
  return receipt();
}

describe('porthole audit verify', () => {
  it('says that a log is intact, and its head', async () => {
    const { auditHead } = writeLog();
    expect(await runHere('audit', 'verify')).toMatchObject({
      exit: 0,
      out: `${path()}: intact, 8 events, head ${auditHead}\n`,
    });
    expect(await runHere('audit', 'verify', '--expect-head', auditHead)).toMatchObject({ exit: 0 });
    expect(await runHere('audit', 'verify', '--audit', path())).toMatchObject({ exit: 0 });
  });

  it('names a changed line', async () => {
    writeLog();
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('b c', 'b d'));
    expect(await runHere('audit', 'verify')).toMatchObject({
      exit: 1,
      err: expect.stringContaining(`${path()}:5: altered: event 5`),
      out: expect.stringContaining('BROKEN, 7 events'),
    });
  });

  it('reports a torn end apart', async () => {
    writeLog();
    writeFileSync(path(), '{"x', { flag: 'a' });
    expect(await runHere('audit', 'verify')).toMatchObject({
      exit: 0,
      err: `${path()}:9: torn: 3 bytes of a line whose writer was killed\n`,
    });
  });

  it('finds a cut tail by the head, in one log and in several', async () => {
    const { auditHead } = writeLog();
    writeFileSync(path(), readFileSync(path(), 'utf8').split('\n').slice(0, 5).join('\n').concat('\n'));
    expect(await runHere('audit', 'verify')).toMatchObject({ exit: 0 });
    expect(await runHere('audit', 'verify', '--expect-head', auditHead)).toMatchObject({ exit: 1 });
    const other = writeLog(2);
    expect(await runHere('audit', 'verify', '--expect-head', other.auditHead)).toMatchObject({ exit: 0 });
    expect(await runHere('audit', 'verify', '--expect-head', auditHead)).toMatchObject({
      exit: 1,
      err: expect.stringContaining('no log ends with'),
    });
  });

  it('tells where older files were rotated away', async () => {
    mkdirSync(dirname(path()), { recursive: true });
    writeLog();
    const [, ...lines] = readFileSync(path(), 'utf8').split('\n');
    writeFileSync(path(), lines.join('\n'));
    expect((await runHere('audit', 'verify')).out).toContain('BROKEN, 7 events from event 2');
  });

  it('prints JSON, and fails where there is no log', async () => {
    expect(await runHere('audit', 'verify')).toMatchObject({ exit: 2 });
    writeLog();
    expect((await runHere('audit', 'verify', '--json')).json()).toMatchObject({
      ok: true,
      logs: [{ log: path(), events: 8, problems: [] }],
    });
    expect(await runHere('audit', 'verify', '--audit', 'none')).toMatchObject({ exit: 2 });
    expect(await runHere('audit', 'verify', 'x')).toMatchObject({ exit: 2 });
  });

  it('looks at the logs of the named root only', async () => {
    writeLog();
    mkdirSync('other');
    expect(await runHere('audit', 'verify', '--root', 'other')).toMatchObject({ exit: 2 });
    expect(await runHere('audit', 'verify', '--root', 'none')).toMatchObject({ exit: 2 });
    expect(await runHere('audit', 'verify', '--root', directory)).toMatchObject({ exit: 0 });
  });

  it('names the other roots that have logs where this one has none', async () => {
    expect((await runHere('audit', 'verify')).err).toContain('--audit FILE, or the root, --root DIR');
    for (const root of ['one', 'two words']) {
      mkdirSync(root);
      await runHere('run', '-e', 'return 1', '--root', root);
    }
    // Neither a log without a run nor one that names a root of somebody else's leads anywhere.
    const audit = join(directory, '.state', 'porthole', 'audit');
    writeFileSync(join(audit, 'stray'), '');
    for (const [name, line] of [
      ['empty', '{'],
      ['liar', JSON.stringify({ kind: 'run.start', details: { root: '/etc' } })],
    ] as const) {
      mkdirSync(join(audit, name));
      writeFileSync(join(audit, name, '9.jsonl'), `${line}\n`);
    }
    const [one, two] = ['one', 'two words'].map((name) => JSON.stringify(join(directory, name)));
    const hint = `Other roots have logs: --root ${two}, --root ${one}.`;
    for (const part of ['verify', 'show', 'receipt x']) {
      expect(await runHere('audit', ...part.split(' '))).toMatchObject({ exit: 2, err: expect.stringContaining(hint) });
    }
    const [start] = (await runHere('audit', 'show', '--root', 'one', '--json')).json() as { run: string }[]; // events
    expect(await runHere('audit', 'verify', '--root', 'one')).toMatchObject({ exit: 0 });
    expect(await runHere('audit', 'receipt', start?.run ?? '', '--root', 'one')).toMatchObject({ exit: 0 });
    const elsewhere = await runHere('audit', 'receipt', start?.run ?? '', '--root', 'two words');
    expect(elsewhere.err).toContain(`Other roots have logs: --root ${one}.`);
  });
});

describe('a tool call in the log', () => {
  it('has no limits: those are of programs', async () => {
    writeFileSync('a.txt', 'x');
    await runHere('tool', 'file_read', '--args', '{"path": "a.txt"}');
    const [start] = (await runHere('audit', 'show', '--json')).json() as { run: string; details: object }[]; // events
    expect(start?.details).not.toHaveProperty('limits');
    expect((await runHere('audit', 'receipt', start?.run ?? '', '--json')).json()).not.toHaveProperty('limits');
    await runHere('run', '-e', '1');
    const starts = (await runHere('audit', 'show', '--json', '--kind', 'run.start')).json();
    expect(starts).toMatchObject([{}, { details: { limits: { timeMs: 10_000 } } }]);
  });
});

describe('porthole audit show', () => {
  it('shows events for people, nothing in them acting on the terminal', async () => {
    writeLog();
    const { exit, out } = await runHere('audit', 'show');
    const lines = out.split('\n');
    expect(exit).toBe(0);
    expect(lines).toHaveLength(9);
    expect(lines[2]).toMatch(/^\S+Z run-one- file\.write bytesAfter=3 /);
    expect(lines[2]).toContain('path=docs/a\\u{1b}.md');
    expect(lines[4]).toContain('path="b c"');
    expect(out).not.toContain('\u001b');
  });

  it('filters by run, kind and path', async () => {
    writeLog();
    writeLog(2, 'run-two');
    const count = async (...flags: string[]) => {
      const events = (await runHere('audit', 'show', '--json', ...flags)).json();
      return Array.isArray(events) ? events.length : -1;
    };
    expect(await count()).toBe(16);
    expect(await count('--run', 'run-two')).toBe(8);
    expect(await count('--run', 'run-o')).toBe(8);
    expect(await count('--kind', 'file.read')).toBe(2);
    expect(await count('--path', 'docs/**')).toBe(2);
    expect(await count('--run', 'run-two', '--kind', 'file.write', '--path', 'docs/*')).toBe(1);
  });

  it('names lines it cannot read', async () => {
    writeLog();
    writeFileSync(path(), Buffer.from('hello\n\xff\n', 'latin1'), { flag: 'a' });
    expect((await runHere('audit', 'show')).err).toBe(
      [9, 10].map((line) => `${path()}:${line}: not an intact event, see porthole audit verify\n`).join(''),
    );
  });

  it('says when no event is like that', async () => {
    writeLog();
    const nothing = { exit: 0, out: '', err: 'no event is like that\n' };
    expect(await runHere('audit', 'show', '--kind', 'file.wrote')).toMatchObject(nothing);
  });

  it('refuses a pattern that nothing fits', async () => {
    writeLog();
    expect(await runHere('audit', 'show', '--path', '../x')).toMatchObject({
      err: expect.stringContaining('above the root'),
    });
    expect(await runHere('audit', 'show', 'x')).toMatchObject({ exit: 2 });
  });
});

describe('porthole audit receipt', () => {
  it('folds the receipt that the run gave', async () => {
    const receipt = writeLog();
    expect((await runHere('audit', 'receipt', 'run-one-1234', '--json')).json()).toEqual(receipt);
  });

  it('prints it for people', async () => {
    const { auditHead } = writeLog();
    expect((await runHere('audit', 'receipt', 'run-one-1234')).out).toBe(
      [
        'run run-one-1234, mode unsafe: completed',
        '  tool      file_write 2 ms',
        '  file      docs/a\\u{1b}.md created, 3 bytes',
        '  read      b c 4 bytes',
        '  refused   file_read ../x PATH_TRAVERSAL: no',
        '  approval  run (moderate) once yes',
        `  head      ${auditHead}`,
        '',
      ].join('\n'),
    );
  });

  it('tells what went otherwise, and counts what a list leaves out', async () => {
    const log = open();
    const { record } = log.openRun('r');
    record('tool.call', { name: 'open', arguments: 'd' }, 'c1');
    record('tool.call', { name: 'failed', arguments: 'd' }, 'c2');
    record('tool.result', { name: 'failed', ms: 1, error: 'MODE_SAFE' }, 'c2');
    record('file.write', { path: 'a', mode: 'a', created: false, bytesBefore: 1, bytesAfter: 2, digestAfter: 'd' });
    record('approval.answered', { question: 'q', action: 'run', level: 'moderate', decision: 'no' });
    for (let number = 0; number < 70; number++) record('file.read', { path: `f${number}`, bytes: 1 });
    log.close();
    const { out } = await runHere('audit', 'receipt', 'r');
    expect(out).toContain('tool      open ? ms');
    expect(out).toContain('tool      failed MODE_SAFE');
    expect(out).toContain('file      a changed, 2 bytes');
    expect(out).toContain('approval  run (moderate) no');
    expect(out).toContain('… and 6 more read files');
  });

  it('takes the beginning of an id, as events are shown with, where one run alone begins so', async () => {
    const receipt = writeLog();
    writeLog(2, 'run-two');
    writeLog(3, 'run-two-more');
    expect((await runHere('audit', 'receipt', 'run-o', '--json')).json()).toEqual(receipt);
    expect((await runHere('audit', 'receipt', 'run-two')).out).toContain('run run-two, mode unsafe');
    expect(await runHere('audit', 'receipt', 'run-t')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('2 runs begin with run-t\n  They are run-two, run-two-more.'),
    });
  });

  it('fails for a run that no log holds', async () => {
    writeLog();
    expect(await runHere('audit', 'receipt', 'x')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('no log holds run x'),
    });
    expect(await runHere('audit', 'receipt')).toMatchObject({ exit: 2 });
  });
});
