import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { nodeSyscalls } from '../fs/syscalls.ts';
import { codeOf } from '../fs/testing/code-of.ts';
import { watchSyscalls } from '../fs/testing/watched-syscalls.ts';
import { type ReadInput, type ReadPowers, readFile } from './read-file.ts';
import { corePowers } from './testing/core-surface.ts';

let base: string;
let disk: DiskRoot;
let powers: ReadPowers;
let bytesRead = 0;

const counting = {
  ...nodeSyscalls,
  read: (...args: Parameters<typeof nodeSyscalls.read>) => {
    const count = nodeSyscalls.read(...args);
    bytesRead += count;
    return count;
  },
};

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'porthole-read-'));
  disk = createDiskRoot({ root: base, syscalls: counting });
  powers = corePowers();
  bytesRead = 0;
});

afterEach(() => {
  disk.close();
  rmSync(base, { recursive: true });
});

const file = (name: string, content: string | Uint8Array) => writeFileSync(join(base, name), content);
const read = (input: ReadInput, more: Partial<ReadPowers> = {}) => readFile(disk, input, { ...powers, ...more });
const textOf = (input: ReadInput) => Buffer.from(read(input).bytes).toString();

describe('readFile() of a whole file', () => {
  it('gives its bytes, its length in code points and its digest', () => {
    file('f', '\ufeffa👍\r\n');
    const result = read({ path: './f' });
    expect(Buffer.from(result.bytes).toString()).toBe('\ufeffa👍\r\n');
    expect(result).toMatchObject({ shownPath: 'f', resolvedPath: 'f', nextOffset: null });
    expect([result.chars(), result.totalChars()]).toEqual([5, 5]);
    expect(result.digest()).toBe(powers.digest(result.bytes));
  });

  it('computes digest and length only when asked, and once', () => {
    file('f', 'abc');
    let digests = 0;
    const digest = () => `sha256:${++digests}`;
    const result = read({ path: 'f' }, { digest });
    expect(digests).toBe(0);
    expect([result.digest(), result.digest()]).toEqual(['sha256:1', 'sha256:1']);
  });

  it('is also what a window as long as the file gives', () => {
    file('f', 'aé');
    expect(read({ path: 'f', offset: null, maxChars: 2 }).digest()).toBe(read({ path: 'f' }).digest());
    expect(read({ path: 'f', maxChars: 2 })).toMatchObject({ nextOffset: null });
  });

  it('over the limit is refused, and the message says how to go on', () => {
    file('f', 'a'.repeat(11));
    expect(() => read({ path: 'f' }, { maxReadBytes: 10 })).toThrow(
      /11 bytes.*at most 10: read windows with max_chars/,
    );
    expect(read({ path: 'f' }, { maxReadBytes: 11 }).bytes).toHaveLength(11);
    expect(read({ path: 'f', maxChars: 10 }, { maxReadBytes: 10 }).bytes).toHaveLength(10);
  });

  it('that grows while it is read is read to its end', () => {
    file('f', 'abc');
    const growing = watchSyscalls(({ name, index }) => {
      if (name === 'read' && index < 6) file('f', 'abcdef');
      return undefined;
    });
    using other = createDiskRoot({ root: base, syscalls: growing.syscalls });
    growing.start();
    expect(Buffer.from(readFile(other, { path: 'f' }, powers).bytes).toString()).toBe('abcdef');
  });
});

describe('readFile() of a window', () => {
  it('counts code points, and says where the next one begins', () => {
    file('f', 'a👍é漢b');
    const result = read({ path: 'f', offset: 1, maxChars: 2 });
    expect(Buffer.from(result.bytes).toString()).toBe('👍é');
    expect([result.chars(), result.totalChars(), result.nextOffset, result.digest()]).toEqual([2, null, 3, null]);
  });

  it('knows the whole length when it reaches the end or lies behind it', () => {
    file('f', 'a👍é');
    expect(read({ path: 'f', offset: 2, maxChars: 1 }).totalChars()).toBe(3);
    const behind = read({ path: 'f', offset: 9, maxChars: 1 });
    expect([behind.bytes.length, behind.totalChars(), behind.nextOffset]).toEqual([0, 3, null]);
  });

  it('of nothing is empty', () => {
    file('f', 'abc');
    expect(read({ path: 'f', maxChars: 0 })).toMatchObject({ nextOffset: 0 });
    expect(textOf({ path: 'f', offset: 1, maxChars: 0 })).toBe('');
  });

  it('costs no more than itself near the start of a large file', () => {
    file('f', 'é'.repeat(1_000_000));
    expect(textOf({ path: 'f', offset: 10, maxChars: 10 })).toHaveLength(10);
    expect(bytesRead).toBeLessThan(10_000);
  });

  it('after window reads a file once, though each call opens it anew', () => {
    const content = 'aé漢👍\n'.repeat(100_000);
    file('f', content);
    let joined = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const result = read({ path: 'f', offset, maxChars: 10_000 });
      joined += Buffer.from(result.bytes).toString();
      offset = result.nextOffset;
    }
    expect(joined === content).toBe(true);
    expect(bytesRead).toBeLessThan(Buffer.byteLength(content) * 1.5);
  });

  it('does not trust where the last one ended once the file has changed', () => {
    file('f', 'é'.repeat(1000));
    read({ path: 'f', offset: 0, maxChars: 500 });
    file('f', `a${'é'.repeat(1000)}`);
    expect(textOf({ path: 'f', offset: 500, maxChars: 2 })).toBe('éé');
    expect(textOf({ path: 'f', offset: 0, maxChars: 2 })).toBe('aé');
  });

  it('starts over when what it remembers falls into the middle of a code point', () => {
    file('f', 'é漢'.repeat(100));
    const lying = { ...powers.cursors, nearest: () => ({ chars: 3, bytes: 4 }) };
    const result = read({ path: 'f', offset: 3, maxChars: 1 }, { cursors: lying });
    expect(Buffer.from(result.bytes).toString()).toBe('漢');
  });
});

describe('readFile() refuses', () => {
  it.each([
    { offset: -1 },
    { offset: 0.5 },
    { offset: Number.NaN },
    { offset: 2 ** 53 },
    { offset: '1' },
    { maxChars: -1 },
    { maxChars: Number.POSITIVE_INFINITY },
    { maxChars: true },
    { maxChars: [] },
  ])('%j', async (window) => {
    file('f', 'abc');
    expect(await codeOf(() => read({ path: 'f', ...window }))).toBe('ARGUMENT_INVALID');
  });

  it('bytes that are no UTF-8, with the position of the first of them', () => {
    file('f', Uint8Array.from([0x61, 0xc3, 0xa9, 0xff]));
    expect(() => read({ path: 'f' })).toThrow('first bad byte is byte 3');
    expect(() => read({ path: 'f', offset: 1, maxChars: 2 })).toThrow('first bad byte is byte 3');
    expect(textOf({ path: 'f', maxChars: 2 })).toBe('aé');
  });

  it.each([
    ['UTF-16 (little-endian)', [0xff, 0xfe, 0x61, 0]],
    ['UTF-16 (big-endian)', [0xfe, 0xff, 0, 0x61]],
    ['UTF-32 (little-endian)', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
    ['UTF-32 (big-endian)', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61]],
  ])('%s by its name', (name, bytes) => {
    file('f', Uint8Array.from(bytes));
    expect(() => read({ path: 'f' })).toThrow(`its first bytes are a ${name} mark`);
    expect(() => read({ path: 'f', offset: 5, maxChars: 1 })).toThrow(`its first bytes are a ${name} mark`);
  });
});
