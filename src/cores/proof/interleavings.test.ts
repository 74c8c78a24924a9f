import { describe, expect, it } from 'vitest';
import { interleavings } from '../../fs/testing/interleavings.ts';
import { coresOnDisk } from '../testing/core-surface.ts';

describe.each(interleavings)('$title', ({ run }) => {
  it('reaches nothing outside at any moment', async () => {
    expect(await run(coresOnDisk(), 'forth')).toBeGreaterThan(4);
  });

  it('reaches nothing outside when the world is swapped for one call', async () => {
    expect(await run(coresOnDisk(), 'forth and back')).toBeGreaterThan(4);
  });

  it('reaches nothing outside by path and comparison, when the world stays swapped', async () => {
    expect(await run(coresOnDisk({ forceVerifiedOpen: true }), 'forth')).toBeGreaterThan(4);
  });
});
