import { describe, it } from 'vitest';
import { loadContainmentCases } from '../fs/testing/containment-case.ts';
import { containmentCases } from '../fs/testing/containment-driver.ts';
import { coresInMemory, coresOnDisk } from './testing/core-surface.ts';

describe.runIf(process.platform === 'linux')('the cores on the disk, by descriptor', () => {
  it.each(containmentCases)('$id: $title', ({ run }) => run(coresOnDisk({ requireRaceFree: true })));
});

describe('the cores on the disk, by path and comparison', () => {
  it.each(containmentCases)('$id: $title', ({ run }) => run(coresOnDisk({ forceVerifiedOpen: true })));
});

// Links, modes, devices, empty directories and an outside are about the disk alone.
const inMemory = loadContainmentCases().filter(({ setup, op, want, alsoFor = [] }) => {
  const isPlain = setup.every(({ file, mode }) => file !== undefined && mode === undefined);
  const isRead = (op.read !== undefined || op.readWindows !== undefined) && op.root === undefined;
  const paths = [op.read ?? '', ...alsoFor];
  return (
    isPlain &&
    isRead &&
    !op.rootThroughLink &&
    !paths.some((path) => /^(?:\/|\{(?:root|outside))/.test(path)) &&
    !want.mode
  );
});

describe('the cores on a memory tree', () => {
  const ids = new Set(inMemory.map(({ id }) => id));
  it.each(containmentCases.filter(({ id }) => ids.has(id)))('$id: $title', ({ run }) => run(coresInMemory()));
});
