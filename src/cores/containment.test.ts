import { describe, it } from 'vitest';
import { containmentCases } from '../fs/testing/containment-driver.ts';
import { coresOnDisk } from './testing/core-surface.ts';

describe.runIf(process.platform === 'linux')('the cores on the disk, by descriptor', () => {
  it.each(containmentCases)('$id: $title', ({ run }) => run(coresOnDisk({ requireRaceFree: true })));
});

describe('the cores on the disk, by path and comparison', () => {
  it.each(containmentCases)('$id: $title', ({ run }) => run(coresOnDisk({ forceVerifiedOpen: true })));
});
