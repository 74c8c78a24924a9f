import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Grant } from '../policy/grants.ts';
import { createGrantStore } from '../runtime/grant-store.ts';
import { enterDirectory, runHere } from './testing/run-in.ts';

let directory: string;
let leave: () => void;

beforeEach(() => {
  ({ directory, leave } = enterDirectory());
});

afterEach(() => leave());

// Far enough ahead not to expire while this code is in use.
const end = Date.UTC(2100, 0, 1);
const project: Grant = {
  id: 'g1',
  name: 'edit_file',
  level: 'moderate',
  scope: 'project',
  root: '/work\u001b',
  grantedAt: 0,
  expiresAt: end,
};
const always: Grant = { id: 'g2', name: 'run', level: 'moderate', scope: 'always', grantedAt: 0, expiresAt: end };

async function keep(...grants: Grant[]) {
  const store = createGrantStore(join(directory, '.state', 'porthole'), () => 0);
  for (const grant of grants) await store.add(grant);
  return store;
}

describe('porthole approvals list', () => {
  it('lists what still answers questions', async () => {
    await keep(project, always, { ...always, id: 'old', expiresAt: 1 });
    expect(await runHere('approvals', 'list')).toMatchObject({
      exit: 0,
      out:
        'g1  edit_file *  up to moderate, below /work\\u{1b}, until 2100-01-01\n' +
        'g2  run *  up to moderate, everywhere, until 2100-01-01\n',
    });
  });

  it('lists as JSON', async () => {
    await keep(project, always);
    expect((await runHere('approvals', 'list', '--json')).json()).toMatchObject([
      { id: 'g1', pattern: 'edit_file *', scope: 'project', expiresAt: '2100-01-01T00:00:00.000Z' },
      { id: 'g2', scope: 'always' },
    ]);
  });

  it('says where there is nothing', async () => {
    expect(await runHere('approvals', 'list')).toMatchObject({ exit: 0, out: '', err: 'there are no kept grants\n' });
    expect(await runHere('approvals', 'list', 'x')).toMatchObject({ exit: 2 });
  });
});

describe('porthole approvals revoke', () => {
  it('revokes by id and leaves the others', async () => {
    const store = await keep(project, always);
    expect(await runHere('approvals', 'revoke', 'g1')).toMatchObject({ exit: 0, err: '1 grant revoked\n' });
    expect((await store.load()).map(({ id }) => id)).toEqual(['g2']);
  });

  it('revokes all', async () => {
    const store = await keep(project, always);
    const ran = await runHere('approvals', 'revoke', '--all', '--json');
    expect(ran.json()).toEqual({ ok: true, revoked: ['g1', 'g2'] });
    expect((await runHere('approvals', 'revoke', '--all')).err).toBe('0 grants revoked\n');
    expect(await store.load()).toEqual([]);
  });

  it('names an id it does not know, and does not guess', async () => {
    await keep(project);
    expect(await runHere('approvals', 'revoke', 'gx')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('there is no grant gx'),
    });
    expect(await runHere('approvals', 'revoke')).toMatchObject({ exit: 2 });
    expect(await runHere('approvals', 'revoke', 'g1', '--all')).toMatchObject({ exit: 2 });
  });
});
