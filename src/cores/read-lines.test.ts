import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDiskRoot, type DiskRoot } from '../fs/disk-root.ts';
import type { FileSystem } from '../fs/port.ts';
import { eachLine } from '../text/byte-lines.ts';
import { renderPageLine } from '../text/shown-line.ts';
import { type LinesInput, type LinesPage, readLines } from './read-lines.ts';
import { createWindowCursors } from './window-cursors.ts';

let directory: string;
let root: DiskRoot;
let powers: Parameters<typeof readLines>[2];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'porthole-lines-'));
  root = createDiskRoot({ root: directory });
  powers = {
    digest: (bytes) => `digest of ${bytes.length}`,
    maxReadBytes: 1024 * 1024,
    lineCursors: createWindowCursors(),
  };
});

afterEach(() => {
  root.close();
  rmSync(directory, { recursive: true, force: true });
});

function page(content: string | Uint8Array, input: Omit<LinesInput, 'path'> = {}): LinesPage {
  writeFileSync(join(directory, 'f'), content);
  return readLines(root, { path: 'f', ...input }, powers);
}

describe('readLines()', () => {
  it('counts a\\nb and a\\nb\\n as two lines, and an empty file as none', () => {
    expect(page('a\nb')).toMatchObject({ lines: ['a', 'b'], totalLines: 2, nextLine: null });
    expect(page('a\nb\n')).toMatchObject({ lines: ['a', 'b'], totalLines: 2, nextLine: null });
    expect(page('')).toMatchObject({ lines: [], totalLines: 0, nextLine: null });
  });

  it('ends lines at \\n, \\r\\n and \\r alone, and shows no byte order mark', () => {
    expect(page('\ufeffa\r\nb\rc\u2028d\n\n').lines).toEqual(['a', 'b', 'c\\u{2028}d', '']);
    expect(page('\ufeff')).toMatchObject({ lines: [], totalLines: 0 });
  });

  it('shows at most limit lines and says where the next page begins', () => {
    expect(page('a\nb\nc\n', { limit: 2 })).toMatchObject({ lines: ['a', 'b'], totalLines: null, nextLine: 3 });
    expect(page('a\nb\nc\n', { line: 3, limit: 2 })).toMatchObject({ firstLine: 3, lines: ['c'], totalLines: 3 });
  });

  it('sees the end of the file also where the page ends there exactly', () => {
    expect(page('a\nb\n', { limit: 2 })).toMatchObject({ totalLines: 2, nextLine: null });
  });

  it('shows 200 lines unless told otherwise', () => {
    expect(page('x\n'.repeat(500))).toMatchObject({ nextLine: 201, lines: { length: 200 } });
  });

  it('keeps a page under 16 KiB, and shows one line at least', () => {
    const long = page(`${'x'.repeat(1500)}\n`.repeat(30));
    expect(long.lines).toHaveLength(10);
    expect(long.nextLine).toBe(11);
    // The longest a line can get: every character an escape of 8.
    expect(page(`${'\u2028'.repeat(5000)}\nb`, { limit: 1 })).toMatchObject({ lines: { length: 1 }, nextLine: 2 });
  });

  it('is empty past the end, and knows how many lines there are', () => {
    expect(page('a\nb\n', { line: 9 })).toMatchObject({ lines: [], totalLines: 2, nextLine: null });
    expect(page('a\nb\n', { line: 3 })).toMatchObject({ lines: [], totalLines: 2, nextLine: null });
  });

  it('shows bytes that are no UTF-8 as \\xE9 and says so', () => {
    expect(page(Buffer.from([0x61, 0xe9, 0x0a, 0x62]))).toMatchObject({
      lines: ['a\\xE9', 'b'],
      hasInvalidBytes: true,
    });
    expect(page('aé')).toMatchObject({ hasInvalidBytes: false });
  });

  it('has the digest of a file that is on the page as a whole, and of no other', () => {
    expect(page('a\nb\n').digest()).toBe('digest of 4');
    expect(page('\ufeffa').digest()).toBe('digest of 4');
    expect(page('a\nb\n', { limit: 1 }).digest()).toBeNull();
    expect(page('a\nb\n', { line: 2 }).digest()).toBeNull();
  });

  it.each([
    { line: 0 },
    { line: -1 },
    { line: 1.5 },
    { line: '1' },
    { line: Number.NaN },
    { limit: 0 },
    { limit: 2 ** 53 },
    { limit: [] },
  ])('refuses $line $limit as a place of lines', (input) => {
    expect(() => page('a', input)).toThrowError(expect.objectContaining({ code: 'ARGUMENT_INVALID', path: 'f' }));
  });

  it('takes null for what is not given', () => {
    expect(page('a\nb', { line: null, limit: null })).toMatchObject({ lines: ['a', 'b'] });
  });

  it('refuses a line longer than one call reads, and goes past it to others', () => {
    const content = `first\n${'x'.repeat(2 * 1024 * 1024)}\r\nthird\n`;
    expect(() => page(content)).toThrowError(
      expect.objectContaining({ code: 'FILE_TOO_LARGE', details: expect.objectContaining({ line: 2 }) }),
    );
    expect(page(content, { limit: 1 })).toMatchObject({ lines: ['first'], nextLine: 2 });
    expect(page(content, { line: 3 })).toMatchObject({ lines: ['third'], totalLines: 3 });
  });

  it('reads no more of a large file than its first page needs, and walks forward without starting over', () => {
    const { counted, bytesRead } = countReads(root);
    writeFileSync(join(directory, 'large'), 'a line of text\n'.repeat(200_000));
    expect(readLines(counted, { path: 'large' }, powers).nextLine).toBe(201);
    expect(bytesRead()).toBeLessThanOrEqual(64 * 1024);
    readLines(counted, { path: 'large', line: 150_001 }, powers);
    const before = bytesRead();
    expect(readLines(counted, { path: 'large', line: 150_201 }, powers).firstLine).toBe(150_201);
    expect(bytesRead() - before).toBeLessThanOrEqual(64 * 1024);
  });

  it.each(['\r\n', '\r'])('finds the ending %j also where two reads of the file divide it', (ending) => {
    for (const size of [1, 2, 3, 4].map((chunks) => chunks * 64 * 1024)) {
      for (const length of [size - 2, size - 1, size]) {
        const content = `${'p'.repeat(length)}${ending}second${ending}`;
        expect(page(content, { line: 2 })).toMatchObject({ lines: ['second'], totalLines: 2 });
        powers = { ...powers, lineCursors: createWindowCursors() };
        expect(page(content)).toMatchObject({ lines: [expect.stringMatching(/^p+… /), 'second'], totalLines: 2 });
      }
    }
  });

  it('shows the lines that the line model finds, page by page, wherever chunks of the file are cut', () => {
    const pieces = fc.oneof(fc.constantFrom('\n', '\r', '\r\n', '\ufeff', 'é'), fc.string({ maxLength: 5 }));
    const bodies = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    // So much that a chunk of 64 KiB ends inside the random part.
    const paddings = fc.integer({ min: 0, max: 60 }).map((missing) => `${'p'.repeat(64 * 1024 - 20 - missing)}`);
    fc.assert(
      fc.property(paddings, bodies, fc.integer({ min: 1, max: 7 }), (padding, body, limit) => {
        const bytes = Buffer.from(padding + body);
        const expected = Array.from(
          eachLine(bytes),
          ({ start, textEnd }) => renderPageLine(bytes.subarray(start, textEnd)).text,
        );
        writeFileSync(join(directory, 'f'), bytes);
        const shown: string[] = [];
        for (let line: number | null = 1; line !== null; ) {
          const part: LinesPage = readLines(
            root,
            { path: 'f', line, limit },
            { ...powers, lineCursors: createWindowCursors() },
          );
          shown.push(...part.lines);
          line = part.nextLine;
        }
        expect(shown).toEqual(expected);
      }),
    );
  });
});

function countReads(fs: FileSystem): { readonly counted: FileSystem; readonly bytesRead: () => number } {
  let bytes = 0;
  const counted: FileSystem = {
    ...fs,
    openFile: (path) => {
      const file = fs.openFile(path);
      const read: typeof file.read = (target, position) => {
        const count = file.read(target, position);
        bytes += count;
        return count;
      };
      return { ...file, read };
    },
  };
  return { counted, bytesRead: () => bytes };
}
