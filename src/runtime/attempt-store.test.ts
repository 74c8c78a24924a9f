import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAttemptStore } from './attempt-store.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'porthole-attempts-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

describe('createAttemptStore()', () => {
  test('counts on after a restart, by root and change', async () => {
    expect(await createAttemptStore(state, '/r', () => 5).take('pr-1', 2)).toBe(1);
    const later = createAttemptStore(state, '/r', () => 6);
    expect(await later.used('pr-1')).toBe(1);
    expect(await later.take('pr-1', 2)).toBe(2);
    expect(await later.take('pr-1', 2)).toBeUndefined();
    expect(await later.used('pr-1')).toBe(2);
    expect(await later.used('pr-2')).toBe(0);
    expect(await createAttemptStore(state, '/other', () => 6).used('pr-1')).toBe(0);
    expect(JSON.parse(readFileSync(join(state, 'attempts.json'), 'utf8'))).toEqual({
      v: 1,
      attempts: [{ root: '/r', change: 'pr-1', used: 2, lastAt: 6 }],
    });
  });

  test('many at once take no more than there are', async () => {
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => createAttemptStore(state, '/r', () => 1).take('pr', 3)),
    );
    expect(taken.filter((used) => used !== undefined).sort()).toEqual([1, 2, 3]);
  });

  test.each(['[]', '{"v":1,"attempts":[{"root":"/r"}]}', 'not json'])('does not start anew on %s', async (text) => {
    writeFileSync(join(state, 'attempts.json'), text, { mode: 0o600 });
    const store = createAttemptStore(state, '/r', () => 1);
    await expect(store.used('pr')).rejects.toMatchObject({ code: 'IO_FAILED' });
    await expect(store.take('pr', 2)).rejects.toMatchObject({ code: 'IO_FAILED' });
  });

  test('a file that others may write counts nothing', async () => {
    writeFileSync(join(state, 'attempts.json'), '{"v":1,"attempts":[]}', { mode: 0o600 });
    chmodSync(join(state, 'attempts.json'), 0o666);
    await expect(createAttemptStore(state, '/r', () => 1).take('pr', 2)).rejects.toMatchObject({ code: 'IO_FAILED' });
  });
});
