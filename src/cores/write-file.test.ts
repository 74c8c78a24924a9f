import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import { codeOf } from '../fs/testing/code-of.ts';
import { asOrdinaryUser, createWorld } from '../fs/testing/world.ts';
import { corePowers } from './testing/core-surface.ts';
import { planWrite, type WritePowers, writeFile } from './write-file.ts';
import type { WriteInput } from './write-request.ts';

let base: string;
let disk: DiskRoot;
const powers = corePowers();

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'porthole-write-'));
  disk = createDiskRoot({ root: base });
});

afterEach(() => {
  disk.close();
  rmSync(base, { recursive: true });
});

const write = (input: WriteInput, more: Partial<WritePowers> = {}) => writeFile(disk, input, { ...powers, ...more });
const put = (content: string | Uint8Array) => writeFileSync(join(base, 'f'), content);
const held = () => readFileSync(join(base, 'f'), 'utf8');
const digestOf = (text: string) => powers.digest(Buffer.from(text));

describe('writeFile()', () => {
  it('creates a file and tells what it wrote', () => {
    const result = write({ path: 'f', content: 'aé👍' });
    expect(result).toMatchObject({ shownPath: 'f', mode: 'w', charsWritten: 3, bytesBefore: 0, bytesAfter: 7 });
    expect(result).toMatchObject({ created: true, splitFromLinks: null });
    expect([result.digest(), result.digestBefore()]).toEqual([digestOf('aé👍'), null]);
    expect(held()).toBe('aé👍');
  });

  it('replaces a file whole', () => {
    put('before');
    const result = write({ path: 'f', content: '', mode: null, offset: null, expect: digestOf('before') });
    expect(result).toMatchObject({ created: false, bytesBefore: 6, bytesAfter: 0 });
    expect([result.digest(), result.digestBefore()]).toEqual([digestOf(''), digestOf('before')]);
    expect(held()).toBe('');
  });

  it('appends exactly the content, to any bytes, and creates where nothing is', () => {
    put(Uint8Array.from([0xff]));
    write({ path: 'f', content: 'é', mode: 'a' });
    expect(readFileSync(join(base, 'f')).toString('hex')).toBe('ffc3a9');
    expect(write({ path: 'g', content: 'new', mode: 'a' }).created).toBe(true);
  });

  it('inserts before any code point, the end included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat(30), (given, at) => {
        const points = [...given.toWellFormed()];
        const offset = Math.min(at, points.length);
        put(points.join(''));
        write({ path: 'f', content: '|', mode: 'insert', offset });
        expect(held()).toBe([...points.slice(0, offset), '|', ...points.slice(offset)].join(''));
      }),
      { numRuns: 30 },
    );
  });

  it('inserts at the start when no offset is given', () => {
    put('b');
    write({ path: 'f', content: 'a', mode: 'insert' });
    expect(held()).toBe('ab');
  });

  it('replaces a file that is too large to be read', () => {
    put('');
    truncateSync(join(base, 'f'), 5000);
    const result = write({ path: 'f', content: 'new' }, { maxReadBytes: 100, maxWriteBytes: 100 });
    expect(result).toMatchObject({ bytesBefore: 5000, bytesAfter: 3 });
    expect(result.digestBefore()).toBeNull();
  });

  it('replaces a file its user may write and not read', async () => {
    await using world = createWorld();
    await world.furnish([{ file: 'f', text: 'old', mode: '0200' }]);
    using own = createDiskRoot({ root: world.root });
    const append = () => writeFile(own, { path: 'f', content: 'new', mode: 'a' }, powers);
    expect(await asOrdinaryUser(() => codeOf(append))).toBe('PERMISSION_DENIED');
    const result = asOrdinaryUser(() => writeFile(own, { path: 'f', content: 'new' }, powers));
    expect(result.bytesAfter).toBe(3);
    expect(result.digestBefore()).toBeNull();
  });
});

