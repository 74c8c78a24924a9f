import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppendCalls, openAppendLog } from './append-log.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-log-'));
  path = join(directory, 'log.jsonl');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const text = () => readFileSync(path, 'utf8');
const real: AppendCalls = { write: writeSync, sync: fdatasyncSync, truncate: ftruncateSync };

describe('openAppendLog()', () => {
  it('appends whole lines to a file only its owner can read', () => {
    const log = openAppendLog(path);
    log.append('one\n', 'present');
    log.append('zwei ä 😀\n', 'none');
    expect(text()).toBe('one\nzwei ä 😀\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    log.close();
  });

  it('hands each line to the kernel before it returns, in one write', () => {
    const writes: string[] = [];
    const write: AppendCalls['write'] = (descriptor, bytes) => {
      writes.push(Buffer.from(bytes).toString());
      return writeSync(descriptor, bytes);
    };
    const log = openAppendLog(path, { calls: { ...real, write } });
    const long = `${'x'.repeat(100_000)}\n`;
    log.append('one\n', 'present');
    expect(text()).toBe('one\n');
    log.append(long, 'present');
    expect(writes).toEqual(['one\n', long]);
    log.close();
  });

  it('goes on with what is there and takes away what others could read', () => {
    writeFileSync(path, 'old\nlast\n');
    chmodSync(path, 0o644);
    const log = openAppendLog(path);
    expect(log.tail).toEqual({ lastLine: 'last', tornBytes: 0 });
    log.append('new\n', 'present');
    expect(text()).toBe('old\nlast\nnew\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    log.close();
  });

  it.each([
    ['', undefined, 0],
    ['\n', '', 0],
    ['only\n', 'only', 0],
    ['torn', undefined, 4],
    ['a\ntorn', 'a', 4],
    ['\ntorn', '', 4],
    [`a\n${'b'.repeat(10_000)}\n`, 'b'.repeat(10_000), 0],
    [`${'a'.repeat(10_000)}\n${'c'.repeat(20_000)}`, 'a'.repeat(10_000), 20_000],
  ])('finds the end of a file (case %#)', (content, lastLine, tornBytes) => {
    writeFileSync(path, content);
    const log = openAppendLog(path);
    expect(log.tail).toEqual({ lastLine, tornBytes });
    log.close();
  });

  it('keeps a torn line and never glues the next one to it', () => {
    writeFileSync(path, 'a\nto');
    const log = openAppendLog(path);
    expect(text()).toBe('a\nto');
    log.append('b\n', 'present');
    log.append('c\n', 'present');
    expect(text()).toBe('a\nto\nb\nc\n');
    log.close();
  });

  it('has one writer at a time', () => {
    const log = openAppendLog(path);
    expect(() => openAppendLog(path)).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    log.close();
    openAppendLog(path).close();
  });

  it('refuses a link, a directory, and a place that is not there, and gives the lock back', () => {
    writeFileSync(join(directory, 'target'), '');
    symlinkSync('target', path);
    expect(() => openAppendLog(path)).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    expect(existsSync(`${path}.lock`)).toBe(false);
    expect(() => openAppendLog(directory)).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    spawnSync('mkfifo', [join(directory, 'pipe')]);
    expect(() => openAppendLog(join(directory, 'pipe'))).toThrow('not a regular file');
    expect(() => openAppendLog(join(directory, 'no', 'log'))).toThrow(
      expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }),
    );
    rmSync(path);
    openAppendLog(path).close();
  });

  it('refuses once it is closed, and may be closed twice', () => {
    const log = openAppendLog(path);
    log.close();
    log.close();
    expect(() => log.append('a\n', 'present')).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
  });

  it('notices before an effect that the file is gone', () => {
    const log = openAppendLog(path);
    log.append('a\n', 'present');
    rmSync(path);
    expect(() => log.append('b\n', 'present')).toThrow('the file was removed');
    log.close();
  });

  it('waits for the disk with what must be durable, where asked to', () => {
    let synced = 0;
    const sync: AppendCalls['sync'] = (descriptor) => {
      synced++;
      fdatasyncSync(descriptor);
    };
    const log = openAppendLog(path, { fsync: true, calls: { ...real, sync } });
    log.append('a\n', 'none');
    log.append('b\n', 'present');
    expect(synced).toBe(0);
    log.append('c\n', 'durable');
    expect(synced).toBe(1);
    log.close();
  });
});

describe('openAppendLog() on a failing disk', () => {
  it('takes a half written line back, and can go on', () => {
    let isFull = false;
    const write: AppendCalls['write'] = (descriptor, bytes) =>
      writeSync(descriptor, isFull ? bytes.subarray(0, 3) : bytes);
    const log = openAppendLog(path, { calls: { ...real, write } });
    log.append('one\n', 'present');
    isFull = true;
    expect(() => log.append('two two\n', 'present')).toThrow('only 3 of 8 bytes could be written');
    expect(text()).toBe('one\n');
    isFull = false;
    log.append('three\n', 'present');
    expect(text()).toBe('one\nthree\n');
    log.close();
  });

  it('takes nothing more when half a line cannot be taken back', () => {
    let isFull = true;
    const calls: AppendCalls = {
      ...real,
      write: (descriptor, bytes) => {
        if (!isFull) return writeSync(descriptor, bytes);
        writeSync(descriptor, bytes.subarray(0, 3));
        throw new Error('no space left on device');
      },
      truncate: () => {
        throw new Error('input/output error');
      },
    };
    const log = openAppendLog(path, { calls });
    expect(() => log.append('two\n', 'present')).toThrow('no space left on device');
    isFull = false;
    expect(() => log.append('three\n', 'present')).toThrow('half a line');
    log.close();
  });
});

describe('openAppendLog() rotation', () => {
  it('starts a new file when a line would not fit, and keeps five in all', () => {
    const log = openAppendLog(path, { maxBytes: 8 });
    const append = (line: string): boolean => {
      const rotated = log.rotateFor(line);
      log.append(line, 'present');
      return rotated;
    };
    expect(append('1111\n')).toBe(false);
    expect(append('22\n')).toBe(false);
    for (let number = 3; number <= 9; number++) expect(append(`${number}${number}${number}${number}\n`)).toBe(true);
    expect(text()).toBe('9999\n');
    expect(['.1', '.2', '.3', '.4'].map((end) => readFileSync(path + end, 'utf8'))).toEqual([
      '8888\n',
      '7777\n',
      '6666\n',
      '5555\n',
    ]);
    expect(existsSync(`${path}.5`)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    log.close();
  });

  it('writes a line larger than a file into a file of its own', () => {
    const log = openAppendLog(path, { maxBytes: 4 });
    expect(log.rotateFor('larger\n')).toBe(false);
    log.append('larger\n', 'present');
    expect(log.rotateFor('a\n')).toBe(true);
    log.close();
  });

  it('moves nothing when the new file cannot be made', () => {
    const log = openAppendLog(path, { maxBytes: 4 });
    log.append('one\n', 'present');
    rmSync(directory, { recursive: true });
    expect(() => log.rotateFor('two\n')).toThrow(expect.objectContaining({ code: 'AUDIT_UNAVAILABLE' }));
    log.close();
  });
});
