import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../policy/grants.ts';
import { createGrantStore } from './grant-store.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'porthole-grants-'));
});

afterEach(() => rmSync(state, { recursive: true, force: true }));

const grant = (id: string, more: Partial<Grant> = {}): Grant => ({
  id,
  name: 'edit_file',
  level: 'moderate',
  scope: 'project',
  root: '/root',
  grantedAt: 0,
  expiresAt: 1000,
  ...more,
});

const store = (now = 0) => createGrantStore(state, () => now);
const put = (value: unknown) => writeFileSync(join(state, 'grants.json'), JSON.stringify(value), { mode: 0o600 });

describe('createGrantStore()', () => {
  it('keeps grants for other processes, privately', async () => {
    expect(await store().load()).toEqual([]);
    const always: Grant = {
      id: 'b',
      name: 'file_write',
      level: 'moderate',
      scope: 'always',
      grantedAt: 0,
      expiresAt: 1000,
    };
    await store().add(grant('a'));
    await store().add(always);
    expect(await store().load()).toEqual([grant('a'), always]);
    expect(statSync(join(state, 'grants.json')).mode & 0o777).toBe(0o600);
  });

  it('removes by id or all, and tells which', async () => {
    for (const id of ['a', 'b', 'c']) await store().add(grant(id));
    expect((await store().remove(['b', 'x'])).map(({ id }) => id)).toEqual(['b']);
    expect((await store().remove('all')).map(({ id }) => id)).toEqual(['a', 'c']);
    expect(await store().load()).toEqual([]);
  });

  it('drops what has expired when it is written', async () => {
    await store().add(grant('a'));
    await store(1000).add(grant('b', { expiresAt: 2000 }));
    expect((await store().load()).map(({ id }) => id)).toEqual(['b']);
  });

  it('loses no grant of several at once', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => store().add(grant(id))));
    expect(await store().load()).toHaveLength(4);
  });

  it.each([
    ['a dangerous grant', { v: 1, grants: [grant('a', { level: 'dangerous' })] }],
    ['a grant for one run', { v: 1, grants: [grant('a', { scope: 'run' })] }],
    ['one that never ends', { v: 1, grants: [{ ...grant('a'), expiresAt: undefined }] }],
    ['another version', { v: 2, grants: [] }],
    ['a list', []],
  ])('does not believe a file with %s', async (_what, value) => {
    put(value);
    await expect(store().load()).rejects.toMatchObject({ code: 'IO_FAILED' });
    await expect(store().add(grant('b'))).rejects.toMatchObject({ code: 'IO_FAILED' });
    expect(JSON.parse(readFileSync(join(state, 'grants.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('believes one as it writes them', async () => {
    put({ v: 1, grants: [grant('a')] });
    expect(await store().load()).toHaveLength(1);
  });
});
