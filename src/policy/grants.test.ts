import { describe, expect, it } from 'vitest';
import {
  activeGrants,
  coveringGrant,
  createGrant,
  createMemoryGrantStore,
  renderGrantPattern,
  type Yes,
} from './grants.ts';

const day = 24 * 60 * 60 * 1000;
const now = 1_000_000;
const yes: Yes = { scope: 'run', name: 'edit_file', level: 'moderate', run: 'r1', root: '/one' };
const here = { run: 'r1', root: '/one', now };
const isActive = (given: Partial<Yes>, place: Partial<typeof here> = {}) => {
  const grant = createGrant({ ...yes, ...given }, 'g', now);
  return grant !== undefined && activeGrants([grant], { ...here, ...place }).length === 1;
};

describe('createGrant()', () => {
  it('adds none for once', () => {
    expect(createGrant({ ...yes, scope: 'once' }, 'g', now)).toBeUndefined();
  });

  it('keeps a project and an always grant for 30 days', () => {
    expect(createGrant({ ...yes, scope: 'project' }, 'g', now)).toMatchObject({
      scope: 'project',
      root: '/one',
      expiresAt: now + 30 * day,
    });
    expect(createGrant({ ...yes, scope: 'always' }, 'g', now)).toMatchObject({ expiresAt: now + 30 * day });
  });

  it.each(['project', 'always'] as const)('never keeps a dangerous yes of scope %s beyond the run', (scope) => {
    expect(createGrant({ ...yes, scope, level: 'dangerous' }, 'g', now)).toEqual({
      id: 'g',
      name: 'edit_file',
      level: 'dangerous',
      scope: 'run',
      downgradedFrom: scope,
      run: 'r1',
      grantedAt: now,
    });
  });

  it('records no downgrade where there was none', () => {
    expect(createGrant({ ...yes, level: 'dangerous' }, 'g', now)).not.toHaveProperty('downgradedFrom');
  });
});

describe('activeGrants()', () => {
  it('counts a run grant in its run only', () => {
    expect(isActive({ scope: 'run' })).toBe(true);
    expect(isActive({ scope: 'run' }, { run: 'r2' })).toBe(false);
  });

  it('counts a project grant below its root only, in every run', () => {
    expect(isActive({ scope: 'project' }, { run: 'r2' })).toBe(true);
    expect(isActive({ scope: 'project' }, { root: '/other' })).toBe(false);
  });

  it('counts an always grant everywhere', () => {
    expect(isActive({ scope: 'always' }, { run: 'r2', root: '/other' })).toBe(true);
  });

  it.each(['project', 'always'] as const)('ends a grant of scope %s after 30 days', (scope) => {
    expect(isActive({ scope }, { now: now + 30 * day - 1 })).toBe(true);
    expect(isActive({ scope }, { now: now + 30 * day })).toBe(false);
  });

  it('does not believe a kept grant that says dangerous', () => {
    const forged = {
      id: 'g',
      name: 'edit_file',
      level: 'dangerous',
      scope: 'always',
      grantedAt: 0,
      expiresAt: now + 1,
    } as const;
    expect(activeGrants([forged], here)).toEqual([]);
    expect(activeGrants([{ ...forged, level: 'moderate' }], here)).toHaveLength(1);
  });
});

describe('coveringGrant()', () => {
  it('covers per tool, the level and below', () => {
    const grant = createGrant(yes, 'g', now);
    const grants = grant === undefined ? [] : [grant];
    expect(coveringGrant(grants, 'edit_file', 'moderate')?.id).toBe('g');
    expect(coveringGrant(grants, 'edit_file', 'safe')?.id).toBe('g');
    expect(coveringGrant(grants, 'edit_file', 'dangerous')).toBeUndefined();
    expect(coveringGrant(grants, 'file_write', 'moderate')).toBeUndefined();
    expect(grant && renderGrantPattern(grant)).toBe('edit_file *');
  });
});

describe('createMemoryGrantStore()', () => {
  it('adds, tells and removes', async () => {
    const store = createMemoryGrantStore();
    for (const id of ['a', 'b']) {
      const grant = createGrant({ ...yes, scope: 'always' }, id, now);
      if (grant !== undefined) await store.add(grant);
    }
    expect(await store.load()).toHaveLength(2);
    expect((await store.remove(['a', 'x'])).map(({ id }) => id)).toEqual(['a']);
    expect((await store.remove('all')).map(({ id }) => id)).toEqual(['b']);
    expect(await store.load()).toEqual([]);
  });
});
