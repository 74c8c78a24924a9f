import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJsonlSink } from '../audit/jsonl-sink.ts';
import { createAuditLog } from '../audit/log.ts';
import { verifyLog } from '../audit/verify.ts';
import { openAppendLog } from '../fs/append-log.ts';
import { isLogThere, listLogs, readLogLines } from './audit-files.ts';
import { auditDirectory, defaultAuditPath } from './audit-place.ts';
import { sha256Hex } from './node-judging-powers.ts';
import { nodePowers } from './node-powers.ts';
import { openAudit } from './open-audit.ts';

const auditPowers = { now: nodePowers.now, newId: nodePowers.newId, sha256Hex };

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-audit-'));
  path = join(directory, 'log.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = (to: Parameters<typeof openAudit>[0]['to'] = { path, isOwn: false }) =>
  openAudit({ to, content: false, fsync: false, powers: auditPowers });
const recordReads = (count: number) => {
  const log = open();
  const run = log.openRun('r');
  for (let number = 0; number < count; number++) run.record('file.read', { path: 'x', bytes: number });
  log.close();
};
const verify = () => verifyLog(readLogLines(path), { sha256Hex });

describe('openAudit()', () => {
  it('continues one chain from process to process', () => {
    recordReads(3);
    recordReads(2);
    expect(verify()).toMatchObject({ ok: true, events: 5 });
  });

  it('keeps the newest hundred of its own logs and those of the last month, where it makes a new one', () => {
    const isOld = (number: number) => number < 20;
    for (let number = 0; number < 150; number++) {
      const old = join(directory, `${String(number).padStart(3, '0')}.jsonl`);
      writeFileSync(old, '');
      if (isOld(number)) utimesSync(old, 1000, 1000);
    }
    open({ path: join(directory, '999.jsonl'), isOwn: true }).close();
    expect(listLogs(directory)).toHaveLength(131);
    for (const old of listLogs(directory)) utimesSync(old, 1000, 1000);
    // One that the operator named has no others beside it that are Porthole's to remove.
    open({ path: join(directory, '998.jsonl'), isOwn: false }).close();
    expect(listLogs(directory)).toHaveLength(132);
    open({ path: join(directory, 'aaa.jsonl'), isOwn: true }).close();
    expect(listLogs(directory)).toHaveLength(100);
  });

  it('continues it over a line whose writer was killed', () => {
    recordReads(2);
    appendFileSync(path, '{"call":"c1","det');
    expect(verify()).toMatchObject({ ok: true, events: 2, torn: [{ line: 3, bytes: 17 }] });
    recordReads(1);
    expect(verify()).toMatchObject({ ok: true, events: 4, torn: [{ line: 3, bytes: 17 }] });
  });

  it('continues it over rotated files, and loses the oldest only', () => {
    const record = (count: number): void => {
      const file = openAppendLog(path, { maxBytes: 4000 });
      const log = createAuditLog({ sink: createJsonlSink(file, sha256Hex), powers: auditPowers });
      const run = log.openRun('r');
      for (let number = 0; number < count; number++) run.record('file.read', { path: 'x', bytes: number });
      log.close();
    };
    record(15);
    expect(existsSync(`${path}.1`)).toBe(true);
    expect(verify()).toMatchObject({ ok: true, events: 16 });
    record(60);
    expect(existsSync(`${path}.4`)).toBe(true);
    expect(existsSync(`${path}.5`)).toBe(false);
    const { ok, firstSeq, events } = verify();
    expect(ok).toBe(true);
    expect(firstSeq).toBeGreaterThan(1);
    expect(events).toBeGreaterThan(20);
  });

  it('refuses to continue what is no log, and lets go of it', () => {
    writeFileSync(path, 'hello\n');
    expect(() => open()).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('hello\n');
  });

  it('makes the private directory of a log of its own', () => {
    const own = join(directory, 'state', 'audit', 'x', 'log.jsonl');
    open({ path: own, isOwn: true }).close();
    expect(statSync(join(directory, 'state', 'audit', 'x')).mode & 0o777).toBe(0o700);
    expect(statSync(own).mode & 0o777).toBe(0o600);
  });

  it('needs no file', () => {
    expect(open('memory').path).toBe('memory');
    expect(open('off').path).toBe('off');
  });
});

describe('readLogLines()', () => {
  it('gives the lines with their numbers, and what is no UTF-8 as such', () => {
    writeFileSync(path, Buffer.concat([Buffer.from('ä\n'), Buffer.from([0xff, 0x0a]), Buffer.from('end')]));
    expect([...readLogLines(path)]).toEqual([
      { file: path, number: 1, text: 'ä', bytes: 2, isWhole: true },
      { file: path, number: 2, text: undefined, bytes: 1, isWhole: true },
      { file: path, number: 3, text: 'end', bytes: 3, isWhole: false },
    ]);
  });

  it('fails on what cannot be read', () => {
    expect(() => [...readLogLines(directory)]).toThrow('EISDIR');
  });
});

describe('listLogs()', () => {
  it('lists logs in the order of their names, without rotated files, locks and others', () => {
    for (const name of ['b.jsonl', 'a.jsonl', 'a.jsonl.1', 'a.jsonl.lock', 'x.txt'])
      writeFileSync(join(directory, name), '');
    expect(listLogs(directory)).toEqual([join(directory, 'a.jsonl'), join(directory, 'b.jsonl')]);
    expect(listLogs(join(directory, 'none'))).toEqual([]);
    expect(listLogs(join(directory, 'x.txt'))).toEqual([]);
  });

  it('knows whether a log is there', () => {
    expect(isLogThere(path)).toBe(false);
    writeFileSync(`${path}.2`, '');
    expect(isLogThere(path)).toBe(true);
  });
});

describe('auditDirectory()', () => {
  it('keeps the logs of roots apart, also of one name', () => {
    const [one, other] = [auditDirectory('/s', '/a/app'), auditDirectory('/s', '/b/app')];
    expect(one).toMatch(/^\/s\/audit\/app-[0-9a-f]{16}$/);
    expect(one).not.toBe(other);
    expect(auditDirectory('/s', '/')).toMatch(/^\/s\/audit\/root-/);
    expect(auditDirectory('/s', '/a/ä b')).toMatch(/^\/s\/audit\/__b-/);
  });

  it('names a log by the start of its process', () => {
    expect(defaultAuditPath('/s', '/a/app', { now: 0, pid: 7 })).toMatch(/\/1970-01-01T00-00-00-000Z-7\.jsonl$/);
  });
});
