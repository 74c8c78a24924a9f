import { describe, it } from 'vitest';
import { pathMatrix } from '../../fs/testing/path-matrix.ts';
import { coresOnDisk } from '../testing/core-surface.ts';

describe('every spelling of every kind of thing, by descriptor', () => {
  it.each(pathMatrix)('$title', ({ run }) => run(coresOnDisk()));
});

describe('every spelling of every kind of thing, by path and comparison', () => {
  it.each(pathMatrix)('$title', ({ run }) => run(coresOnDisk({ forceVerifiedOpen: true })));
});
