import { describe, expect, it } from 'vitest';
import { ownPlaces, protectedBelow } from './protected-paths.ts';

const places = ownPlaces({
  lookupDirectory: '/srv/desk',
  policyPath: '/srv/desk/conf/[my] policy.yaml',
  auditPath: '/srv/desk/sub/log.jsonl',
  stateDirectory: '/home/me/.local/state/porthole',
});

const isProtected = (root: string, path: string) => protectedBelow(root, places).some(({ glob }) => glob.matches(path));

describe('ownPlaces()', () => {
  it('holds the log with all it becomes, and no log where there is none', () => {
    const paths = places.map(({ path }) => path);
    for (const end of ['', '.1', '.4', '.new', '.lock']) expect(paths).toContain(`/srv/desk/sub/log.jsonl${end}`);
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
    ['/srv/desk', 'porthole.policy.yaml'],
    ['/srv/desk', 'porthole.policy.yml'],
    ['/srv/desk', 'porthole.policy.json'],
    ['/srv/desk', 'conf/[my] policy.yaml'],
    ['/srv/desk', 'sub/log.jsonl'],
    ['/srv/desk', 'sub/log.jsonl.2'],
    ['/srv/desk/sub', 'log.jsonl'],
    ['/home/me', '.local/state/porthole/grants.json'],
    ['/', 'srv/desk/porthole.policy.yaml'],
  ])('protects below %s: %s', (root, path) => {
    expect(isProtected(root, path)).toBe(true);
  });

  it.each([
    ['/srv/desk', 'sub/porthole.policy.yaml'],
    ['/srv/desk', 'conf/m policy.yaml'],
    ['/srv/desk', 'sub/log.jsonl.9'],
    ['/srv/desk/sub', 'porthole.policy.yaml'],
    ['/srv/desk-evil', 'porthole.policy.yaml'],
  ])('leaves below %s: %s', (root, path) => {
    expect(isProtected(root, path)).toBe(false);
  });
});
