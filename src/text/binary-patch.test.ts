import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderBinaryPatch } from './binary-patch.ts';
import { renderBase85Lines } from './git-base85.ts';

const powers = {
  deflate: (bytes: Uint8Array) => deflateSync(bytes, { level: 1 }),
  sha1Hex: (bytes: Uint8Array) => createHash('sha1').update(bytes).digest('hex'),
};

describe('renderBase85Lines()', () => {
  it('writes a letter for the count and five characters for every four bytes begun', () => {
    expect(renderBase85Lines(new Uint8Array())).toBe('');
    expect(renderBase85Lines(Uint8Array.of(0))).toBe('A00000\n');
    expect(renderBase85Lines(Uint8Array.of(0xff, 0xff, 0xff, 0xff))).toBe('D|NsC0\n');
  });

  it('counts to 26 in capitals, on to 52 in small letters, and begins a new line after that', () => {
    const letters = [26, 27, 52, 53].map((length) => renderBase85Lines(new Uint8Array(length)).replace(/0+\n/g, ''));
    expect(letters).toEqual(['Z', 'a', 'z', 'zA']);
  });
});

describe('renderBinaryPatch()', () => {
  // What `git diff --binary` prints for the same change.
  it('renders a new file with the name of its blob, and nothing to go back to', () => {
    const patch = renderBinaryPatch({ path: 'a b', before: null, after: Uint8Array.of(0, 10) }, powers);
    expect(patch).toBe(
      [
        'diff --git a/a b b/a b',
        'new file mode 100644',
        'index 0000000000000000000000000000000000000000..1f2a4f5ef3df7f7456d91c961da36fc58904f2f1',
        'GIT binary patch',
        'literal 2',
        'JcmZSJ0ssIE01E&B',
        '',
        'literal 0',
        'HcmV?d00001',
        '',
        '',
      ].join('\n'),
    );
  });
});
