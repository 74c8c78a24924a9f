import { describe, expect, it } from 'vitest';
import { createApproval, renderShown, type Shown, unaskedPermission } from './approval.ts';

const shown: Shown = {
  tool: 'edit_file',
  argumentsDigest: 'sha256:args',
  path: 'a.ts',
  digestBefore: 'sha256:before',
  digestAfter: 'sha256:after',
  diffDigest: 'sha256:diff',
};

const approval = (digestNow = 'sha256:policy') =>
  createApproval([shown, { ...shown, path: 'b.ts' }], 'sha256:policy', () => digestNow);

describe('createApproval()', () => {
  it('lets exactly what was shown land, each file once', () => {
    const permission = approval();
    permission.use(shown);
    permission.use({ ...shown, path: 'b.ts' });
    expect(() => permission.use(shown)).toThrow(expect.objectContaining({ code: 'APPROVAL_DENIED' }));
  });

  it.each<[string, Partial<Shown>]>([
    ['tool', { tool: 'file_write' }],
    ['arguments', { argumentsDigest: 'sha256:other' }],
    ['base file', { digestBefore: 'sha256:other' }],
    ['base file, now gone', { digestBefore: null }],
    ['result', { digestAfter: 'sha256:other' }],
    ['diff', { diffDigest: 'sha256:other' }],
  ])('refuses another %s than the one shown', (_what, change) => {
    expect(() => approval().use({ ...shown, ...change })).toThrow(
      expect.objectContaining({ code: 'CHANGED_SINCE_READ' }),
    );
  });

  it('refuses under another policy than the one it was given under', () => {
    expect(() => approval('sha256:other').use(shown)).toThrow(expect.objectContaining({ code: 'CHANGED_SINCE_READ' }));
  });

  it('refuses a file that was not shown', () => {
    expect(() => approval().use({ ...shown, path: 'c.ts' })).toThrow(
      expect.objectContaining({ code: 'APPROVAL_DENIED' }),
    );
  });

  it('is spent by a refused use as well', () => {
    const permission = approval();
    expect(() => permission.use({ ...shown, digestAfter: 'x' })).toThrow();
    expect(() => permission.use(shown)).toThrow(expect.objectContaining({ code: 'APPROVAL_DENIED' }));
  });
});

describe('unaskedPermission', () => {
  it('is bound to nothing: no bytes were shown', () => {
    expect(unaskedPermission.wasAsked).toBe(false);
    expect(() => unaskedPermission.use(shown)).not.toThrow();
  });
});

describe('renderShown()', () => {
  it('differs with everything a question shows', () => {
    const texts = [
      renderShown([shown], 'a', 'p'),
      renderShown([shown, shown], 'a', 'p'),
      renderShown([shown], 'b', 'p'),
      renderShown([shown], 'a', 'q'),
      renderShown([{ ...shown, diffDigest: 'x' }], 'a', 'p'),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});