describe('writeFile() refuses, and writes nothing', () => {
  it.each<[string, WriteInput]>([
    ['ARGUMENT_INVALID', { content: 5 }],
    ['ARGUMENT_INVALID', {}],
    ['ARGUMENT_INVALID', { content: null }],
    ['ARGUMENT_INVALID', { content: 'x', mode: 'x+' }],
    ['ARGUMENT_INVALID', { content: 'x', mode: 1 }],
    ['ARGUMENT_INVALID', { content: 'x', offset: 0 }],
    ['ARGUMENT_INVALID', { content: 'x', mode: 'a', offset: 1 }],
    ['ARGUMENT_INVALID', { content: 'x', mode: 'insert', offset: -1 }],
    ['ARGUMENT_INVALID', { content: 'x', expect: 'abc' }],
    ['ARGUMENT_INVALID', { content: 'x', expect: 5 }],
    ['CONTENT_NOT_WELL_FORMED', { content: '\ud83d' }],
    ['OFFSET_PAST_END', { content: 'x', mode: 'insert', offset: 4 }],
  ])('with %s: %j', async (code, input) => {
    put('old');
    expect(await codeOf(() => write({ path: 'f', ...input }))).toBe(code);
    expect([held(), readdirSync(base)]).toEqual(['old', ['f']]);
  });

  it('content or a result over the limit, in every mode', async () => {
    put('old');
    const most = { maxWriteBytes: 5 };
    expect(await codeOf(() => write({ path: 'f', content: 'ééé' }, most))).toBe('FILE_TOO_LARGE');
    expect(await codeOf(() => write({ path: 'f', content: 'abcdef' }, most))).toBe('FILE_TOO_LARGE');
    expect(await codeOf(() => write({ path: 'f', content: 'abc', mode: 'a' }, most))).toBe('FILE_TOO_LARGE');
    expect(await codeOf(() => write({ path: 'f', content: 'abc', mode: 'insert' }, most))).toBe('FILE_TOO_LARGE');
    expect(held()).toBe('old');
    write({ path: 'f', content: 'ab', mode: 'a' }, most);
    expect(held()).toBe('oldab');
  });

  it('to insert where nothing is, or into what is no text', async () => {
    expect(await codeOf(() => write({ path: 'f', content: 'x', mode: 'insert' }))).toBe('NOT_FOUND');
    put(Uint8Array.from([0x61, 0xff]));
    expect(await codeOf(() => write({ path: 'f', content: 'x', mode: 'insert' }))).toBe('NOT_UTF8');
  });

  it('a digest of something else, however large the file is now', async () => {
    put('other');
    const input = { path: 'f', content: 'x', expect: digestOf('read') };
    expect(await codeOf(() => write(input))).toBe('CHANGED_SINCE_READ');
    const most = { maxReadBytes: 3, maxWriteBytes: 3 };
    expect(await codeOf(() => write(input, most))).toBe('CHANGED_SINCE_READ');
  });
});

describe('planWrite()', () => {
  it('changes nothing before its commit, and knows everything about it', () => {
    put('old');
    using plan = planWrite(disk, { path: './f', content: 'new', mode: 'a' }, powers);
    expect(plan).toMatchObject({ shownPath: 'f', creates: false, charsWritten: 3, bytesBefore: 3, bytesAfter: 6 });
    expect(Buffer.from(plan.before ?? []).toString()).toBe('old');
    expect(Buffer.from(plan.after).toString()).toBe('oldnew');
    expect([plan.digestBefore(), plan.digest()]).toEqual([digestOf('old'), digestOf('oldnew')]);
    expect(held()).toBe('old');
    expect(plan.commit()).toMatchObject({ bytesAfter: 6, created: false });
    expect(held()).toBe('oldnew');
  });

  it('commits once: a second time the file is another', async () => {
    put('old');
    using plan = planWrite(disk, { path: 'f', content: 'new' }, powers);
    plan.commit();
    expect(await codeOf(plan.commit)).toBe('CHANGED_SINCE_READ');
  });

  it('lets only one of two plans for a file through', async () => {
    put('');
    using one = planWrite(disk, { path: 'f', content: '1', mode: 'a' }, powers);
    using other = planWrite(disk, { path: './f', content: '2', mode: 'a' }, powers);
    expect(one.lockKey).toBe(other.lockKey);
    one.commit();
    expect(await codeOf(other.commit)).toBe('CHANGED_SINCE_READ');
    expect(held()).toBe('1');
  });
});
