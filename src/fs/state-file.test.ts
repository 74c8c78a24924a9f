import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './lock-file.ts';
import { openStateFile } from './state-file.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-state-'));
  path = join(directory, 'porthole', 'state.json');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const set = (value: unknown) => openStateFile(path).update(() => ({ value, result: undefined }));

describe('openStateFile()', () => {
  it('holds nothing at first, and what was last put there later', async () => {
    const file = openStateFile(path);
    expect(file.read()).toBeUndefined();
    expect(await file.update((value) => ({ value: { a: 1 }, result: value }))).toBeUndefined();
    expect(await file.update((value) => ({ value: { a: 2 }, result: value }))).toEqual({ a: 1 });
    expect(openStateFile(path).read()).toEqual({ a: 2 });
  });

  it('is 0600 in a directory of 0700, and leaves nothing else there', async () => {
    await set(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'porthole')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(directory, 'porthole'))).toEqual(['state.json']);
  });

  it('loses no update of several at once', async () => {
    const add = () => openStateFile(path).update((value) => ({ value: Number(value ?? 0) + 1, result: undefined }));
    await Promise.all(Array.from({ length: 10 }, add));
    expect(openStateFile(path).read()).toBe(10);
  });

  it('keeps the old content and gives the lock back when a change throws', async () => {
    await set(1);
    const failing = openStateFile(path).update(() => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(openStateFile(path).read()).toBe(1);
    await set(2);
  });

  it('waits for a lock only so long', async () => {
    mkdirSync(join(directory, 'porthole'));
    takeLock(`${path}.lock`);
    await expect(set(1)).rejects.toThrow('it is held by');
  });

  it('does not believe a file that others may write, a link, a directory, or what is no JSON', async () => {
    await set(1);
    chmodSync(path, 0o666);
    expect(() => openStateFile(path).read()).toThrow('others may write it');
    chmodSync(path, 0o600);
    expect(openStateFile(path).read()).toBe(1);
    symlinkSync(path, join(directory, 'link'));
    expect(() => openStateFile(join(directory, 'link')).read()).toThrow(expect.objectContaining({ code: 'IO_FAILED' }));
    expect(() => openStateFile(directory).read()).toThrow('not a regular file');
    writeFileSync(path, '{');
    expect(() => openStateFile(path).read()).toThrow(expect.objectContaining({ code: 'IO_FAILED' }));
  });

  it.runIf(process.getuid?.() === 0)('does not believe a file of somebody else', async () => {
    const { chownSync } = await import('node:fs');
    await set(1);
    chownSync(path, 65534, 65534);
    expect(() => openStateFile(path).read()).toThrow('it belongs to somebody else');
  });
});
