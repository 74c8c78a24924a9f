import { describe, expect, it } from 'vitest';
import { faultCases } from '../../fs/testing/faults.ts';
import { coresOnDisk } from '../testing/core-surface.ts';

describe('a fault of the operating system at any moment leaves the old file or the new, whole, and nothing else', () => {
  it.each(faultCases)('$title', async ({ run }) => {
    expect(await run(coresOnDisk())).toBeGreaterThan(0);
  });

  it.each(faultCases)('$title, by path and comparison', async ({ run }) => {
    expect(await run(coresOnDisk({ forceVerifiedOpen: true }))).toBeGreaterThan(0);
  });
});
