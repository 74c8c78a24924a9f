import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './lock-file.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-lock-'));
  path = join(directory, 'lock');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const gonePid = () => spawnSync(process.execPath, ['--version']).pid;
const leave = (holder: object) =>
  writeFileSync(path, JSON.stringify({ host: hostname(), started: '', token: 't', ...holder }));
const isTaken = (lock: ReturnType<typeof takeLock>) => !('heldBy' in lock);

describe('takeLock()', () => {
  it('is held by one, tells by whom, and leaves nothing behind', () => {
    const lock = takeLock(path);
    expect(takeLock(path)).toEqual({ heldBy: `process ${process.pid} on ${hostname()}` });
    if (!('heldBy' in lock)) lock.release();
    expect(readdirSync(directory)).toEqual([]);
    expect(isTaken(takeLock(path))).toBe(true);
  });

  it('takes over from a process that died', () => {
    leave({ pid: gonePid() });
    expect(isTaken(takeLock(path))).toBe(true);
    expect(readdirSync(directory)).toEqual(['lock']);
  });

  it('takes over what is no lock', () => {
    writeFileSync(path, '{"pid":');
    expect(isTaken(takeLock(path))).toBe(true);
  });

  it('takes over when the number belongs to another process now', () => {
    const isKnown = existsSync('/proc/self/stat');
    leave({ pid: process.pid, started: '1' });
    expect(isTaken(takeLock(path))).toBe(isKnown);
  });

  it('respects a living process, and any of another host', () => {
    leave({ pid: process.ppid });
    expect(isTaken(takeLock(path))).toBe(false);
    leave({ pid: gonePid(), host: 'elsewhere' });
    expect(takeLock(path)).toEqual({ heldBy: expect.stringContaining('elsewhere') });
  });

  it('does not take over while somebody else does', () => {
    leave({ pid: gonePid() });
    writeFileSync(`${path}.takeover`, '');
    expect(isTaken(takeLock(path))).toBe(false);
    expect(existsSync(`${path}.takeover`)).toBe(true);
  });

  it('removes a takeover whose process died within it', () => {
    leave({ pid: gonePid() });
    writeFileSync(`${path}.takeover`, '');
    utimesSync(`${path}.takeover`, 1, 1);
    expect(isTaken(takeLock(path))).toBe(false);
    expect(isTaken(takeLock(path))).toBe(true);
  });

  it('releases only its own lock', () => {
    const lock = takeLock(path);
    leave({ pid: process.ppid, token: 'other' });
    if (!('heldBy' in lock)) lock.release();
    expect(readFileSync(path, 'utf8')).toContain('other');
  });

  it('fails where no lock can be made', () => {
    expect(() => takeLock(join(directory, 'no', 'lock'))).toThrow('ENOENT');
  });
});
