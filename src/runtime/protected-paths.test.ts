import { describe, expect, it } from 'vitest';
import { ownPlaces, protectedBelow } from './protected-paths.ts';

const places = ownPlaces({
  lookupDirectory: '/work',
  policyPath: '/work/conf/[my] policy.yaml',
  auditPath: '/work/sub/log.jsonl',
  stateDirectory: '/home/me/.local/state/porthole',
});

const isProtected = (root: string, path: string) => protectedBelow(root, places).some(({ glob }) => glob.matches(path));

describe('ownPlaces()', () => {
  it('holds the log with all it becomes, and no log where there is none', () => {
    const paths = places.map(({ path }) => path);
    for (const end of ['', '.1', '.4', '.new', '.lock']) expect(paths).toContain(`/work/sub/log.jsonl${end}`);
    const none = ownPlaces({
      lookupDirectory: '/w',
      policyPath: undefined,
      auditPath: undefined,
      stateDirectory: '/s',
    });
    expect(none.map(({ path }) => path)).toEqual([
      '/w/porthole.policy.yaml',
      '/w/porthole.policy.yml',
      '/w/porthole.policy.json',
      '/s',
    ]);
  });
});

describe('protectedBelow()', () => {
  it.each([
    ['/work', 'porthole.policy.yaml'],
    ['/work', 'porthole.policy.yml'],
    ['/work', 'porthole.policy.json'],
    ['/work', 'conf/[my] policy.yaml'],
    ['/work', 'sub/log.jsonl'],
    ['/work', 'sub/log.jsonl.2'],
    ['/work/sub', 'log.jsonl'],
    ['/home/me', '.local/state/porthole/grants.json'],
    ['/', 'work/porthole.policy.yaml'],
  ])('protects below %s: %s', (root, path) => {
    expect(isProtected(root, path)).toBe(true);
  });

  it.each([
    ['/work', 'sub/porthole.policy.yaml'],
    ['/work', 'conf/m policy.yaml'],
    ['/work', 'sub/log.jsonl.9'],
    ['/work/sub', 'porthole.policy.yaml'],
    ['/work-evil', 'porthole.policy.yaml'],
  ])('leaves below %s: %s', (root, path) => {
    expect(isProtected(root, path)).toBe(false);
  });
});
