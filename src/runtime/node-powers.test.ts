import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nodePowers, stateDirectory } from './node-powers.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('nodePowers', () => {
  it('digests as SHA-256 with its name in front', () => {
    expect(nodePowers.digest(Buffer.from('abc'))).toBe(
      'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('gives ids and seeds that differ, and seeds of 64 bits that are not 0', () => {
    expect(nodePowers.newId()).not.toBe(nodePowers.newId());
    const seeds = Array.from({ length: 100 }, () => nodePowers.randomSeed());
    expect(new Set(seeds).size).toBe(100);
    expect(seeds.every((seed) => seed > 0n && seed < 2n ** 64n)).toBe(true);
    expect(seeds.some((seed) => seed > 2n ** 53n)).toBe(true);
  });

  it('has a wall clock and one that only goes forward', () => {
    expect(Math.abs(nodePowers.now() - Date.now())).toBeLessThan(1000);
    const before = nodePowers.monotonicMs();
    expect(nodePowers.monotonicMs()).toBeGreaterThanOrEqual(before);
  });
});

describe('stateDirectory()', () => {
  it('follows XDG_STATE_HOME where that is absolute, and lies in the home directory otherwise', () => {
    vi.stubEnv('XDG_STATE_HOME', '/somewhere/state');
    expect(stateDirectory()).toBe('/somewhere/state/porthole');
    const atHome = join(homedir(), '.local/state/porthole');
    vi.stubEnv('XDG_STATE_HOME', 'relative');
    expect(stateDirectory()).toBe(atHome);
    vi.stubEnv('XDG_STATE_HOME', undefined);
    expect(stateDirectory()).toBe(atHome);
  });
});
