import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { operatorPathExists, readOperatorFileUnchecked, whyUnreadable } from './operator-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'porthole-operator-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('readOperatorFileUnchecked()', () => {
  it.each([0, 1, 1024 * 1024, 1024 * 1024 + 1, 3_000_000])('reads all %i bytes', (size) => {
    const path = join(directory, `${size}`);
    const bytes = Buffer.alloc(size, 'abc');
    writeFileSync(path, bytes);
    expect(bytes.equals(readOperatorFileUnchecked(path))).toBe(true);
  });

  it('ends at its ceiling where a file has no end', () => {
    expect(() => readOperatorFileUnchecked('/dev/zero', 5_000_000)).toThrow(
      expect.objectContaining({ code: 'EFBIG', message: 'more than 5000000 bytes (4.8 MiB)' }),
    );
  });

  it('throws what the file system throws', () => {
    expect(() => readOperatorFileUnchecked(join(directory, 'none'))).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    );
    expect(() => readOperatorFileUnchecked(directory)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });
});

describe('whyUnreadable()', () => {
  const why = (path: string, maxBytes?: number) => {
    try {
      return readOperatorFileUnchecked(path, maxBytes);
    } catch (error) {
      return whyUnreadable(error);
    }
  };

  it('tells it in words', () => {
    expect(why(join(directory, 'none'))).toBe('there is no such file');
    expect(why(directory)).toBe('it is a directory');
    expect(why('/dev/zero', 5_000_000)).toBe('it holds more than 5000000 bytes (4.8 MiB)');
    expect(whyUnreadable(new Error('its own words'))).toBe('its own words');
    expect(whyUnreadable('thrown text')).toBe('thrown text');
  });
});

describe('operatorPathExists()', () => {
  it('tells what is there from what is not', () => {
    expect(operatorPathExists(directory)).toBe(true);
    expect(operatorPathExists(join(directory, 'none'))).toBe(false);
  });
});
