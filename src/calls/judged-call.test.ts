import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Effect } from '../contract/outcome.ts';
import { createWindowCursors } from '../cores/window-cursors.ts';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { type Caller, type CallTarget, callReadFile, callWriteFile } from './judged-call.ts';

let directory: string;
let root: DiskRoot;
let target: CallTarget;
let effects: Effect[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-calls-'));
  root = createDiskRoot({ root: directory, protectedPaths: [join(directory, 'own.txt')] });
  const cursors = createWindowCursors();
  const digest = (bytes: Uint8Array) => `digest of ${bytes.length}`;
  target = { fs: root, powers: { digest, maxReadBytes: 100, maxWriteBytes: 100, cursors, lineCursors: cursors } };
  effects = [];
});

afterEach(() => {
  root.close();
  rmSync(directory, { recursive: true, force: true });
});

function caller(more: Partial<Caller> = {}): Caller {
  const record = (effect: Effect) => void effects.push(effect);
  return { name: 'write_file', mode: 'unsafe', context: { _unsafe_mode: true }, record, ...more };
}

describe('callReadFile()', () => {
  it('reads in every mode, and records the effect only when it is settled', () => {
    writeFileSync(join(directory, 'a.txt'), 'hé');
    const { result, settle } = callReadFile(target, caller({ name: 'read_file', mode: 'safe', context: {} }), {
      path: './a.txt',
    });
    expect(Buffer.from(result.bytes).toString()).toBe('hé');
    expect(effects).toEqual([]);
    settle();
    expect(effects).toEqual([{ helper: 'read_file', path: 'a.txt', bytes: 3, digest: 'digest of 3' }]);
  });
});

describe('callWriteFile()', () => {
  it('writes and records what the file is now', () => {
    callWriteFile(target, caller(), { path: 'a.txt', content: 'one' }).settle();
    callWriteFile(target, caller(), { path: 'a.txt', content: ' two', mode: 'a' }).settle();
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('one two');
    expect(effects).toEqual([
      { helper: 'write_file', path: 'a.txt', bytes: 3, digest: 'digest of 3', created: true },
      { helper: 'write_file', path: 'a.txt', bytes: 7, digest: 'digest of 7', created: false },
    ]);
  });

  it.each([
    ['the arguments', { path: 'a.txt', content: 5 }, 'ARGUMENT_INVALID'],
    ['the path', { path: '../a.txt', content: 'x' }, 'PATH_TRAVERSAL'],
    ['the place', { path: 'no/a.txt', content: 'x' }, 'PARENT_NOT_FOUND'],
    ['what is protected', { path: 'own.txt', content: 'x' }, 'PATH_PROTECTED'],
  ])('judges %s before the gates', (_, input, code) => {
    expect(() => callWriteFile(target, caller({ mode: 'safe', context: {} }), input)).toThrowError(
      expect.objectContaining({ code }),
    );
  });

  it.each([
    ['mode', { mode: 'safe' }, 'MODE_SAFE'],
    ['flag', { context: {} }, 'UNSAFE_FLAG_MISSING'],
  ] as const)(
    'tells nothing of the content to a caller without the %s, and writes not even a temporary',
    (_, more, code) => {
      writeFileSync(join(directory, 'a.txt'), Buffer.from([0xff]));
      const expect_ = `sha256:${'0'.repeat(64)}`;
      for (const input of [
        { path: 'a.txt', content: 'x', expect: expect_ },
        { path: 'a.txt', content: 'x', mode: 'insert', offset: 9 },
        { path: 'new.txt', content: 'x' },
      ]) {
        expect(() => callWriteFile(target, caller(more), input)).toThrowError(expect.objectContaining({ code }));
      }
      expect(readdirSync(directory)).toEqual(['a.txt']);
      expect(effects).toEqual([]);
    },
  );

  it('records nothing of a write that failed', () => {
    expect(() => callWriteFile(target, caller(), { path: 'a.txt', content: 'x'.repeat(101) })).toThrowError(
      expect.objectContaining({ code: 'FILE_TOO_LARGE' }),
    );
    expect(effects).toEqual([]);
  });

  it('lets go of the place, whether it wrote or was refused', () => {
    const open = () => readdirSync('/proc/self/fd').length;
    callWriteFile(target, caller(), { path: 'a.txt', content: 'x' });
    const before = open();
    for (let round = 0; round < 20; round++) {
      callWriteFile(target, caller(), { path: 'a.txt', content: 'x' });
      expect(() => callWriteFile(target, caller({ context: {} }), { path: 'a.txt', content: 'x' })).toThrow();
    }
    expect(open()).toBe(before);
  });
});
